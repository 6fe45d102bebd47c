import { describe, expect, test } from 'vitest'
import { SlotArena } from '../../../src/indexes/slot-arena.js'
import { NO_SCORE } from '../../../src/kernel/port.js'
import { kernel } from '../encoding/kernel.js'

const MARK = new Uint8Array(8).fill(9)
const signature = (slot: number) => kernel.fromName(`signature ${slot}`)

/** An arena whose signatures are stored with a mark before them, and what of these is at hand. */
function stored() {
  const atHand = new Map<number, Uint8Array>()
  const brought: number[][] = []
  const arena = new SlotArena(kernel, {
    find: (slot) => atHand.get(slot),
    async bring(slots) {
      brought.push(Array.from(slots))
      for (const slot of Array.from(slots)) atHand.set(slot, Uint8Array.of(...MARK, ...signature(slot)))
    },
  })
  return { arena, atHand, brought }
}

describe('an arena of signatures that the storage searches', () => {
  test('knows which slots have one, and answers of those at hand as any arena does', async () => {
    const { arena, brought } = stored()
    const other = kernel.arena()
    arena.set(3)
    arena.setMany(Uint32Array.of(5, 70, 3))
    for (const slot of [3, 5, 70]) other.set(slot, signature(slot))
    expect([arena.size, arena.has(70), arena.has(4)]).toEqual([3, true, false])
    expect(arena.get(5)).toBeUndefined()
    const slots = Uint32Array.of(70, 4, 3, 5)
    const query = kernel.quantise(kernel.superpose(['signature 3', 'else'], Int32Array.of(3, 1)))
    expect([...arena.score(query, slots)]).toEqual([NO_SCORE, NO_SCORE, NO_SCORE, NO_SCORE])
    await arena.bring(slots)
    expect(brought).toEqual([[70, 4, 3, 5]])
    expect([...arena.score(query, slots)]).toEqual([...other.score(query, slots)])
    expect(arena.get(5)).toEqual(signature(5))
    arena.clear(5)
    expect([arena.get(5), arena.size, arena.score(query, Uint32Array.of(5))[0]]).toEqual([undefined, 2, NO_SCORE])
    other.free()
    arena.free()
    expect(arena.size).toBe(0)
  })

  test('takes a bit for a slot, also in a checkpoint', () => {
    const { arena } = stored()
    const slots = Uint32Array.from({ length: 1000 }, (_, i) => 33 * i)
    arena.setMany(slots)
    expect(arena.bytes).toBeLessThan(33_000 / 4)
    const { layout, slots: places, rows, blocks } = arena.image()
    expect([places.length, blocks.length]).toEqual([0, 0])
    const again = stored().arena
    expect(again.restore({ layout, slots: places, rows: rows.slice(), blocks: 0 })).toEqual([])
    expect([again.size, slots.every((slot) => again.has(slot)), again.has(1)]).toEqual([1000, true, false])
    expect([again.awaited(), again.awaits(), again.awaitedSlots().length, again.makeRows()]).toEqual([
      [],
      undefined,
      0,
      false,
    ])
    for (const kept of [
      { layout: 'columns', rows: new Uint8Array(4), blocks: 0 },
      { layout, rows: new Uint8Array(4), blocks: 1 },
      { layout, rows: new Uint8Array(5), blocks: 0 },
    ])
      expect(() => stored().arena.restore({ slots: places, ...kept })).toThrow('no bit set of slots')
    expect(() => again.restore({ layout, slots: places, rows, blocks: 0 })).toThrow('no bit set of slots')
  })

  test('refuses to scan what is not here', () => {
    const { arena } = stored()
    for (const scan of [() => arena.scan(), () => arena.scanPruned(), () => arena.scanMany()])
      expect(scan).toThrow(expect.objectContaining({ code: 'AGIDB_UNSUPPORTED' }))
    for (const give of [() => arena.give(), () => arena.admit()])
      expect(give).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
  })
})
