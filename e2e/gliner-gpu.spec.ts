import { expect } from '@playwright/test'
import config from '../playwright.config.js'
import { deviceOf } from './gliner-page.js'
import { test } from './profile.js'
import { serve } from './serve.js'

const launchOptions = config.use!.launchOptions!
// SwiftShader, which Chromium brings, is a graphics processor in software.
const args = [...launchOptions.args!, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']
test.use({ launchOptions: { ...launchOptions, args } })

test('a model runs on the graphics processor, and finds the same there', { tag: '@nightly' }, async ({ context }) => {
  const server = await serve()
  expect(await deviceOf(server.url, context)).toBe('webgpu')
})
