import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SelfVector } from '../../src/floors/self-vector.js'
import { DIMENSION } from '../../src/kernel/port.js'
import { kernel } from '../hdc/kernel.js'
import { runs } from '../runs.js'

const tie = kernel.threshold(new Int32Array(DIMENSION))
const bundle = (name: number) => kernel.fromName(`bundle ${name}`)
const bit = (vector: Uint8Array, d: number) => (vector[d >> 3] >> (d & 7)) & 1

/** The definition, dimension by dimension. */
function naive(bundles: readonly Uint8Array[]): Uint8Array {
  const signs = new Uint8Array(tie.length)
  for (let d = 0; d < DIMENSION; d++) {
    let mean = 0
    for (const one of bundles) mean = Math.fround(0.95 * mean + 0.05 * (2 * bit(one, d) - 1))
    signs[d >> 3] |= (mean === 0 ? bit(tie, d) : mean > 0 ? 1 : 0) << (d & 7)
  }
  return signs
}

test('before the first epoch it is the hypervector that ties take', () => {
  const self = new SelfVector(tie)
  expect([self.now, self.at(0)]).toEqual([tie, tie])
})

test('moves slowly: one epoch after many changes few bits, many of one kind turn it round', () => {
  const self = new SelfVector(tie)
  for (let i = 0; i < 20; i++) self.take(bundle(1), i)
  expect(self.now).toEqual(bundle(1))
  expect(kernel.hamming(self.now, self.after(bundle(2)))).toBe(0)
  let epochs = 0
  while (kernel.hamming(self.now, bundle(2)) > 0) self.take(bundle(2), 20 + epochs++)
  // 1 − 0.95²⁰ = 0.64 has to decay to what the others have gained: 0.95ⁿ·0.64 < 1 − 0.95ⁿ.
  expect(epochs).toBe(Math.ceil(Math.log(1 / (2 - 0.95 ** 20)) / Math.log(0.95)))
})

test('is what its definition says, now, next and at any time, also when the clock went back', () => {
  const history = fc.array(fc.record({ name: fc.nat(5), at: fc.nat(20) }), { maxLength: 8 })
  fc.assert(
    fc.property(history, fc.nat(20), (epochs, time) => {
      const self = new SelfVector(tie)
      const bundles = epochs.map(({ name }) => bundle(name))
      epochs.forEach(({ at }, i) => {
        expect(self.after(bundles[i])).toEqual(naive(bundles.slice(0, i + 1)))
        self.take(bundles[i], at)
      })
      expect(self.epochs).toBe(epochs.length)
      expect(self.now).toEqual(naive(bundles))
      expect(self.at(time)).toEqual(naive(bundles.filter((_, i) => epochs[i].at <= time)))
    }),
    { numRuns: runs() },
  )
})
