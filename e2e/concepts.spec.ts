import { expect } from '@playwright/test'
import { violations } from './accessible.js'
import { openWithChat } from './chat.js'
import { test } from './profile.js'

const CHAT = [
  { speaker: 'Sarah', text: 'My brother Ravi lives in Pune.' },
  { speaker: 'Tom', text: 'Ravi works for the railway.' },
  { speaker: 'Anna', text: 'Ravi lives in Pune, near the river.' },
].map((item, minute) => ({ at: `2026-05-01T19:0${minute}:00Z`, session: 's1', ...item }))

test('What a card names is underlined, and opens everything that is known about it', async ({ page }) => {
  await openWithChat(page, CHAT)
  // The texts are read in the background; a question that comes then shows what was found.
  await expect(async () => {
    await page.getByLabel('Ask the memory').fill('Where does Ravi live?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(page.locator('.card .entity', { hasText: 'Ravi' }).first()).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await page.locator('.card .entity', { hasText: 'Ravi' }).first().click()
  const about = page.getByRole('region', { name: 'Everything about it' })
  await expect(about).toContainText('Ravi lives in Pune')
  await expect(about).toContainText('Ravi works for railway')
  expect(await violations(page)).toEqual([])
  await about.getByRole('button', { name: 'Pune' }).click()
  await expect(about.getByRole('heading', { level: 3 })).toHaveText('Pune')
})

test('A statement of several people is proposed as a belief, which is accepted or refused', async ({ page }) => {
  await openWithChat(page, CHAT)
  const tab = page.locator('.floors').getByRole('button', { name: 'Concepts' })
  await expect(async () => {
    await tab.click()
    await expect(page.getByRole('button', { name: 'Believe it' })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Believe it' }).click()
  await expect(page.getByRole('button', { name: 'Believe it' })).toHaveCount(0)
  await page.locator('.floors').getByRole('button', { name: 'Beliefs' }).click()
  await expect(page.getByRole('region', { name: 'Beliefs', exact: true })).toContainText('Ravi lives in Pune')
})
