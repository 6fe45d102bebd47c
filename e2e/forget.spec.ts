import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './accessible.js'
import { view } from './chat.js'
import { test } from './profile.js'

const CHAT = [
  { speaker: 'Sarah', text: 'The thai place in Bandra is called Bawri.' },
  { speaker: 'Ravi', text: 'Is Bawri open on Mondays?' },
  { speaker: 'Sarah', text: 'The train to Goa leaves from platform four.' },
].map((item, minute) => ({ at: `2026-05-01T19:0${minute}:00Z`, ...item }))

async function openPage(page: Page): Promise<void> {
  page.on('console', (message) => expect(message.type(), message.text()).not.toBe('error'))
  page.on('pageerror', (error) => expect(error).toBeUndefined())
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
}

async function loadChat(page: Page, said = '3 new memories'): Promise<void> {
  const buffer = Buffer.from(CHAT.map((item) => JSON.stringify(item)).join('\n'))
  await page.locator('#file').setInputFiles({ name: 'chat.jsonl', mimeType: 'application/octet-stream', buffer })
  await expect(page.locator('#summary')).toContainText(said)
}

async function ask(page: Page, question: string): Promise<void> {
  await view(page, 'Recall')
  await page.getByLabel('Ask the memory').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('#summary')).toContainText(/in [\d.,]+ ms/)
}

async function floor(page: Page, name: string): Promise<Locator> {
  await view(page, 'Mind')
  const button = page.locator('.floors').getByRole('button', { name })
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  return page.getByRole('region', { name, exact: true })
}

/** Chooses a speaker and shows what depends on what they said. */
async function lookAtSpeaker(panel: Locator, label: RegExp): Promise<void> {
  await panel.getByLabel('What to forget').selectOption({ label: 'a speaker' })
  const option = panel.getByLabel('Which').locator('option').filter({ hasText: label })
  await panel.getByLabel('Which').selectOption((await option.getAttribute('value'))!)
  await panel.getByRole('button', { name: 'Show what depends on it' }).click()
  await expect(chosen(panel)).toBeVisible()
}

/** The thing of the picture that is chosen. */
const chosen = (panel: Locator): Locator => panel.getByRole('listbox').getByRole('option', { selected: true })

async function forgetIt(panel: Locator, why: string): Promise<void> {
  await panel.getByLabel('Why?').fill(why)
  await panel.getByRole('button', { name: 'Forget it' }).click()
  await expect(panel.getByRole('status')).toContainText('Forgotten: ')
}

test('Apollo 13: a speaker is forgotten, not found, restored and found again', { tag: '@nightly' }, async ({
  page,
}) => {
  await openPage(page)
  await page.getByRole('button', { name: 'Load Apollo 13' }).click()
  await expect(page.locator('#summary')).toContainText('10,876 new memories', { timeout: 90_000 })
  await ask(page, 'Did Jim Lovell say that they had a problem?')
  const lovell = page.locator('.card .byline', { hasText: 'Jim Lovell' })
  await expect(lovell.first()).toBeVisible()

  const panel = await floor(page, 'Forget')
  await lookAtSpeaker(panel, /^Jim Lovell \(2,333 memories\)$/)
  await expect(panel.getByText('To be forgotten: 2,333 memories')).toBeVisible()
  await expect(page.locator('#count')).toHaveText('10,876 memories') // nothing is forgotten yet
  await forgetIt(panel, 'to see what the others say')
  await expect(panel.getByRole('status')).toContainText('2,333 memories')
  await expect(panel.getByRole('status')).toContainText('not found any more')
  await expect(page.locator('#count')).toHaveText('8,543 memories')
  await expect(page.locator('.card')).toHaveCount(10)
  await expect(lovell).toHaveCount(0)

  await page.reload()
  await expect(page.locator('#count')).toHaveText('8,543 memories')
  await ask(page, 'Did Jim Lovell say that they had a problem?')
  await expect(lovell).toHaveCount(0)

  await floor(page, 'Forget')
  await expect(panel.locator('.forgotten')).toContainText('“to see what the others say”')
  await panel.getByRole('button', { name: 'Restore' }).click()
  await expect(panel.getByRole('status')).toContainText('Restored: 2,333 memories')
  await expect(page.locator('#count')).toHaveText('10,876 memories')
  await expect(lovell.first()).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expect(panel.locator('.forgotten .stands')).toHaveText('restored')
})

test('a memory is forgotten from its card, with the belief that rests on it, by keyboard alone', async ({ page }) => {
  await openPage(page)
  await loadChat(page)
  await ask(page, 'what is the thai place called?')
  const beliefs = await floor(page, 'Beliefs')
  await beliefs.getByLabel('What is true').fill('Bawri is a thai place')
  await beliefs.getByRole('button', { name: 'Believe it' }).click()
  await beliefs.getByText('An episode bears on it').click()
  await beliefs.getByLabel('Of the last answer').selectOption({ label: `Sarah: ${CHAT[0].text}` })
  await beliefs.getByRole('button', { name: 'It supports it' }).click()
  await expect(beliefs.getByText('1 episode supports it')).toBeVisible()

  const card = page.locator('.card', { hasText: CHAT[0].text })
  await card.getByRole('button', { name: 'Forget it' }).press('Enter')
  const panel = page.getByRole('region', { name: 'Forget', exact: true })
  await expect(panel.getByLabel('Which')).toHaveValue((await card.getAttribute('data-id'))!)
  await expect(panel.getByRole('region', { name: 'What depends on it' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('listbox')).toBeFocused()
  await expect(chosen(panel)).toHaveAccessibleName(/Sarah: The thai place .*forgotten$/)
  await page.keyboard.press('ArrowRight')
  await expect(chosen(panel)).toHaveAccessibleName('Bawri is a thai place: belief, less evidence')
  await expect(panel.locator('.detail')).toContainText('It rests on 1 memory of these.')
  await panel.getByText('The same as a list').press('Enter')
  await expect(panel.locator('details li')).toHaveCount(2)
  await panel.getByLabel('Why?').fill('a mistake')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('status')).toContainText('1 memory found before is not found any more')
  await expect(card).toHaveCount(0)
  await expect(page.locator('#count')).toHaveText('2 memories')

  await panel.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(panel.getByRole('status')).toContainText('Restored: 1 memory')
  await expect(card).toHaveCount(1)
  await floor(page, 'Beliefs')
  await expect(beliefs.getByText('1 episode supports it')).toBeVisible()
})

test('what cannot be forgotten or restored is said plainly', async ({ page, context }) => {
  await openPage(page)
  const panel = await floor(page, 'Forget')
  await expect(panel.getByLabel('Which')).toBeDisabled() // there is nothing yet
  await loadChat(page)
  await lookAtSpeaker(panel, /^Ravi/)
  await expect(panel.getByText('Nothing rests on it.', { exact: true })).toBeVisible()

  const other = await context.newPage()
  await openPage(other)
  await ask(other, 'is Bawri open?')
  await other.locator('.card', { hasText: CHAT[1].text }).getByRole('button', { name: 'Forget it' }).click()
  await expect(other.getByRole('region', { name: 'What depends on it' })).toBeVisible()
  await forgetIt(panel, 'no question')
  const late = other.getByRole('region', { name: 'Forget', exact: true })
  await late.getByLabel('Why?').fill('again')
  await late.getByRole('button', { name: 'Forget it' }).click()
  await expect(other.getByRole('alert')).toContainText('It is not there any more: it was forgotten in the meantime.')
  await expect(late.getByRole('status')).toHaveText('')

  await loadChat(page, '1 new memory from chat.jsonl. 2 were there already.')
  await panel.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('alert')).toContainText('the same was remembered again in the meantime')
  await expect(page.locator('#count')).toHaveText('3 memories')

  await expect(late.getByRole('button', { name: 'Restore' })).toBeVisible()
  await panel.getByRole('button', { name: 'Erase all of it now …' }).click()
  await page.getByRole('button', { name: 'Erase it now' }).click()
  await expect(panel.getByRole('status')).toContainText('Erased for good')
  await late.getByRole('button', { name: 'Restore' }).click()
  await expect(other.getByRole('alert')).toContainText('It cannot be restored: it was erased in the meantime.')
})

/** Whether a text stands in a file that the page has stored. */
async function isStored(page: Page, text: string): Promise<boolean> {
  return page.evaluate(async (text) => {
    const looked = async (entry: FileSystemHandle): Promise<boolean> => {
      if (entry instanceof FileSystemFileHandle) return (await (await entry.getFile()).text()).includes(text)
      for await (const one of (entry as FileSystemDirectoryHandle).values()) if (await looked(one)) return true
      return false
    }
    return looked(await navigator.storage.getDirectory())
  }, text)
}

test('what was forgotten is erased at once where the person says so, by keyboard alone', async ({ page }) => {
  await openPage(page)
  await loadChat(page)
  const panel = await floor(page, 'Forget')
  const eraseNow = panel.getByRole('button', { name: 'Erase all of it now …' })
  await lookAtSpeaker(panel, /^Sarah/)
  await forgetIt(panel, 'she asked')
  await lookAtSpeaker(panel, /^Ravi/)
  await forgetIt(panel, 'he asked')
  await expect(panel.getByRole('button', { name: 'Restore' })).toHaveCount(2) // the newest first
  await panel.getByRole('button', { name: 'Restore' }).first().click()
  await expect(panel.getByRole('status')).toContainText('Restored: 1 memory')
  expect(await isStored(page, 'platform four')).toBe(true)

  await eraseNow.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Erase what was forgotten?' })
  await expect(dialog.getByRole('listitem')).toHaveText([/^A speaker: 2 memories.*“she asked”$/])
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(eraseNow).toBeFocused()
  await expect(panel.getByRole('button', { name: 'Restore' })).toHaveCount(1)
  await eraseNow.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await isStored(page, 'platform four')).toBe(true)

  await eraseNow.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'Erase it now' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('status')).toContainText(/^Erased for good: \d+ records?\.$/)
  await expect(panel.getByRole('status')).toBeFocused()
  await expect(eraseNow).toBeHidden()
  await expect(panel.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await expect(panel.locator('.forgotten .stands')).toHaveText(['restored', 'erased'])
  expect(await isStored(page, 'platform four')).toBe(false)
  expect(await isStored(page, CHAT[1].text)).toBe(true)
  await page.reload()
  await expect(page.locator('#count')).toHaveText('1 memory')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a phone, ${colorScheme}: what depends on it fits and has no accessibility violations`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const check = async () => {
      expect(await violations(page)).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0)
    }
    await openPage(page)
    await loadChat(page)
    await ask(page, 'where is the thai place?')
    const panel = await floor(page, 'Forget')
    await lookAtSpeaker(panel, /^Sarah/)
    await panel.getByText('The same as a list').click()
    await check()
    await forgetIt(panel, 'to look at it')
    await check()
    await panel.getByRole('button', { name: 'Erase all of it now …' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await check()
  })
}
