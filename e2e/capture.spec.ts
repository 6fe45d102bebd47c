import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { violations } from './accessible.js'
import { devices } from './captured.js'
import { view } from './chat.js'
import { test as base } from './profile.js'

/** Where to leave pictures of the page, to be looked at. */
const LOOK = process.env['AGIDB_LOOK']

const test = base.extend<{ page: Page; allowed: boolean }>({
  allowed: [true, { option: true }],
  page: async ({ playwright, launchOptions, baseURL, allowed }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'agidb-capture-'))
    const given = allowed ? await devices(folder) : ['--use-fake-device-for-media-stream', '--deny-permission-prompts']
    const args = [...(launchOptions.args ?? []), ...given]
    const context = await playwright.chromium.launchPersistentContext('', { ...launchOptions, args, baseURL })
    const page = await context.newPage()
    page.on('pageerror', (error) => expect(error).toBeUndefined())
    await page.goto('./')
    await expect(page.locator('#count')).toHaveText(/\d memor/)
    await use(page)
    await context.close()
    await rm(folder, { recursive: true })
  },
})

/** Opens the panel of the senses. */
async function senses(page: Page) {
  await view(page, 'Mind')
  await page.locator('.floors').getByRole('button', { name: 'Senses' }).click()
  return page.getByRole('region', { name: 'Senses', exact: true })
}

test('camera and microphone are off until they are turned on, shown while on, and what is new is remembered', async ({
  page,
}) => {
  const sign = page.locator('#capturing')
  const panel = await senses(page)
  await expect(sign).toBeHidden()
  await expect(panel.locator('.preview')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Turn on' }).click()
  await expect(sign).toContainText('The camera and the microphone are on')
  await expect(panel.locator('.preview')).toBeVisible()
  await expect(panel.getByRole('checkbox', { name: 'Camera' })).toBeDisabled()
  await expect(panel.locator('.capture')).toContainText(/[1-9] sounds? and [2-9] scenes were perceived, [2-9] were/)
  await expect(panel.locator('.marks .promoted').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  if (LOOK !== undefined) await page.screenshot({ path: join(LOOK, 'capture-on.png') })

  await sign.getByRole('button', { name: 'Turn off' }).click()
  await expect(sign).toBeHidden()
  await expect(panel.locator('.preview')).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Turn on' })).toBeEnabled()
  await expect(page.locator('#count')).toHaveText(/^[2-9]\d? memories$/)

  await view(page, 'Recall')
  await page.getByLabel('Ask the memory').fill('image')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const picture = page.locator('.card .kept img').first()
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320)
  if (LOOK !== undefined) await page.screenshot({ path: join(LOOK, 'capture-recalled.png') })
})

test('on a phone the microphone alone is turned on and off, and the sign is over every view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const panel = await senses(page)
  await panel.getByRole('checkbox', { name: 'Camera' }).uncheck()
  await panel.getByRole('button', { name: 'Turn on' }).click()
  const sign = page.locator('#capturing')
  for (const name of ['Recall', 'Chat', 'Memory', 'Mind'] as const) {
    await view(page, name)
    await expect(sign).toContainText('The microphone is on')
    await expect(sign).toBeInViewport({ ratio: 1 })
  }
  expect(await violations(page)).toEqual([])
  if (LOOK !== undefined) await page.screenshot({ path: join(LOOK, 'capture-phone.png') })
  await panel.getByRole('button', { name: 'Turn off' }).click()
  await expect(sign).toBeHidden()
  await panel.getByRole('checkbox', { name: 'Microphone' }).uncheck()
  await expect(panel.getByRole('button', { name: 'Turn on' })).toBeDisabled()
})

test.describe('where it is not allowed', () => {
  test.use({ allowed: false })
  test('the page says so, and nothing is on', async ({ page }) => {
    const panel = await senses(page)
    await panel.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.locator('#problem')).toContainText(
      'does not allow this page to use the camera and the microphone',
    )
    await expect(page.locator('#capturing')).toBeHidden()
    await expect(panel.getByRole('button', { name: 'Turn on' })).toBeEnabled()
  })
})
