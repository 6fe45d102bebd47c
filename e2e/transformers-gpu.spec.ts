import { expect } from '@playwright/test'
import { WITH_GPU } from './gpu.js'
import { test } from './profile.js'
import { serve } from './serve.js'
import { picturesOnGpu } from './transformers-page.js'

test.use(WITH_GPU)

test('a model runs on the graphics processor where that is asked for', { tag: '@nightly' }, async ({ context }) => {
  const server = await serve()
  expect(await picturesOnGpu(server.url, context)).toBe('webgpu')
})
