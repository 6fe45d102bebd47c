import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { nightly } from './test/runs.js'

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const asRoot = process.getuid?.() === 0
const port = Number(process.env['AGIDB_E2E_PORT'] ?? 4391)

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 }, // slow machines are slow, not wrong
  forbidOnly: true,
  ...(!nightly && { grepInvert: /@nightly/ }),
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: {
      // Where there is neither: Playwright's own, from `npx playwright install chromium`.
      ...(existsSync(chromium) && { executablePath: chromium }),
      args: asRoot ? ['--no-sandbox'] : [],
    },
  },
  webServer: {
    command: `npm run demo:build && npm run demo:preview -- --host 127.0.0.1 --port ${port} --strictPort`,
    port,
    reuseExistingServer: false,
  },
})
