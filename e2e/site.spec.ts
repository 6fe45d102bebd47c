import { expect, test } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveFolder } from '../test/package/site.js'
import { violations } from './accessible.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = `${ROOT}site`

let site: Awaited<ReturnType<typeof serveFolder>>
test.beforeAll(async () => {
  // It also fails where a link leads nowhere.
  execFileSync('npm', ['run', 'docs'], { cwd: ROOT })
  site = await serveFolder(SITE)
})
test.afterAll(() => site.close())

test('the site of the documentation answers questions by the library itself', async ({ page }) => {
  await page.goto(`${site.origin}/index.html`)
  await page.getByLabel('Ask the documentation').fill('how do I forget a person for good?')
  const answers = page.locator('#answers a')
  await expect(answers.first()).toBeVisible({ timeout: 60_000 })
  const pages = await answers.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
  expect(pages).toContain('/forgetting.html')
  await answers.first().click()
  const { hash } = new URL(page.url())
  if (hash !== '') await expect(page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`)).toBeInViewport()
})

test('every example that a page of the site offers to run runs there', async ({ page }) => {
  const withExamples = readdirSync(SITE)
    .filter((name) => name.endsWith('.html'))
    .filter((name) => readFileSync(`${SITE}/${name}`, 'utf8').includes('<agidb-example>'))
  expect(withExamples.length).toBeGreaterThan(5)
  for (const name of withExamples) {
    await page.goto(`${site.origin}/${name}`)
    for (const example of await page.locator('agidb-example').all()) {
      await example.getByRole('button', { name: 'Run' }).click()
      const output = example.locator('output')
      await expect(output, name).toHaveText(/\(\d+ ms\)|AGIDB_|Error/, { timeout: 60_000 })
      await expect(output, name).not.toHaveText(/AGIDB_|Error/)
    }
  }
})

test('an example can be changed before it runs, and an error names its code', async ({ page }) => {
  await page.goto(`${site.origin}/index.html`)
  const example = page.locator('agidb-example').first()
  await example
    .getByRole('textbox')
    .fill("import { Agidb } from 'agidb'\nconst db = await Agidb.open({ name: 'x' })\nawait db.observe('')")
  await example.getByRole('button', { name: 'Run' }).click()
  await expect(example.locator('output')).toContainText('AGIDB_INVALID_TEXT: text is empty')
})

for (const scheme of ['light', 'dark'] as const)
  test(`pages of the site are accessible with ${scheme} colours`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    for (const name of ['index.html', 'recall.html', 'guide.html']) {
      await page.goto(`${site.origin}/${name}`)
      expect(await violations(page), name).toEqual([])
    }
  })
