import { expect, type Page } from '@playwright/test'

/** Opens the page, on which no error may come up, and has it remember a chat. */
export async function openWithChat(page: Page, chat: readonly object[]): Promise<void> {
  page.on('console', (message) => expect(message.type(), message.text()).not.toBe('error'))
  page.on('pageerror', (error) => expect(error).toBeUndefined())
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
  const buffer = Buffer.from(chat.map((item) => JSON.stringify(item)).join('\n'))
  await page.locator('#file').setInputFiles({ name: 'chat.jsonl', mimeType: 'application/octet-stream', buffer })
  await expect(page.locator('#summary')).toContainText(`${chat.length} new memories`)
}

/** Opens a view of the page where it is a tab: on a phone; on a wide window it stands there anyway. */
export async function view(page: Page, name: 'Recall' | 'Chat' | 'Mind' | 'Memory'): Promise<void> {
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name })
  if (await tab.isVisible()) await tab.click()
}
