import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Column } from '../../../src/base/column.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Bits, bitsOf, slotsOf } from '../../../src/base/bits.js'
import { dropEnded, keepEqual, keepWithin } from '../../../src/indexes/narrow.js'
import { Times } from '../../../src/indexes/times.js'

/**
 * In words that are full and in some that are not; the last page ends in the middle of a word when it was loaded, and
 * one before it has none.
 */
const SLOTS = [...Array.from({ length: 70 }, (_, i) => i + 60), 0, 1023, 1024, 2047, 4096, 5000]
const WORDS = 160

/** For each slot a number, and whether the set has it. */
function each<T>(number: fc.Arbitrary<T>): fc.Arbitrary<(readonly [slot: number, number: T, has: boolean])[]> {
  const drawn = fc.array(fc.tuple(number, fc.boolean()), { minLength: SLOTS.length, maxLength: SLOTS.length })
  return drawn.map((all) => all.map(([number, has], i) => [SLOTS[i], number, has]))
}

/** The same, as they are after an image was loaded. */
function loaded<C extends Column<Int32Array> | Times>(column: C, empty: C, isLoaded: boolean): C {
  if (!isLoaded) return column
  const parts: CheckpointParts = new Map()
  column.save(parts, 'it')
  empty.load(parts, 'it')
  return empty
}

function timesOf(numbers: readonly (readonly [slot: number, time: number])[], isLoaded: boolean): Times {
  const times = new Times()
  for (const [slot, time] of numbers) times.set(slot, time)
  return loaded(times, new Times(), isLoaded)
}

const sorted = (slots: readonly number[]) => [...slots].sort((a, b) => a - b)
const time = fc.integer({ min: 0, max: 4 })
const bound = fc.constantFrom(-Infinity, -1, 0, 1, 2, 3, 4, 5, Infinity)

describe('narrowing a set of slots', () => {
  test('keeps those with a number', () => {
    fc.assert(
      fc.property(
        each(fc.integer({ min: -1, max: 2 })),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (all, number, isLoaded) => {
          const column = new Column(Int32Array, -1)
          for (const [slot, value] of all) column.set(slot, value)
          const words = bitsOf(
            all.filter(([, , has]) => has).map(([slot]) => slot),
            WORDS,
          )
          keepEqual(words, loaded(column, new Column(Int32Array, -1), isLoaded), number)
          expect([...slotsOf(words)]).toEqual(
            sorted(all.filter(([, value, has]) => has && value === number).map(([slot]) => slot)),
          )
        },
      ),
    )
  })

  test('keeps those within a time', () => {
    fc.assert(
      fc.property(each(time), bound, bound, fc.boolean(), (all, from, to, isLoaded) => {
        const words = bitsOf(
          all.filter(([, , has]) => has).map(([slot]) => slot),
          WORDS,
        )
        keepWithin(
          words,
          timesOf(
            all.map(([slot, time]) => [slot, time]),
            isLoaded,
          ),
          from,
          to,
        )
        expect([...slotsOf(words)]).toEqual(
          sorted(all.filter(([, time, has]) => has && from <= time && time < to).map(([slot]) => slot)),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('drops those that had ended, as far as it was known', () => {
    const ended = fc.option(fc.record({ at: time, known: time }), { nil: undefined })
    fc.assert(
      fc.property(each(ended), bound, bound, fc.boolean(), (all, by, knownBy, isLoaded) => {
        const words = bitsOf(
          all.filter(([, , has]) => has).map(([slot]) => slot),
          WORDS,
        )
        const at = timesOf(
          all.map(([slot, end]) => [slot, end?.at ?? Infinity]),
          isLoaded,
        )
        const known = timesOf(
          all.map(([slot, end]) => [slot, end?.known ?? Infinity]),
          isLoaded,
        )
        const slots = new Bits()
        for (const [slot, end] of all) if (end !== undefined) slots.add(slot)
        dropEnded(words, { slots, at, known, later: new Map() }, by, knownBy)
        const isOver = (end: { at: number; known: number } | undefined) =>
          end !== undefined && end.at <= by && end.known <= knownBy
        expect([...slotsOf(words)]).toEqual(
          sorted(all.filter(([, end, has]) => has && !isOver(end)).map(([slot]) => slot)),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('looks at the slots of no page of which all are on one side of a time', () => {
    const times = timesOf(
      [
        [0, 3],
        [1023, 5],
        [4, Infinity],
        [4096, 7],
      ],
      true,
    )
    expect([0, 1023, 1024, 2047].map((place) => [times.earliest(place), times.latest(place)])).toEqual([
      [3, 5],
      [3, 5],
      [7, 7],
      [7, 7],
    ])
    expect([times.earliest(-1), times.latest(-1), times.earliest(9000)]).toEqual([Infinity, -Infinity, Infinity])
  })
})
