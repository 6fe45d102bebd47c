import { expect, type Page } from '@playwright/test'
import { violations } from './accessible.js'
import { test } from './profile.js'

const CHAT = [
  { at: '2026-05-01T19:00:00Z', speaker: 'Sarah', text: 'Try Bawri, the thai place in Bandra.' },
  { at: '2026-05-01T19:05:00Z', speaker: 'Ravi', text: 'Is it open on Mondays?' },
  {
    at: '2026-05-02T09:00:00Z',
    speaker: 'Sarah',
    text: '<img src=x onerror="document.title=\'owned\'"> & <b>bold</b>',
  },
]

const jsonLines = (items: readonly object[]) => Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'))

/** Opens the page, and fails the test on whatever the browser complains about. */
async function openPage(page: Page): Promise<void> {
  page.on('console', (message) => expect(message.type(), message.text()).not.toBe('error'))
  page.on('pageerror', (error) => expect(error).toBeUndefined())
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await expect(page.locator('#file')).toBeEnabled()
  await page.locator('#file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}

async function loadChat(page: Page): Promise<void> {
  await choose(page, 'chat.jsonl', jsonLines(CHAT))
  await expect(page.locator('#summary')).toContainText('3 new memories from chat.jsonl')
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Ask the memory').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('#summary')).toContainText(/in [\d.,]+ ms/)
}

test('Apollo 13: load, ask, reload, ask again, without a network too', async ({ page, context }) => {
  await page.addInitScript(() => {
    const longTasks: number[] = []
    Object.assign(window, { longTasks })
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    })
  })
  await openPage(page)
  await expect(page.locator('#count')).toHaveText('0 memories')
  await page.getByRole('button', { name: 'Load Apollo 13' }).click()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.locator('#summary')).toContainText('10,876 new memories', { timeout: 90_000 })
  await expect(page.locator('#count')).toHaveText('10,876 memories')
  const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  const longest = Math.round(Math.max(0, ...longTasks))
  test.info().annotations.push({
    type: 'main thread',
    description: `${longTasks.length} tasks over 50 ms while loading, the longest ${longest} ms`,
  })

  const check = async () => {
    await ask(page, 'Did anybody get an extension for the income tax?')
    await expect(page.locator('.card')).toHaveCount(10)
    const best = page.locator('.card').first()
    await expect(best.locator('blockquote')).toContainText('income tax')
    await expect(best.locator('time')).toContainText('Apr 1970')
    await expect(best.locator('.share')).toContainText('%')
    await expect(best.locator('.signals dt').first()).toBeVisible()
    await expect(page.locator('.stems span')).toHaveCount(10)
    await expect(page.locator('.density path')).toHaveAttribute('d', /^M.*z/)
    await expect(page.locator('.strip')).toHaveAttribute(
      'aria-label',
      /^10,876 memories from 11 Apr 1970.* to 17 Apr 1970.*The matches lie from/,
    )
    await expect(page.locator('.ticks')).toContainText('14 Apr')
  }
  await check()
  await best(page).getByText('What came next').click()
  await expect(best(page).locator('.next li').first()).toBeVisible()

  await page.reload()
  await expect(page.locator('#count')).toHaveText('10,876 memories')
  await expect(page.getByRole('button', { name: /Apollo/ })).toBeHidden()
  await check()

  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await context.setOffline(true)
  await page.reload()
  await expect(page.locator('#count')).toHaveText('10,876 memories')
  await check()
})

function best(page: Page) {
  return page.locator('.card').first()
}

test('the first visit is enough to load and ask without a network', async ({ page, context }) => {
  await openPage(page)
  const codebook = page.locator('dt:text-is("Codebook") + dd')
  await expect(codebook).toHaveText(/^on[0-9a-f]{16}$/)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await context.setOffline(true)
  await page.reload()
  await expect(codebook).toHaveText(/^on[0-9a-f]{16}$/)
  await loadChat(page)
  await ask(page, 'thai place')
  await expect(best(page).locator('blockquote')).toHaveText(CHAT[0].text)
})

test('loading can be stopped and gone on with', async ({ page }) => {
  await openPage(page)
  await page.getByRole('button', { name: 'Load Apollo 13' }).click()
  await expect(page.locator('#progress-text')).toContainText('utterances')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.locator('#summary')).toContainText(/^Stopped after/)
  await page.getByRole('button', { name: 'Go on with Apollo 13' }).click()
  await expect(page.locator('#summary')).toContainText('were there already', { timeout: 90_000 })
  await expect(page.locator('#count')).toHaveText('10,876 memories')
})

test("a chat of one's own: chosen or dropped, loaded once, and shown as text", async ({ page }) => {
  await openPage(page)
  await loadChat(page)
  await choose(page, 'chat.jsonl', jsonLines(CHAT))
  await expect(page.locator('#summary')).toContainText('0 new memories from chat.jsonl. 3 were there already')
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['Mia: The boiler man comes on Thursday.\nTom: Which Thursday?'], 'notes.txt'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(page.locator('#summary')).toContainText('2 new memories from notes.txt')
  await ask(page, 'when does the boiler man come?')
  await expect(best(page).locator('blockquote')).toHaveText('The boiler man comes on Thursday.')
  await expect(best(page).locator('.byline')).toContainText('Mia')
  await ask(page, 'bold')
  await expect(page.locator('blockquote', { hasText: 'onerror' })).toHaveText(CHAT[2].text)
  expect(await page.title()).not.toBe('owned')
})

test('what came next ends where the conversation ends', async ({ page }) => {
  await openPage(page)
  await loadChat(page)
  await choose(page, 'notes.txt', Buffer.from('Mia: The boiler man comes on Thursday.\nTom: Who pays the plumber?'))
  await expect(page.locator('#summary')).toContainText('2 new memories from notes.txt')
  await ask(page, 'is it open on Mondays?')
  await best(page).getByText('What came next').click()
  await expect(best(page).locator('.next li')).toHaveCount(1)
  await expect(best(page).locator('.next li')).toContainText('bold')
  await ask(page, 'who pays the plumber?')
  await expect(best(page).locator('blockquote')).toHaveText('Who pays the plumber?')
  await best(page).getByText('What came next').click()
  await expect(best(page).locator('.next li')).toHaveText('Nothing: this was the last.')
})

test('what goes wrong is said plainly', async ({ page, context }) => {
  await openPage(page)
  const problem = page.getByRole('alert')
  await choose(page, 'broken.jsonl', Buffer.concat([jsonLines(CHAT), Buffer.from('\n{"text": "cut of')]))
  await expect(problem).toContainText('AGIDB_TRANSCRIPT')
  await expect(problem).toContainText(/line 4 of broken\.jsonl/i)
  await expect(page.locator('#count')).toHaveText('3 memories')

  await page.getByLabel('Ask the memory').fill('   ')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(problem).toContainText('AGIDB_INVALID_TEXT')

  // Another tab has the same memory, also when this one goes.
  const other = await context.newPage()
  await other.goto('./')
  await expect(other.locator('#count')).toHaveText('3 memories')
  await page.close()
  await ask(other, 'thai place')
  await expect(best(other).locator('blockquote')).toHaveText(CHAT[0].text)
  await expect(other.getByRole('alert')).toBeHidden()
})

test('by keyboard alone', async ({ page }) => {
  await openPage(page)
  await loadChat(page)
  await page.reload()
  await expect(page.locator('#cue')).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the question' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#cue')).toBeFocused()
  await page.keyboard.type('thai place')
  await page.keyboard.press('Enter')
  await expect(best(page).locator('blockquote')).toHaveText(CHAT[0].text)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a phone, ${colorScheme}: nothing to scroll sideways, no accessibility violations`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await openPage(page)
    expect(await violations(page)).toEqual([])
    expect(await sideways()).toBe(0)
    await loadChat(page)
    await ask(page, 'where is the thai place?')
    expect(await violations(page)).toEqual([])
    expect(await sideways()).toBe(0)
  })
}

test('what another tab stores and forgets is shown, in the answer too', async ({ page, context }) => {
  await openPage(page)
  const other = await context.newPage()
  await openPage(other)
  await loadChat(page)
  await expect(other.locator('#count')).toHaveText('3 memories')
  await ask(other, 'Is it open on Mondays?')
  const shown = other.locator('.card blockquote').filter({ hasText: 'open on Mondays' })
  await expect(shown).toHaveCount(1)

  await page.getByRole('button', { name: 'Inspect it' }).click()
  const inspector = page.getByRole('dialog', { name: 'Inspector' })
  await inspector.getByRole('option').filter({ hasText: 'open on Mondays' }).click()
  await inspector.getByRole('button', { name: 'Forget …' }).click()
  const dialog = inspector.getByRole('dialog', { name: 'Forget' })
  await dialog.getByLabel('Reason').fill('asked for')
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click()
  await expect(other.locator('#count')).toHaveText('2 memories')
  await expect(shown).toHaveCount(0)
  await page.getByRole('button', { name: 'Close the inspector' }).click()
  await expect(page.locator('#count')).toHaveText('2 memories')
})
