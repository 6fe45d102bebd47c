import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binned } from '../../../src/training/bins.js'

const column = (values: number[], digits?: number) => binned(Float64Array.from(values), values.length, 1, digits)

describe('bins', () => {
  it('cut half way between the values when there are few', () => {
    const { bins, bounds } = column([3, 1, 2, 1])
    expect([...bounds[0]]).toEqual([1.5, 2.5])
    expect([...bins]).toEqual([2, 0, 1, 0])
  })

  it('have bounds of so many digits, of more where that is needed to tell values apart', () => {
    expect([...column([1.23, 1.49], 2).bounds[0]]).toEqual([1.4])
    expect(column([1.234, 1.238], 2).bounds[0][0]).toBeCloseTo(1.236, 6)
  })

  it('are one when a column says nothing', () => {
    const { bins, bounds } = column([7, 7, 7])
    expect(bounds[0]).toHaveLength(0)
    expect([...bins]).toEqual([0, 0, 0])
  })

  it('are none for no rows', () => {
    const { bins, bounds } = binned(new Float64Array(0), 0, 2)
    expect(bins).toHaveLength(0)
    expect(bounds.map(({ length }) => length)).toEqual([0, 0])
  })

  it('keep columns apart', () => {
    const { bins } = binned(Float64Array.of(0, 5, 1, 4), 2, 2)
    expect([...bins]).toEqual([0, 1, 1, 0])
  })

  it('hold about as much each when there are many values, and one value is in one bin', () => {
    const { bins, bounds } = column(Array.from({ length: 6400 }, (_, i) => (i * 37) % 6400))
    expect(bounds[0]).toHaveLength(63)
    const counts = new Array<number>(64).fill(0)
    for (const bin of bins) counts[bin]++
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(99)
    expect(Math.max(...counts)).toBeLessThanOrEqual(101)
  })

  it('give a value that most rows have one bin', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i < 900 ? 0 : i))
    const { bins } = column(values)
    expect(new Set(bins.slice(0, 900)).size).toBe(1)
    expect(Math.max(...bins)).toBeGreaterThan(0)
  })

  it('agree with their bounds: what a tree asks of a value it asks of its bin', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 300 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        (values, digits) => {
          const {
            bins,
            bounds: [cuts],
          } = column(values, digits)
          values.forEach((value, row) => cuts.forEach((cut, bin) => expect(value <= cut).toBe(bins[row] <= bin)))
        },
      ),
      { numRuns: 50 },
    )
  })
})
