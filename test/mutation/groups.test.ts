import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chosenBy, GROUPS, testsOf } from './groups.js'

test.each(Object.entries(GROUPS))('The source %s, which is mutated, exists, and so do its tests', (source, further) => {
  const own = source.replace(/\.ts$/, '')
  expect(existsSync(`src/${source}`)).toBe(true)
  // What has no tests of its own path is tried on the further ones.
  const isThere = (path: string) =>
    [`test/unit/${path}`, `test/unit/${path}.test.ts`, `test/slow/${path}.test.ts`].some((file) => existsSync(file))
  expect([own, ...further].some(isThere)).toBe(true)
  expect(further.filter((path) => !isThere(path))).toEqual([])
})

test('A folder is mutated by the groups in it, a file by the group that has it, each on the tests of its group', () => {
  expect(chosenBy('src/storage/adapters/').map(({ path }) => path)).toEqual([
    'storage/adapters/browser',
    'storage/adapters/node',
    'storage/adapters/memory.ts',
  ])
  expect(chosenBy('memory/self/self-vector.ts')).toEqual([{ group: 'memory/self', path: 'memory/self/self-vector.ts' }])
  expect(chosenBy('cli/main.ts')).toEqual([])
  expect(testsOf('base/crc32c.ts')).toContain('test/unit/base/crc32c.test.ts')
})
