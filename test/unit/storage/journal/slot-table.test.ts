import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointParts } from '../../../../src/base/checkpoint-parts.js'
import { KINDS } from '../../../../src/storage/journal/changes.js'
import type { Piece } from '../../../../src/storage/journal/pieces.js'
import type { SignatureKind } from '../../../../src/api/storage.js'
import { MAX_SLOT_GAP, MAX_SLOTS, SlotTable } from '../../../../src/storage/journal/slot-table.js'
import { runs } from '../../../runs.js'

/** What is known of a slot, said naively. */
interface Known {
  put: Piece
  row: Piece
  signs: Map<SignatureKind, Piece>
}

/** Does as the table does, in a map. */
class Naive {
  readonly live = new Map<number, Known>()
  readonly removed = new Set<number>()
  next = 0

  signsOf(slot: number): Piece[] {
    const pieces = new Map([...this.live.get(slot)!.signs.values()].map((piece) => [piece.at, piece]))
    return [...pieces.values()].sort((a, b) => a.at - b.at)
  }

  get liveBytes(): number {
    let sum = 0
    for (const [slot, { put, row }] of this.live)
      sum +=
        put.bytes +
        (row.at === put.at ? 0 : row.bytes) +
        this.signsOf(slot).reduce((bytes, sign) => bytes + sign.bytes, 0)
    return sum
  }
}

const step = fc.record({
  op: fc.constantFrom('put', 'put', 'update', 'sign', 'remove', 'reload'),
  slot: fc.oneof(fc.nat(12), fc.nat(3000), fc.nat(1_000_000)),
  span: fc.nat(50),
  more: fc.nat(50),
  kinds: fc.subarray([...KINDS], { minLength: 1 }),
})

describe('a slot table', () => {
  test('knows of each slot what a map knows, also after it was saved and loaded', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let table = new SlotTable(0)
        const naive = new Naive()
        let at = 64
        for (const { op, slot, span, more, kinds } of steps) {
          const known = naive.live.get(slot)
          const bytes = span + more
          expect(table.isFree(slot)).toBe(known === undefined && !naive.removed.has(slot))
          if (op === 'put' && table.isFree(slot)) {
            table.put(slot, at, span, bytes)
            naive.live.set(slot, { put: { at, bytes }, row: { at, bytes: span }, signs: new Map() })
            naive.next = Math.max(naive.next, slot + 1)
          } else if (op === 'reload') {
            const parts: CheckpointParts = new Map()
            table.save(parts, 'it')
            table = new SlotTable(0)
            table.load(parts, 'it', Number.MAX_SAFE_INTEGER)
          } else if (known && op === 'update') {
            table.update(slot, at, span)
            known.row = { at, bytes: span }
          } else if (known && op === 'sign') {
            table.setSignatures(slot, kinds, at, bytes)
            for (const kind of kinds) known.signs.set(kind, { at, bytes })
          } else if (known && op === 'remove') {
            table.remove(slot)
            naive.live.delete(slot)
            naive.removed.add(slot)
          }
          at += 100
          const from = slot >> 1
          expect(table.liveSlots(from, slot + 3)).toEqual(
            [...naive.live.keys()].filter((live) => live >= from && live < slot + 3).sort((a, b) => a - b),
          )
          expect([table.nextSlot, table.liveBytes, table.isLive(slot), table.isRemoved(slot)]).toEqual([
            naive.next,
            naive.liveBytes,
            naive.live.has(slot),
            naive.removed.has(slot),
          ])
        }
        for (const [slot, { put, row }] of naive.live)
          expect([table.putOf(slot), table.rowOf(slot), table.signsOf(slot)]).toEqual([put, row, naive.signsOf(slot)])
      }),
      { numRuns: Math.max(30, runs(100)) },
    )
  })

  test('adds up what counts of each live slot: what put it, its later row, and each entry that signed it', () => {
    const table = new SlotTable(0)
    table.put(0, 64, 5, 9)
    table.put(3, 100, 6, 11)
    expect(table.liveBytes).toBe(20)
    table.update(0, 200, 7)
    expect(table.liveBytes).toBe(27)
    table.setSignatures(0, ['latent', 'sentence'], 300, 40)
    expect(table.liveBytes).toBe(67)
    table.setSignatures(0, ['sentence'], 400, 50)
    table.setSignatures(3, ['text'], 500, 60)
    expect([table.liveBytes, table.signsOf(0), table.signsOf(3)]).toEqual([
      177,
      [
        { at: 300, bytes: 40 },
        { at: 400, bytes: 50 },
      ],
      [{ at: 500, bytes: 60 }],
    ])
    const parts: CheckpointParts = new Map()
    table.save(parts, 'it')
    expect([...parts.keys()].sort()).toEqual(
      [
        'next',
        'puts',
        'rows',
        'sizes',
        'spans',
        ...['latent', 'sentence', 'text'].flatMap((kind) => [`${kind}.ats`, `${kind}.sizes`]),
      ]
        .map((name) => `it.${name}`)
        .sort(),
    )
    const again = new SlotTable(0)
    again.load(parts, 'it', Number.MAX_SAFE_INTEGER)
    expect([again.liveBytes, again.signsOf(0), again.nextSlot]).toEqual([177, table.signsOf(0), 4])
    table.remove(0)
    expect([table.liveBytes, table.isRemoved(0), table.isLive(3)]).toEqual([71, true, true])
  })

  test('gives slots that are no further away than the gap, and no more than there can be', () => {
    const table = new SlotTable(7)
    expect([-1, 0.5, 0, 7 + MAX_SLOT_GAP - 1, 7 + MAX_SLOT_GAP].map((slot) => table.isFree(slot))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
    expect([table.isFree(20 + MAX_SLOT_GAP, 21), table.isFree(20 + MAX_SLOT_GAP, 20)]).toEqual([true, false])
    const full = new SlotTable(MAX_SLOTS)
    expect([full.isFree(MAX_SLOTS - 1), full.isFree(MAX_SLOTS)]).toEqual([true, false])
    expect([new SlotTable(7).nextSlot, table.isLive(3), table.isRemoved(3)]).toEqual([7, false, false])
  })

  test('takes as many bytes as it says, by half more when it grows, and keeps what it had', () => {
    const table = new SlotTable(0)
    expect([table.memoryBytes, table.liveBytes]).toEqual([0, 0])
    table.put(0, 64, 5, 9)
    expect(table.memoryBytes).toBe(1024 * 24 + 4)
    table.setSignatures(0, ['latent'], 100, 7)
    expect(table.memoryBytes).toBe(1024 * 36 + 4)
    table.put(1024, 200, 5, 9)
    expect(table.memoryBytes).toBe(2048 * 36 + 8)
    for (const slot of [2048, 3072, 4096]) table.put(slot, 200, 5, 9)
    expect(table.memoryBytes).toBe(1.5 * 1.5 * 3072 * 36 + 20)
    expect([table.putOf(0), table.signsOf(0), table.nextSlot, table.liveBytes]).toEqual([
      { at: 64, bytes: 9 },
      [{ at: 100, bytes: 7 }],
      4097,
      52,
    ])
  })

  test('has no room for slots that were used before, however many', () => {
    const table = new SlotTable(MAX_SLOTS - 10)
    table.put(3, 64, 5, 9)
    table.put(MAX_SLOTS - 5, 200, 5, 9)
    expect(table.memoryBytes).toBeLessThan(400_000)
    expect([table.nextSlot, table.liveSlots(), table.liveBytes]).toEqual([MAX_SLOTS - 4, [3, MAX_SLOTS - 5], 18])
    expect([table.isFree(MAX_SLOTS - 6), table.isFree(MAX_SLOTS - 5), table.isFree(1 << 20)]).toEqual([
      true,
      false,
      true,
    ])
  })
})
