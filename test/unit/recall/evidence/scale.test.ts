import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logOfNext, Scale, strongest, strongestOf } from '../../../../src/recall/evidence/scale.js'
import { log } from '../../../../src/base/exponential.js'

/** With ties, as words that are in many candidates make them. */
const values = fc
  .array(
    fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constant(0),
      fc.integer({ min: -1e6, max: 1e6 }).map((thousandths) => thousandths / 1000),
    ),
    { maxLength: 300, size: 'max' },
  )
  .map((numbers) => Float64Array.from(numbers))

describe('Scale', () => {
  test('ranks by how many are better, and tells the best and the share of it', () => {
    fc.assert(
      fc.property(values, (values) => {
        const { rank, most, share } = new Scale(values)
        expect(rank).toEqual(values.map((value) => log(1 + values.filter((other) => other > value).length)))
        expect(most).toBe(values.length === 0 ? 0 : values.reduce((a, b) => Math.max(a, b)))
        expect(share).toEqual(values.map((value) => (most > 0 ? value / most : 0)))
      }),
    )
  })

  test('has a mean of 0 and a deviation of 1, unless all are the same', () => {
    fc.assert(
      fc.property(values, (values) => {
        const { z } = new Scale(values)
        const squares = z.reduce((sum, value) => sum + value * value, 0)
        expect(z.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 4)
        if (new Set(values).size > 1) expect(squares / z.length).toBeCloseTo(1, 4)
      }),
    )
    expect(new Scale(Float64Array.of(2, 2, 2)).z).toEqual(Float64Array.of(0, 0, 0))
  })
})

describe('strongest', () => {
  test('are the first when sorted, ties by index', () => {
    fc.assert(
      fc.property(values, fc.nat(310), (values, count) => {
        const sorted = Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b)
        expect(strongest(values, count)).toEqual(sorted.slice(0, count))
        const visited: number[] = []
        strongestOf(values, count, (i) => visited.push(i))
        expect(visited).toEqual(sorted.slice(0, count).sort((a, b) => a - b))
      }),
    )
  })
})

test('the logarithm of one more is that of the number, kept or not', () => {
  for (const count of [0, 1, 300, 4095, 4096, 65_535]) expect(logOfNext(count)).toBe(log(1 + count))
})
