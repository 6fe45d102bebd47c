import { test as base } from '@playwright/test'
import { recordWorkers } from './worker-coverage.js'

/** Where to record what is run, if it is to be recorded: `npm run coverage:storage`. */
const recordIn = process.env['AGIDB_COVERAGE']

/**
 * Tests with a profile on disk of their own. Playwright's usual context is a private window: its storage is in memory,
 * behind another process, an order of magnitude slower than a disk's, and knows no quota for OPFS.
 */
export const test = base.extend({
  context: async ({ playwright, launchOptions, baseURL }, use) => {
    const context = await playwright.chromium.launchPersistentContext('', { ...launchOptions, baseURL })
    const stop = recordIn === undefined ? undefined : await recordWorkers(context, recordIn)
    await use(context)
    await stop?.()
    await context.close()
  },
})
