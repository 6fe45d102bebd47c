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
