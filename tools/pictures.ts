/**
 * Makes the pictures of the app in README and docs from the app itself, which has to be built:
 *
 *     npm run pictures
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { preview } from 'vite'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const QUESTION = 'Who saw something venting into space?'
const BELIEFS = [
  { claim: 'Something is venting out of the service module', match: 0, verdict: 'It supports it' },
  { claim: 'It is only the instruments', match: 0, verdict: 'It contradicts it' },
] as const

const server = await preview({ preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error' })
const context = await chromium.launchPersistentContext('', {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
  ...(existsSync(CHROMIUM) && { executablePath: CHROMIUM }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const page = await context.newPage()
await page.goto(server.resolvedUrls!.local[0]!)
await page.getByRole('button', { name: 'Load Apollo 13' }).click()
await page.getByText('10,876 new memories').waitFor({ timeout: 300_000 })
await settled(page)
await ask(page)
await picture(page, 'demo')

for (const { claim, match, verdict } of BELIEFS) await believe(page, claim, match, verdict)
await page
  .getByText(/^History: /)
  .first()
  .click()
await picture(page, 'mind')
await context.close()
await server.close()

/** Waits until no more concepts are found in what was loaded. */
async function settled(page: Page): Promise<void> {
  const concepts = page.locator('.floors').getByRole('button', { name: 'Concepts' })
  for (let before = ''; ; ) {
    await page.waitForTimeout(5_000)
    const now = await concepts.innerText()
    if (now === before) return
    before = now
    await page.reload()
    await page.locator('#count').filter({ hasText: '10,876' }).waitFor()
  }
}

/** Asks twice: the first time, the page still loads what ranks the answers. */
async function ask(page: Page): Promise<void> {
  for (let time = 0; time < 2; time++) {
    await page.getByLabel('Ask the memory').fill(QUESTION)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.locator('#matches:not([aria-busy]) .card').first().waitFor()
  }
}

/** Has the memory believe something, on which a match of the last answer bears. */
async function believe(page: Page, claim: string, match: number, verdict: string): Promise<void> {
  const button = page.locator('.floors').getByRole('button', { name: 'Beliefs' })
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  const panel = page.getByRole('region', { name: 'Beliefs', exact: true })
  await panel.getByLabel('What is true').fill(claim)
  await panel.getByRole('button', { name: 'Believe it' }).click()
  const belief = panel.locator('.items > li').filter({ hasText: claim })
  await belief.getByText('An episode bears on it').click()
  await belief.getByLabel('Of the last answer').selectOption({ index: match })
  await belief.getByRole('button', { name: verdict }).click()
  await belief.getByText('History: 1 revision').waitFor()
  await belief.getByText('An episode bears on it').click()
}

/** Writes a picture of what is seen, with the pointer and the focus out of the way. */
async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    window.scrollTo(0, 0)
  })
  const path = fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url))
  const pixels = await page.screenshot({ animations: 'disabled' })
  await sharp(pixels).png({ palette: true, dither: 0, effort: 10 }).toFile(path)
  console.log(path)
}
