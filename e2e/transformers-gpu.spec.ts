import { expect } from '@playwright/test'
import config from '../playwright.config.js'
import { test } from './profile.js'
import { serve } from './serve.js'
import { picturesOnGpu } from './transformers-page.js'

const launchOptions = config.use!.launchOptions!
// SwiftShader, which Chromium brings, is a graphics processor in software.
const args = [...launchOptions.args!, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']
test.use({ launchOptions: { ...launchOptions, args } })

test('a model runs on the graphics processor where that is asked for', { tag: '@nightly' }, async ({ context }) => {
  const server = await serve()
  expect(await picturesOnGpu(server.url, context)).toBe('webgpu')
})
