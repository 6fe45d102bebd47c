import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Memberships } from '../../../src/indexes/memberships.js'

/** Near each other, so that pages are shared, and far apart. */
const slot = fc.oneof(fc.nat(8), fc.constantFrom(5_000, 70_000))
const number = fc.oneof(fc.nat(6), fc.constantFrom(300, 4_000))
const change = fc.tuple(slot, fc.uniqueArray(number, { maxLength: 6 }))

function after(changes: readonly (readonly [number, readonly number[]])[]): Memberships {
  const held = new Memberships()
  for (const [slot, numbers] of changes) held.set(slot, numbers)
  return held
}

function saved(held: Memberships): CheckpointParts {
  const parts: CheckpointParts = new Map()
  held.save(parts, 'held')
  return parts
}

describe('memberships', () => {
  test('are those of a map of sets, also when they were saved and loaded', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const held = after(changes)
        const loaded = new Memberships()
        loaded.load(saved(held), 'held')
        const wanted = new Map(changes)
        for (const each of [held, loaded])
          for (const [slot, numbers] of wanted) {
            expect(each.of(slot)).toEqual(numbers)
            for (const number of [0, 1, 2, 300, 4_000, 9_999]) {
              expect(each.has(slot, number)).toBe(numbers.includes(number))
              const slots = [...wanted].filter(([, numbers]) => numbers.includes(number)).map(([slot]) => slot)
              expect(each.slots(number).sort()).toEqual(slots.sort())
            }
          }
      }),
      { numRuns: 300 },
    )
  })

  test('save the same bytes whatever was there before', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        expect(saved(after(changes))).toEqual(saved(after([...new Map(changes)])))
      }),
    )
  })

  test('use the room again of what went', () => {
    const held = after(Array.from({ length: 1_000 }, (_, slot) => [slot, [slot % 7, 7]] as const))
    const { bytes } = held
    for (let round = 0; round < 5; round++) for (let slot = 0; slot < 1_000; slot++) held.set(slot, [round, 8])
    expect(held.bytes).toBe(bytes)
    expect([7, 8, 4].map((number) => held.slots(number).length)).toEqual([0, 1_000, 1_000])
  })

  test('loaded ones can be changed', () => {
    const loaded = new Memberships()
    loaded.load(
      saved(
        after([
          [1, [5, 6]],
          [2, [6]],
        ]),
      ),
      'held',
    )
    loaded.set(1, [])
    loaded.set(3, [6, 5])
    expect([loaded.of(1), loaded.of(3), loaded.slots(6), loaded.slots(5)]).toEqual([[], [6, 5], [2, 3], [3]])
  })
})
