import { expect, test } from 'vitest'
import type { CheckpointArray, CheckpointParts } from '../../../../src/base/checkpoint-parts.js'
import { SlotTable } from '../../../../src/storage/journal/slot-table.js'

const END = 1000

function saved(): CheckpointParts {
  const table = new SlotTable(0)
  table.put(0, 64, 40, 90)
  table.put(1, 160, 40, 90)
  table.setSignatures(0, ['latent'], 300, 50)
  table.update(1, 400, 30)
  table.put(3, 500, 40, 90)
  table.remove(3)
  const parts: CheckpointParts = new Map()
  table.save(parts, 't')
  return parts
}

test('a table that was saved is the same when it is loaded', () => {
  const table = new SlotTable(0)
  table.load(saved(), 't', END)
  const again: CheckpointParts = new Map()
  table.save(again, 't')
  expect(again).toEqual(saved())
  expect([0, 1, 2, 3].map((slot) => [table.isLive(slot), table.isRemoved(slot)])).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, true],
  ])
})

test('a table of which the last slots were used up before the journal was begun is the same when it is loaded', () => {
  const table = new SlotTable(5000)
  table.put(3, 64, 40, 90)
  const parts: CheckpointParts = new Map()
  table.save(parts, 't')
  const again = new SlotTable(5000)
  again.load(parts, 't', END)
  expect([again.nextSlot, again.liveSlots(), again.isFree(4999)]).toEqual([5000, [3], true])
})

test.each<[string, Uint32Array]>([
  ['lie beyond its slots', Uint32Array.of(1, 70)],
  ['are the same', Uint32Array.of(1, 1)],
  ['are less than its columns have', Uint32Array.of(1)],
  ['are more than its columns have', Uint32Array.of(1, 2, 3)],
])('a table whose pages %s is not loaded', (_, pages) => {
  const table = new SlotTable(0)
  table.put(1500, 64, 40, 90)
  table.put(70_000, 160, 40, 90)
  const parts: CheckpointParts = new Map()
  table.save(parts, 't')
  expect(parts.get('t.pages')).toEqual(Uint32Array.of(1, 68))
  parts.set('t.pages', pages)
  const again = new SlotTable(0)
  expect(() => again.load(parts, 't', END)).toThrow(TypeError)
  expect(again.nextSlot).toBe(0)
})

test.each<[string, string, CheckpointArray]>([
  ['says nothing of how many slots there are', 'next', new Uint32Array(0)],
  ['has less slots than its columns', 'next', Uint32Array.of(3)],
  ['has more slots than its columns', 'next', Uint32Array.of(5)],
  ['has more slots than there can be', 'next', Uint32Array.of(2 ** 32 - 1)],
  ['lacks a column', 'rows', new Float64Array(0)],
  ['has an entry beyond the journal', 'puts', Float64Array.of(64, END, 0, -1)],
  ['has an entry that ends beyond the journal', 'sizes', Uint32Array.of(90, 2 ** 32 - 1, 0, 90)],
  ['has a row that ends beyond the journal', 'spans', Uint32Array.of(40, 2 ** 32 - 1, 0, 40)],
  ['has the last row of what was removed beyond the journal', 'spans', Uint32Array.of(40, 30, 0, 2 ** 31)],
  ['has an entry between two bytes', 'rows', Float64Array.of(64, 400.5, 0, 500)],
  ['has no place for a row', 'rows', Float64Array.of(64, NaN, 0, 500)],
  ['has a signature beyond the journal', 'latent.ats', Float64Array.of(990, 0, 0, 0)],
])('a table that %s is not loaded', (_, column, array) => {
  const parts = saved()
  expect(parts.has(`t.${column}`)).toBe(true)
  parts.set(`t.${column}`, array)
  const table = new SlotTable(0)
  expect(() => table.load(parts, 't', END)).toThrow(TypeError)
  expect(table.nextSlot).toBe(0)
})
