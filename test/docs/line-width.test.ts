import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * No line of TypeScript is wider than 120 columns. The formatter wraps code at this width but neither splits strings,
 * comments and regular expressions nor breaks a line after the title of a test.
 */
const COLUMNS = 120

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['bench', 'demo', 'e2e', 'src', 'test', 'tools', 'workers']
/** Folders of files that programs write, by the name of the folder or by its path. */
const GENERATED = /(?:^|\/)(?:built|dist|node_modules|target)\/|^src\/recall\/ranking\/tables\//

/** Paths of all TypeScript files that people write. */
function sources(): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  )
  return [...readdirSync(ROOT), ...inFolders].filter((path) => path.endsWith('.ts') && !GENERATED.test(path))
}

/** The lines of a text that are too wide, as `path:line`. A column is a Unicode code point. */
function wideLines(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) => (Array.from(line).length > COLUMNS ? [`${path}:${i + 1}`] : []))
}

test('No line of a TypeScript file is wider than 120 columns.', () => {
  const paths = sources()
  expect(paths.length).toBeGreaterThan(900)
  expect(paths.flatMap((path) => wideLines(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

/** Pages of Markdown that people write; the change log has one line for each change. */
function pages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)]
}

/** A page without what is not wrapped: tables, code, figures that a command writes, and lines of one code span. */
function proseOf(markdown: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, '')
  return markdown
    .replace(/^<!-- figures [^]*?^<!-- end -->/gm, blank)
    .replace(/^```[^]*?^```/gm, blank)
    .replace(/^(?:\||    ).*$/gm, '')
    .replace(/^`[^`\n]+`[^`\n]{0,60}$/gm, '')
}

test('No line of prose of the documentation is wider than 120 columns.', () => {
  expect(pages().length).toBeGreaterThan(50)
  expect(pages().flatMap((path) => wideLines(path, proseOf(readFileSync(join(ROOT, path), 'utf8'))))).toEqual([])
})

test('A wide line of prose is found, and one of a table, of code or of figures is not.', () => {
  const wide = 'word '.repeat(30)
  const code = ['```sh', wide, '```', `    ${wide}`, `\`${wide}\`, 2026-11-22`]
  const page = [`| ${wide} |`, ...code, '<!-- figures a -->', wide, '<!-- end -->', wide, `- ${wide}`].join('\n')
  expect(wideLines('x.md', proseOf(page))).toEqual(['x.md:10', 'x.md:11'])
})

test('A line of 121 columns is found by its number, whatever its characters.', () => {
  const text = ['a'.repeat(120), 'a'.repeat(121), '🌊'.repeat(120), '🌊'.repeat(121)].join('\n')
  expect(wideLines('x.ts', text)).toEqual(['x.ts:2', 'x.ts:4'])
})
