import { expect } from '@playwright/test'
import sharp from 'sharp'
import { violations } from './accessible.js'
import { test } from './profile.js'

/** Pictures with two halves of one colour each. */
const PICTURES = { dawn: ['#d03020', '#f0e060'], sea: ['#1040c0', '#60d0f0'], wood: ['#204010', '#80c040'] } as const

async function picture([left, right]: readonly [string, string], size: number): Promise<Buffer> {
  const half = { width: size / 2, height: size, channels: 3 as const }
  const [first, second] = await Promise.all(
    [left, right].map((background) =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp({ create: { width: size, height: size, channels: 3, background: '#000' } })
    .composite([
      { input: first, left: 0, top: 0 },
      { input: second, left: size / 2, top: 0 },
    ])
    .png()
    .toBuffer()
}

test('pictures are found by a picture, alone and beside words, and by one that is there', async ({ page }) => {
  await page.goto('./')
  await expect(page.locator('#count')).toHaveText(/\d memor/)
  for (const [name, colours] of Object.entries(PICTURES)) {
    const buffer = await picture(colours, 64)
    await page.locator('#file').setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer })
    await expect(page.locator('#summary')).toContainText(`${name}.png is remembered`)
  }
  const first = page.locator('.card').first()

  // Another size of the same picture, and no words.
  const buffer = await picture(PICTURES.sea, 40)
  await page.locator('#like').setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer })
  await expect(page.locator('#summary')).toContainText(/in [\d.,]+ ms/)
  await expect(page.locator('#liked')).toContainText('Like harbour.png')
  await expect(first.locator('blockquote')).toHaveText('sea')
  await expect(first.locator('.signals dt', { hasText: 'image' })).toHaveCount(1)
  expect(await violations(page)).toEqual([])

  // Words and a picture: both count.
  await page.getByLabel('Ask the memory').fill('dawn')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.locator('.card blockquote')).toContainText(['dawn', 'sea', 'wood'])

  // One that is there already asks for others like it.
  const wood = page.locator('.card', { hasText: 'wood' })
  await wood.getByRole('button', { name: 'More like it' }).click()
  await expect(page.locator('#liked')).toContainText('Like wood')
  await expect(first.locator('blockquote')).toHaveText('wood')
  await expect(page.getByLabel('Ask the memory')).toHaveValue('')

  // Without it, words alone.
  await page.getByLabel('Ask the memory').fill('dawn')
  await page.getByRole('button', { name: 'Ask without wood' }).click()
  await expect(first.locator('blockquote')).toHaveText('dawn')
  await expect(page.locator('#liked')).toBeHidden()

  await page.locator('#like').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect(page.locator('#problem')).toContainText('notes.txt is neither a picture nor a sound.')
})
