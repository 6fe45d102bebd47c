import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Arena, Hypervector } from '../../../src/kernel/port.js'
import { seeded } from '../../../bench/random.js'
import { kernels, reference, wasm } from './kernels.js'

/** More than are held in rows alone. */
const HELD = 9000
const random = seeded(7)
const vector = () => new Uint8Array(Uint32Array.from({ length: 256 }, () => random() * 2 ** 32).buffer)
const background = Array.from({ length: HELD }, vector)

function filled(arena: Arena, signatures: readonly Hypervector[] = background): Arena {
  signatures.forEach((signature, slot) => arena.set(slot, signature))
  return arena
}

/** Another, with a share of its bits turned. */
function near(signature: Hypervector, share: number): Hypervector {
  const other = signature.slice()
  for (let d = 0; d < 8192; d++) if (random() < share) other[d >> 3] ^= 1 << (d & 7)
  return other
}

/** The dimensions of the sketch, worked out anew. */
const sketch = Array.from({ length: 1024 }, (_, i) => 8 * i + ((Math.imul(i, 0x9e3779b9) >>> 16) & 7))

describe('a scan in two stages', () => {
  const keeping = filled(wasm.arena({ rows: HELD }))
  const plain = filled(wasm.arena())
  const few = new Uint32Array(200).fill(0x80100401, 40)
  afterAll(() => [keeping, plain].forEach((arena) => arena.free()))

  test('finds nearly all that are near: of 4,000 planted it passes at most one over', () => {
    let [planted, found] = [0, 0]
    for (let turn = 0; turn < 100; turn++) {
      const query = vector()
      const slots = new Set<number>()
      while (slots.size < 40) slots.add(Math.floor(random() * HELD))
      const share = 0.05 + 0.3 * random()
      for (const slot of slots) keeping.set(slot, near(query, share))
      const exact = keeping.scan(wasm.query(query), 40)
      const pruned = keeping.scanPruned(wasm.query(query), 40)
      planted += 40
      found += exact.slots.filter((slot) => pruned.slots.includes(slot)).length
      // What it says of those that it finds is exact.
      pruned.slots.forEach((slot, i) => expect(exact.scores[exact.slots.indexOf(slot)]).toBe(pruned.scores[i]))
      for (const slot of slots) keeping.set(slot, background[slot])
    }
    // One in 30,000 is expected to be missed.
    expect(planted - found).toBeLessThanOrEqual(1)
  })

  test('does not look at what its sketch says to be far', () => {
    const query = vector()
    const hidden = query.slice()
    for (const d of sketch) hidden[d >> 3] ^= 1 << (d & 7)
    keeping.set(5, hidden)
    for (let slot = 10; slot < 20; slot++) keeping.set(slot, near(query, 0.15))
    expect(keeping.scan(wasm.query(query), 1).slots[0]).toBe(5)
    expect(keeping.scanPruned(wasm.query(query), 1).slots[0]).not.toBe(5)
    for (const slot of [5, ...Array.from({ length: 10 }, (_, i) => 10 + i)]) keeping.set(slot, background[slot])
  })

  test('is exact where nothing is near, for weighted queries, and without rows', () => {
    const weighted = reference.quantise(reference.superpose(['a', 'b', 'c'], Int32Array.of(3, -2, 1)))
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 0, max: 300 }), fc.constantFrom(undefined, few), (name, k, allow) => {
        const far = wasm.query(reference.fromName(`far ${name}`))
        const close = wasm.query(near(background[name], 0.2))
        for (const [arena, query] of [
          [keeping, weighted],
          [plain, far],
          [plain, close],
        ] as const) {
          expect(arena.scanPruned(query, k, allow)).toEqual(arena.scan(query, k, allow))
        }
        // Of a few candidates the sketch can leave less than one in eight; then each may be missed, one in 30,000.
        const [pruned, exact] = [keeping.scanPruned(far, k, allow), keeping.scan(far, k, allow)]
        const missed = exact.slots.filter((slot) => !pruned.slots.includes(slot)).length
        expect(missed).toBeLessThanOrEqual(allow === undefined ? 0 : 1)
        expect(pruned.slots.length).toBe(exact.slots.length)
      }),
      { numRuns: 15 },
    )
  })

  test('keeps to the candidates, and to what is held now', () => {
    const query = vector()
    for (let slot = 0; slot < 64; slot++) keeping.set(slot, near(query, 0.1 + slot / 400))
    const ask = (allow?: Uint32Array) => keeping.scanPruned(wasm.query(query), 5, allow)
    expect(ask()).toEqual(keeping.scan(wasm.query(query), 5))
    const odd = new Uint32Array(1000).fill(0xaaaaaaaa)
    expect([...ask(odd).slots].every((slot) => slot % 2 === 1)).toBe(true)
    expect(ask(odd)).toEqual(keeping.scan(wasm.query(query), 5, odd))
    const [first] = ask().slots
    keeping.clear(first)
    expect(ask()).toEqual(keeping.scan(wasm.query(query), 5))
    keeping.set(first, background[first])
    expect(ask()).toEqual(keeping.scan(wasm.query(query), 5))
    keeping.set(8999, query)
    keeping.set(HELD + 5, query)
    expect([...ask().slots.subarray(0, 2)]).toEqual([8999, HELD + 5])
    keeping.clear(HELD + 5)
    for (const slot of [8999, ...Array.from({ length: 64 }, (_, i) => i)]) keeping.set(slot, background[slot])
  })

  test.each(kernels)('takes what a scan takes, %s kernel', (_, kernel) => {
    const arena = filled(kernel.arena({ rows: 10 }), background.slice(0, 50))
    for (const k of [0, 1, 100])
      expect(arena.scanPruned(kernel.query(background[3]), k)).toEqual(arena.scan(kernel.query(background[3]), k))
    expect(() => arena.scanPruned(kernel.query(background[3]), -1)).toThrow('k must be')
    arena.free()
    expect(() => arena.scanPruned(kernel.query(background[3]), 1)).toThrow('freed')
  })
})
