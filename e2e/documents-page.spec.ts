import { expect } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violations } from './accessible.js'
import { test } from './profile.js'

const KETTLE = '# Kettle\n\n## Descaling\n\nBoil water with vinegar, then rinse twice.\n\n## Warranty\n\nTwo years.\n'
const PRINTER = '<h1>Printer</h1><p>Open the rear door when paper is stuck.</p>'

test('A document that is dropped is found with its place, and its outline is shown', async ({ page }) => {
  page.on('pageerror', (error) => expect(error).toBeUndefined())
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
  await page
    .locator('#file')
    .setInputFiles({ name: 'kettle.md', mimeType: 'text/markdown', buffer: Buffer.from(KETTLE) })
  await expect(page.locator('#summary')).toContainText('3 new entries from kettle.md')
  await page.getByLabel('Ask the memory').fill('how is it cleaned with vinegar?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('.card').first()).toContainText('kettle.md > Kettle > Descaling')

  await page.locator('.floors').getByRole('button', { name: 'Documents' }).click()
  const documents = page.getByRole('region', { name: 'Documents', exact: true })
  await documents.getByRole('button', { name: 'kettle.md (3)' }).click()
  const outline = documents.getByRole('region', { name: 'Outline' })
  await expect(outline).toBeFocused()
  await expect(outline.locator('li')).toHaveText([/Kettle/, 'Descaling', 'Warranty'])
  await expect(documents.getByRole('list', { name: 'What matters most' }).locator('li')).toHaveCount(3)
  expect(await violations(page)).toEqual([])
})

test('The documents of a folder are read, and nothing else in it', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-manuals-'))
  try {
    writeFileSync(join(folder, 'kettle.md'), KETTLE)
    writeFileSync(join(folder, 'printer.html'), PRINTER)
    writeFileSync(join(folder, 'picture.png'), 'no document')
    await page.goto('./')
    await expect(page.locator('#count')).toHaveText(/\d memor/)
    await page
      .locator('#file')
      .setInputFiles({ name: 'first.md', mimeType: 'text/markdown', buffer: Buffer.from('# First\n\nA note.') })
    await page.locator('.floors').getByRole('button', { name: 'Documents' }).click()
    const documents = page.getByRole('region', { name: 'Documents', exact: true })
    await documents.getByLabel('A folder of documents').setInputFiles(folder)
    await expect(documents.getByRole('status')).toContainText('4 entries came from 2 documents')
    await expect(documents.getByRole('button', { name: /printer\.html \(1\)/ })).toBeVisible()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
