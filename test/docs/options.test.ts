import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The names of the members of an interface in a source file. */
function members(source: string, name: string): string[] {
  const [, body] = new RegExp(`export interface ${name} [^{]*\\{\\n([^]*?)\\n\\}`).exec(source) ?? []
  return [...body!.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member!)
}

/** The names in the first column of the tables whose header begins with `option`. */
function documented(page: string): string[] {
  const tables = [...page.matchAll(/^\| option [^]*?(?=\n\n|$(?![^]))/gm)].map(([table]) => table)
  const rows = tables.flatMap((table) => table.split('\n').slice(2))
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, option]) => option!))
}

test('docs/options.md has a row for every option of open and for no other name', () => {
  const everywhere = members(read('src/api/open-options.ts'), 'OpenOptions')
  const browser = members(read('src/runtimes/browser/index.ts'), 'BrowserOnlyOptions')
  expect(everywhere.length).toBeGreaterThan(15)
  const options = ['name', 'path', 'share', 'storage', ...everywhere, ...browser]
  expect(documented(read('docs/options.md')).sort()).toEqual(options.sort())
})

test('docs/recall.md has a row for every option of recall and for no other name', () => {
  const options = members(read('src/api/recall.ts'), 'RecallOptions')
  expect(options.length).toBeGreaterThan(15)
  expect(documented(read('docs/recall.md')).sort()).toEqual(options.sort())
})

test('the options that README shows are options', () => {
  const readme = read('README.md')
  const known = [...documented(read('docs/options.md')), ...documented(read('docs/recall.md'))]
  const shown = documented(readme)
  expect(shown.length).toBeGreaterThan(15)
  expect(shown.filter((option) => !known.includes(option))).toEqual([])
})
