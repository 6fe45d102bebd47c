import { afterEach, beforeEach, expect, test } from 'vitest'
import { textOf } from '../../../../src/adapters/langchain/indexed-text.js'
import { ItemTable } from '../../../../src/adapters/langchain/item-table.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

let db: Awaited<ReturnType<typeof Agidb.open>>
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', codebook: 'none' })
})
afterEach(() => db.close())

test('a short value is found by each of its words after its path', () => {
  const value = { title: 'Kettle', text: 'Boils water.', parts: [{ name: 'lid' }, { name: 'base' }], sizes: [1, 2] }
  const text = 'title: Kettle\nBoils water.\nparts name: lid\nparts name: base\nsizes: 1\nsizes: 2'
  expect(textOf(value, undefined, 1000)).toBe(text)
  expect(textOf(value, ['parts[*].name'], 1000)).toBe('lid\nbase')
  expect(textOf(value, undefined, 70)).toBe(text.replace('parts name: base', 'base').replace('sizes: 2', '2'))
  expect(textOf(value, undefined, 40)).toBe('Kettle\nBoils water.\nlid\nbase\n1\n2')
})

test.each([
  ['a long array', { 'measurements of the week': Array(2400).fill(1) }],
  ['many members below a long name', { ['measurements '.repeat(40)]: Object.fromEntries([...Array(600).entries()]) }],
  ['characters of three bytes', { 一週間の測定: Array(2400).fill('水') }],
])('a value with %s is stored and found', async (_, value) => {
  const table = new ItemTable(db, 'test')
  await table.prepare([{ namespace: ['a'], key: 'k', value: { ...value, about: 'a kettle' } }])()
  const [{ row }] = await table.found('kettle', ['a'], 1)
  expect(row.value).toEqual({ ...value, about: 'a kettle' })
})
