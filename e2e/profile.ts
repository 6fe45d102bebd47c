import { test as base } from '@playwright/test'

/**
 * Tests with a profile on disk of their own. Playwright's usual context is a private window: its
 * storage is in memory, behind another process, an order of magnitude slower than a disk's, and knows no quota for OPFS.
 */
export const test = base.extend({
  context: async ({ playwright, launchOptions, baseURL }, use) => {
    const context = await playwright.chromium.launchPersistentContext('', { ...launchOptions, baseURL })
    await use(context)
    await context.close()
  },
})
