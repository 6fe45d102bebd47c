import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heaviest } from '../../../src/encoding/heaviest.js'
import { DIMENSION } from '../../../src/kernel/port.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'

const kernel = referenceKernel()
const bit = (bytes: Uint8Array, at: number) => (bytes[at >> 3] >> (at & 7)) & 1

describe('the heaviest dimensions', () => {
  test('are as many as are wanted, no other is heavier, and of equally heavy ones they are the first', () => {
    const sums = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: DIMENSION }), fc.boolean(), (pattern, count, isBinary) => {
        const sum = Int32Array.from({ length: DIMENSION }, (_, d) => pattern[(d * d + d) % pattern.length])
        const query = isBinary ? kernel.query(kernel.threshold(sum)) : kernel.quantise(sum)
        const weight = (d: number) =>
          query.planes === undefined
            ? 1
            : [0, 1, 2, 3].reduce((all, p) => all | (bit(query.planes!, p * DIMENSION + d) << p), 0)
        const dimensions = Array.from({ length: DIMENSION }, (_, d) => d).filter((d) => weight(d) > 0)
        const wanted = dimensions
          .sort((a, b) => weight(b) - weight(a) || a - b)
          .slice(0, count)
          .sort((a, b) => a - b)
        const { signs, planes, norm } = heaviest(query, count)
        expect(Array.from({ length: DIMENSION }, (_, d) => d).filter((d) => bit(planes!, d))).toEqual(wanted)
        expect(planes!.subarray(DIMENSION / 8).every((byte) => byte === 0)).toBe(true)
        expect(signs).toEqual(query.signs)
        expect(norm).toBe(Math.sqrt(wanted.length))
      }),
      { numRuns: 30 },
    )
  })
})
