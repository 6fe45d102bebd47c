import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './accessible.js'
import { view } from './chat.js'
import { test } from './profile.js'

const CHAT = [
  'The thai place in Bandra is best.',
  'The thai place in Bandra is the best.',
  'The thai place in Bandra is the best!',
  'Is the thai place open on Mondays?',
  'The thai place is closed on Mondays, Ravi went there.',
].map((text, minute) => ({ at: `2026-05-01T19:0${minute}:00Z`, speaker: minute === 3 ? 'Ravi' : 'Sarah', text }))

async function openPage(page: Page): Promise<void> {
  page.on('console', (message) => expect(message.type(), message.text()).not.toBe('error'))
  page.on('pageerror', (error) => expect(error).toBeUndefined())
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
}

async function loadChat(page: Page): Promise<void> {
  const buffer = Buffer.from(CHAT.map((item) => JSON.stringify(item)).join('\n'))
  await page.locator('#file').setInputFiles({ name: 'chat.jsonl', mimeType: 'application/octet-stream', buffer })
  await expect(page.locator('#summary')).toContainText('5 new memories')
}

async function ask(page: Page, question: string): Promise<void> {
  await view(page, 'Recall')
  await page.getByLabel('Ask the memory').fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('#summary')).toContainText(/in [\d.,]+ ms/)
}

/** Opens a floor. */
async function floor(page: Page, name: string): Promise<Locator> {
  await view(page, 'Mind')
  const button = page.locator('.floors').getByRole('button', { name })
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  return page.getByRole('region', { name, exact: true })
}

async function setGoal(goals: Locator, description: string, parent?: string): Promise<void> {
  await goals.getByLabel('What is wanted').fill(description)
  if (parent !== undefined) await goals.getByLabel('It serves').selectOption({ label: parent })
  await goals.getByRole('button', { name: 'Set the goal' }).click()
  await expect(goals.locator('.goal .text', { hasText: description })).toBeVisible()
}

test('the mind at work, and all of it again after a reload', async ({ page }) => {
  await openPage(page)
  const goals = await floor(page, 'Goals') // with an empty memory too
  await setGoal(goals, 'eat at the thai place')
  await setGoal(goals, 'find out when the thai place is open', 'eat at the thai place')
  await expect(goals.locator('.tree ul .goal')).toContainText('find out when the thai place is open')

  await loadChat(page)
  await ask(page, 'is the thai place open on Mondays?')
  await expect(page.locator('#bearing')).toContainText('find out when the thai place is open')
  await expect(page.locator('.lifted').first()).toBeVisible()

  const beliefs = await floor(page, 'Beliefs')
  await beliefs.getByLabel('What is true').fill('The thai place is open on Mondays')
  await beliefs.getByRole('button', { name: 'Believe it' }).click()
  await expect(beliefs.locator('.items .share')).toHaveText('50%')
  await beliefs.getByText('An episode bears on it').click()
  await beliefs.getByLabel('Of the last answer').selectOption({ label: `Sarah: ${CHAT[4].text}` })
  await beliefs.getByRole('button', { name: 'It contradicts it' }).click()
  await expect(beliefs.locator('.items .share')).toHaveText('25%')
  const history = async () => {
    await beliefs.getByText('History: 1 revision').click()
    await expect(beliefs.locator('.past li')).toHaveCount(2)
    await expect(beliefs.locator('.past li').last()).toContainText('50% → 25%')
    await expect(beliefs.locator('.past li').last()).toContainText(CHAT[4].text)
  }
  await history()

  const senses = await floor(page, 'Senses')
  const say = async (text: string) => {
    await senses.getByLabel('Say something to it').fill(text)
    await senses.getByRole('button', { name: 'Say it' }).click()
    await expect(senses.locator('.detail .text')).toHaveText(text)
  }
  await say(CHAT[0].text)
  await expect(
    senses.getByRole('button', { name: 'Remember it' }).or(senses.getByText('it bears on a goal')),
  ).toBeVisible()
  await say('A meteorite hit the lighthouse tonight.')
  await expect(senses.locator('.detail')).toContainText('remembered: it was a surprise')
  await expect(senses.getByRole('option')).toHaveCount(2)

  const knowledge = await floor(page, 'Knowledge')
  await knowledge.getByRole('button', { name: 'Consolidate' }).click()
  await expect(knowledge.getByRole('status')).toContainText(/episodes read/)
  await expect(knowledge.locator('.items li').first()).toContainText('thai place in Bandra is best')
  await expect(knowledge.locator('.items li').first()).toContainText('episodes say so')
  const self = await floor(page, 'Self')
  const drift = async () => {
    await expect(self.getByRole('figure')).toContainText(/drifted by [\d,]+ of 8192 bits/)
    await expect(self.locator('.drift path')).toHaveAttribute('d', /^M.*z/)
    await expect(self.locator('.events')).toContainText('Set a goal: “eat at the thai place”')
    await expect(self.locator('.events')).toContainText('Revised a belief: 50% → 25%')
  }
  await drift()

  const procedures = await floor(page, 'Procedures')
  await procedures.getByLabel('Its name').fill('Book a table')
  await procedures.getByLabel('When to do it').fill('wanting to eat at a restaurant')
  await procedures.getByLabel('The steps').fill('look up when it is open\ncall them')
  await procedures.getByRole('button', { name: 'Learn it' }).click()
  await procedures.getByRole('button', { name: 'It went well' }).click()
  await expect(procedures.locator('.items .share')).toHaveText('67%')
  await expect((await floor(page, 'Working memory')).locator('.turns li').first()).toContainText(CHAT[4].text)

  await page.reload()
  await expect(page.locator('#count')).toHaveText(/\d memor/)
  await floor(page, 'Goals')
  await expect(goals.locator('.tree ul .goal')).toContainText('find out when the thai place is open')
  await goals.locator('.tree ul .goal').getByRole('button', { name: 'Complete' }).click()
  await expect(goals.locator('.goal.completed')).toHaveCount(2) // all that serves it is
  await expect(goals.getByRole('button', { name: 'Resume' })).toHaveCount(0)
  await floor(page, 'Beliefs')
  await history()
  await floor(page, 'Senses')
  await expect(senses.locator('.note', { hasText: 'perceived so far' })).toContainText('2 perceived so far')
  await floor(page, 'Procedures')
  await expect(procedures.locator('.items .share')).toHaveText('67%')
  await floor(page, 'Self')
  await drift()
})

test('it listens to what it holds, and can be stopped', async ({ page }) => {
  await openPage(page)
  const senses = await floor(page, 'Senses')
  await expect(senses.getByRole('button', { name: 'Let it listen' })).toBeDisabled() // to nothing
  await loadChat(page)
  await senses.getByRole('button', { name: 'Let it listen' }).click()
  await expect(senses.getByRole('option').first()).toHaveAttribute('aria-label', /thai place.*: surprise \d+ percent/)
  await senses.getByRole('button', { name: 'Stop listening' }).click()
  await expect(senses.getByRole('button', { name: 'Let it listen' })).toBeEnabled()
  await expect(senses.getByRole('option').first()).not.toHaveClass(/promoted/) // it was expected
  await senses.getByRole('listbox').press('Home')
  await senses.getByRole('button', { name: 'Remember it' }).click()
  await expect(senses.locator('.detail')).toContainText('remembered: it was told to')
  await expect(page.locator('#count')).toHaveText('6 memories')
})

test('what is said with a picture is one frame, which shows to which sense it was new', async ({ page }) => {
  await openPage(page)
  const senses = await floor(page, 'Senses')
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 64)
    const context = canvas.getContext('2d')!
    context.fillStyle = 'red'
    context.fillRect(0, 0, 64, 64)
    context.fillStyle = 'navy'
    context.fillRect(20, 8, 30, 40)
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
  })
  const show = async (text: string) => {
    await senses.getByLabel('Say something to it').fill(text)
    const file = { name: 'harbour.png', mimeType: 'image/png', buffer: Buffer.from(png) }
    await senses.getByLabel('With a picture or sound').setInputFiles(file)
    await senses.getByRole('button', { name: 'Say it' }).click()
    await expect(senses.locator('.detail .text')).toHaveText(text)
  }
  await show('The crane in the harbour is painted red.')
  const parts = senses.getByRole('list', { name: 'How surprising it was to each sense' })
  await expect(parts.getByRole('listitem')).toHaveText(['words 1.00', 'picture 1.00'])
  await show('A meteorite hit the lighthouse tonight.')
  await expect(parts.getByRole('listitem')).toHaveText([/^words 0\.[6-9]|^words 1/, 'picture 0.00'])
  await expect(parts.locator('strong')).toHaveText(/words/)
  await expect(senses.getByRole('option').last()).toHaveAttribute(
    'aria-label',
    /lighthouse tonight\.: surprise \d+ percent \(words \d+ percent, picture 0 percent\), remembered/,
  )
  await expect(page.locator('#count')).toHaveText('2 memories')
  await ask(page, 'meteorite')
  await expect(page.locator('.card .kept img').first()).toBeVisible()
})

test('goals offer the moves that their state allows, and the keyboard stays where it was', async ({ page }) => {
  await openPage(page)
  const goals = await floor(page, 'Goals')
  await setGoal(goals, 'learn to juggle')
  await goals.getByRole('button', { name: 'Pause' }).press('Enter')
  await expect(goals.locator('.stands')).toHaveText('paused')
  await expect(goals.getByRole('button', { name: 'Complete' })).toHaveCount(0)
  await expect(goals.getByRole('button', { name: 'Resume' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(goals.locator('.stands')).toHaveText('active')
  await goals.locator('summary', { hasText: 'Abandon' }).click()
  await goals.getByLabel('Why abandon').fill('no balls')
  await page.keyboard.press('Enter')
  await expect(goals.locator('.stands')).toHaveText('abandoned')
  await expect(goals.locator('.moves button')).toHaveCount(0)
  await expect(goals.locator('small')).toHaveText('no balls')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a phone, ${colorScheme}: every floor fits and has no accessibility violations`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await openPage(page)
    await loadChat(page)
    await setGoal(await floor(page, 'Goals'), 'eat at the thai place')
    await ask(page, 'where is the thai place?')
    for (const name of ['Senses', 'Working memory', 'Knowledge', 'Goals', 'Beliefs', 'Procedures', 'Self']) {
      await floor(page, name)
      expect(await violations(page, '#mind'), name).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0)
    }
  })
}
