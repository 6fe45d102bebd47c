import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { snippetOf, tableOfGuide } from './guide.js'

test('the table of the guide counts the lines of each snippet', async () => {
  for (const [framework, { lines }] of await tableOfGuide())
    expect([framework, (await snippetOf(framework)).length]).toEqual([framework, lines])
})

test('the table of the guide names files and subpaths that there are', async () => {
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: object }
  const table = await tableOfGuide()
  expect(table.size).toBeGreaterThan(1)
  for (const { subpath, example, test } of table.values()) {
    expect(Object.keys(exports)).toContain(subpath.replace('agidb', '.'))
    expect([example, existsSync(example), test, existsSync(test)]).toEqual([example, true, test, true])
  }
})

test('the table of the guide names the versions that the tests run', async () => {
  const { dependencies } = JSON.parse(await readFile('test/frameworks/package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  const tested = Object.values(dependencies).map((version) => version.replace(/^npm:.*@/, ''))
  for (const { versions } of (await tableOfGuide()).values())
    expect(tested).toEqual(expect.arrayContaining([...versions]))
})

test('an example has less than 40 lines', async () => {
  for (const { example } of (await tableOfGuide()).values())
    expect([example, (await readFile(example, 'utf8')).trim().split('\n').length < 40]).toEqual([example, true])
})
