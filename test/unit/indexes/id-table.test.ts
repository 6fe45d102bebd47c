import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { IdTable } from '../../../src/indexes/id-table.js'

const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

test('ids are found by slot and slots by id, whatever was added, removed, saved and loaded', () => {
  const step = fc.oneof(
    fc.record({ op: fc.constant('add' as const), id: ids }),
    fc.record({ op: fc.constant('remove' as const), at: fc.nat() }),
    fc.record({ op: fc.constant('reopen' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let table = new IdTable()
      const model = new Map<string, number>()
      let next = 0
      for (const one of steps) {
        if (one.op === 'add' && !model.has(one.id)) {
          table.add(next, one.id)
          model.set(one.id, next++)
        } else if (one.op === 'remove' && model.size > 0) {
          const [id, slot] = [...model][one.at % model.size]
          table.remove(slot)
          model.delete(id)
        } else if (one.op === 'reopen') table = reopened(table)
      }
      expect(table.size).toBe(model.size)
      for (const [id, slot] of model) expect([table.slot(id), table.id(slot)]).toEqual([slot, id])
      expect(table.slot('an id that is never drawn')).toBeUndefined()
    }),
  )
})

test('the memory and the checkpoint of a memory whose episodes come and go do not grow', () => {
  const table = new IdTable()
  for (let slot = 0; slot < 20_000; slot++) {
    table.add(slot, `ep_${String(slot).padStart(20, '0')}`)
    if (slot >= 100) table.remove(slot - 100)
  }
  expect(table.size).toBe(100)
  expect(table.slot('ep_00000000000000019950')).toBe(19_950)
  expect(table.slot('ep_00000000000000000050')).toBeUndefined()
  const parts: CheckpointParts = new Map()
  table.save(parts, 'ids')
  // Ids of 23 bytes: all that ever were take 460,000.
  expect(parts.get('ids.utf8')!.byteLength).toBeLessThan(40_000)
  expect(reopened(table).slot('ep_00000000000000019999')).toBe(19_999)
})

function reopened(table: IdTable): IdTable {
  const parts: CheckpointParts = new Map()
  table.save(parts, 'ids')
  const other = new IdTable()
  other.load(parts, 'ids')
  return other
}
