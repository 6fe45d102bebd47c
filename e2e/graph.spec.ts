import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './accessible.js'
import { openWithChat } from './chat.js'
import { test } from './profile.js'

const CHAT = [
  { speaker: 'Ines', session: 'may', text: 'Everything that does not fit is stored with Kestrel until autumn.' },
  { speaker: 'Roland', session: 'may', text: 'You could give me the big table.' },
  { speaker: 'Ines', session: 'may', text: 'Not a chance. Grandma would hear of it.' },
  { speaker: 'Roland', session: 'june', text: 'How was the first week at work?' },
  { speaker: 'Ines', session: 'june', text: 'Dusty. The bus to Kestrel goes from Gasworks Lane.' },
  { speaker: 'Roland', session: 'june', text: 'Bring sandwiches.' },
].map((item, hour) => ({ at: `2026-05-0${hour + 1}T19:00:00Z`, ...item }))
const ASKED = 'What did they do with everything that does not fit?'

/** Asks, and opens what is near the memory with these words, once everything is read: then it names Kestrel. */
async function openNear(page: Page, text: string, asked = ASKED): Promise<Locator> {
  await expect(async () => {
    await page.getByLabel('Ask the memory').fill(asked)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(page.locator('.card .entity', { hasText: 'Kestrel' })).toHaveCount(2, { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await page.locator('.card', { hasText: text }).getByRole('button', { name: 'What is near it' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is near it' })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Whether anything is drawn: whether two of the pixels differ. */
async function isDrawn(dialog: Locator): Promise<boolean> {
  return dialog.locator('.picture').evaluate((place) =>
    Array.from(place.querySelectorAll('canvas')).some((canvas) => {
      const pixels = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data
      return pixels.some((value) => value !== pixels[0])
    }),
  )
}

test('The neighbourhood of a match is a picture and a list, which the keyboard goes through', async ({ page }) => {
  await openWithChat(page, CHAT)
  const dialog = await openNear(page, 'stored with Kestrel')
  const list = dialog.getByRole('list', { name: 'Neighbours' })
  const names = list.getByRole('button', { name: 'both name Kestrel' })
  await expect(list.getByRole('button', { name: 'came next' })).toContainText('the big table')
  await expect(names).toContainText('Gasworks Lane')
  // The match, the turn after it, the name that both have, and the other that has it.
  await expect(dialog.locator('.picture')).toHaveAttribute('data-nodes', /^[4-9]$/)
  await expect.poll(() => isDrawn(dialog)).toBe(true)

  const focused = list.locator(':focus')
  await expect(focused).toHaveCount(1)
  const first = await focused.getAttribute('data-id')
  await expect(dialog.locator('.picture')).toHaveAttribute('data-marked', first!)
  await page.keyboard.press('ArrowDown')
  await expect(focused).not.toHaveAttribute('data-id', first!)
  await expect(dialog.locator('.picture')).not.toHaveAttribute('data-marked', first!)
  await page.keyboard.press('Home')
  await expect(focused).toHaveAttribute('data-id', first!)

  expect(await violations(page)).toEqual([])

  await names.focus()
  await page.keyboard.press('Enter')
  const middle = dialog.getByRole('region', { name: 'In the middle' })
  await expect(middle).toContainText('Gasworks Lane')
  await expect(list.getByRole('button', { name: 'came next' })).toContainText('sandwiches')
  await dialog.getByRole('button', { name: 'Back' }).click()
  await expect(middle).toContainText('until autumn')

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'What is near it' }).first()).toBeVisible()
})

test('The path by which a graph found a match is drawn and told', async ({ page }) => {
  await openWithChat(page, CHAT)
  const asked = 'What did Roland say right after Ines said that everything is stored with Kestrel?'
  const dialog = await openNear(page, 'Not a chance', asked)
  const told = dialog.getByText('Found by way of another memory')
  await expect(told).toContainText('“Ines: Everything that does not fit is stored with Kestrel until autumn.”')
  await expect(told).toContainText('came next, then came next')
  // The match, the turn before it, and where the path begins; what recalls have taught by then comes to it.
  await expect(dialog.locator('.picture')).toHaveAttribute('data-nodes', /^[3-9]$/)
  await dialog.getByRole('button', { name: 'the big table' }).click()
  await expect(told).toBeHidden()
})

test('Kinds of lines can be left out of the neighbourhood, and what is farther away be shown', async ({ page }) => {
  await openWithChat(page, CHAT)
  const dialog = await openNear(page, 'stored with Kestrel')
  const names = dialog.getByRole('list', { name: 'Neighbours' }).getByRole('button', { name: 'both name Kestrel' })
  await expect(names).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'names it' }).uncheck()
  await expect(names).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: 'names it' }).check()
  await expect(names).toBeVisible()

  const far = dialog.getByRole('button', { name: 'came next, then came next' })
  await expect(far).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: 'two steps away' }).check()
  await expect(far).toContainText('Grandma')
})

test('What draws the neighbourhood is loaded when it is asked for', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.serviceWorker() === null && request.resourceType() === 'script') scripts.push(request.url())
  })
  await openWithChat(page, CHAT)
  expect(scripts.filter((url) => /neighbourhood|dialog/.test(url))).toEqual([])
  const before = scripts.length
  await openNear(page, 'stored with Kestrel')
  expect(scripts.length).toBeGreaterThan(before)
})
