import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages, pathOf, readFigures } from '../../tools/figures/pages.js'
import { RECORDERS } from '../../tools/figures/record.js'
import { PARTS, renderPage } from '../../tools/figures/render.js'

const figures = readFigures()
const read = (page: string) => readFileSync(pathOf(page), 'utf8')

test.each(pages())('the figures of %s are those of docs/figures.json: npm run figures writes them', (page) => {
  expect(renderPage(read(page), figures)).toBe(read(page))
})

test('each part stands on some page', () => {
  const all = pages().map(read).join('\n')
  for (const name of Object.keys(PARTS)) expect(all).toContain(`<!-- figures ${name} -->`)
})

test('a page whose figure was typed over differs', () => {
  const page = `<!-- figures recall -->\n${PARTS.recall!(figures)}\n<!-- end -->`
  expect(renderPage(page, figures)).toBe(page)
  expect(renderPage(page.replace('.8', '.9'), figures)).toBe(page)
})

test('a part that is still empty is filled, and what stands behind it stays', () => {
  const page = '<!-- figures recall -->\n<!-- end -->\n\n## Next\n\n<!-- figures apollo -->\n<!-- end -->\n'
  const [recall, apollo] = [PARTS.recall!(figures), PARTS.apollo!(figures)]
  expect(renderPage(page, figures)).toBe(
    `<!-- figures recall -->\n${recall}\n<!-- end -->\n\n## Next\n\n<!-- figures apollo -->\n${apollo}\n<!-- end -->\n`,
  )
})

test('the figures of sizes are those of the table in docs/performance.md', () => {
  expect(figures['sizes']!.values).toEqual(RECORDERS['sizes']!.read(read('docs/performance.md')))
})
