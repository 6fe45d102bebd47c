import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exp, log } from '../../../src/base/exponential.js'

/** How far apart two numbers are, in units in the last place of the second. */
function ulps(a: number, b: number): number {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  return Math.abs(a - b) / Math.max(Number.MIN_VALUE, Math.abs(b) * Number.EPSILON)
}

test('log is the logarithm', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true }), (x) => ulps(log(x), Math.log(x)) <= 3),
    { numRuns: 20_000 },
  )
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => ulps(log(x), Math.log(x)) <= 3),
    { numRuns: 20_000 },
  )
  for (const x of [0, -0, 1, -1, NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE])
    expect(ulps(log(x), Math.log(x)), String(x)).toBeLessThanOrEqual(3)
  for (let n = 1; n < 1023; n++) expect(ulps(log(2 ** n), n * Math.LN2)).toBeLessThanOrEqual(1)
})

test('exp is the exponential', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => ulps(exp(x), Math.exp(x)) <= 3),
    { numRuns: 20_000 },
  )
  fc.assert(
    fc.property(fc.double({ min: -2, max: 2, noNaN: true }), (x) => ulps(exp(x), Math.exp(x)) <= 3),
    { numRuns: 20_000 },
  )
  for (const x of [0, -0, 1, NaN, Infinity, -Infinity, 709.78, 709.79, 1e9, -708.5, -1e9])
    expect(ulps(exp(x), Math.exp(x)), String(x)).toBeLessThanOrEqual(3)
  // Too small for all their digits.
  for (const x of [-710, -740, -745, -745.2, -746])
    expect(Math.abs(exp(x) - Math.exp(x))).toBeLessThanOrEqual(Number.MIN_VALUE)
})

test('their bits are these in every runtime: whoever changes them notes the new digest here', () => {
  const bits = new Float64Array(20_000)
  for (let i = 0; i < 10_000; i++) {
    bits[i] = log((i + 1) / 7)
    bits[10_000 + i] = exp((i - 5_000) / 13)
  }
  expect(createHash('sha256').update(new Uint8Array(bits.buffer)).digest('hex').slice(0, 16)).toBe('6ab5676fb7878449')
})
