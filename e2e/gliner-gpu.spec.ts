import { expect } from '@playwright/test'
import { deviceOf } from './gliner-page.js'
import { WITH_GPU } from './gpu.js'
import { test } from './profile.js'
import { serve } from './serve.js'

test.use(WITH_GPU)

test('a model runs on the graphics processor, and finds the same there', { tag: '@nightly' }, async ({ context }) => {
  const server = await serve()
  expect(await deviceOf(server.url, context)).toBe('webgpu')
})
