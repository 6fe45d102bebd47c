import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { anchorOf } from '../../tools/site/anchor.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const inDocs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...inDocs.map((name) => `docs/${name}`)]

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')

/** A page without its code, which may look like links and headings. */
function prose(page: string): string {
  return page.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
}

/** The anchors of a page as GitHub makes them: headings in lower case, without punctuation, with hyphens for spaces. */
function anchors(page: string): string[] {
  const headings = page.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading]) => anchorOf(heading!))
}

/** Links of a page that lead nowhere in this repository. */
function brokenLinks(page: string, text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path, anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path!)
    if (!existsSync(join(ROOT, target))) return true
    return anchor !== undefined && !anchors(path === '' ? text : read(target)).includes(anchor)
  })
}

test.each(PAGES)('every relative link and anchor of %s leads somewhere', (page) => {
  expect(brokenLinks(page, read(page))).toEqual([])
})

test('a link to a missing page or a missing heading is found', () => {
  const text =
    '# One heading: `code`\n[good](#one-heading-code) [bad](#two) [gone](docs/gone.md) [good](docs/limits.md#fixed)'
  expect(brokenLinks('README.md', text)).toEqual(['#two', 'docs/gone.md'])
})

test('the index of the documentation names every page', () => {
  const index = read('docs/README.md')
  const missing = inDocs.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))
  expect(missing).toEqual([])
})

test('README has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

test.each(PAGES)('every file of this repository that %s names is there', (page) => {
  const code = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!)
  const inRoot = code.filter((text) => /^(src|test|bench|tools|e2e|demo|workers|crate)\/[\w./-]+$/.test(text))
  // Pages about the code name files from src on.
  const inSrc = code.filter((text) => /^[a-z0-9-]+(\/[\w.-]+)+\.ts$/.test(text) && !inRoot.includes(text))
  const found = [...inRoot, ...inSrc.map((path) => (existsSync(join(ROOT, path)) ? path : `src/${path}`))]
  expect(found.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test.each(PAGES)('every npm script that %s names is there', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...read(page).matchAll(/npm run ([a-z][a-z0-9:-]*)/g)].map(([, name]) => name!)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
