import { chromium, type Browser } from 'playwright-core'
import playwright from '../../playwright.config.js'

let browser: Promise<Browser> | undefined

/**
 * Opens a page in Chromium, in a profile of its own, and waits for what it says.
 *
 * @param url Of the page, which sets `globalThis.seen` when it is done.
 * @param times How often it is opened, one after the other. Default 1.
 * @returns what `globalThis.seen` was, each time
 */
export async function visit(url: string, times = 1): Promise<unknown[]> {
  browser ??= chromium.launch(playwright.use?.launchOptions)
  const context = await (await browser).newContext()
  const errors: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => errors.push(message))
    const all: unknown[] = []
    for (let i = 0; i < times; i++) {
      await page.goto(url)
      await page.waitForFunction(() => 'seen' in globalThis || undefined, undefined, { timeout: 50_000 })
      all.push(await page.evaluate(() => (globalThis as { seen?: unknown }).seen))
    }
    return all
  } catch (cause) {
    throw new Error(`${url} said nothing: ${errors.join('; ') || String(cause)}`, { cause })
  } finally {
    await context.close()
  }
}

/** Ends the browser in which pages were opened. */
export async function leave(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}
