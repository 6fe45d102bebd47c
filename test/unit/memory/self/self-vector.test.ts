import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../../src/api/learning.js'
import { SelfVector } from '../../../../src/memory/self/self-vector.js'
import { DIMENSION } from '../../../../src/kernel/port.js'
import { kernel } from '../../encoding/kernel.js'
import { runs } from '../../../runs.js'

const tie = kernel.threshold(new Int32Array(DIMENSION))
const bundle = (name: number) => kernel.fromName(`bundle ${name}`)
const bit = (vector: Uint8Array, d: number) => (vector[d >> 3] >> (d & 7)) & 1

/** The definition, dimension by dimension. */
function naive(bundles: readonly Uint8Array[]): Uint8Array {
  const signs = new Uint8Array(tie.length)
  for (let d = 0; d < DIMENSION; d++) {
    let mean = 0
    for (const [i, one] of bundles.entries()) {
      const sign = 2 * bit(one, d) - 1
      // The mean of all of the first 20, in whole numbers.
      mean = i < 20 ? mean + sign : Math.fround(0.95 * (i === 20 ? Math.fround(mean / 20) : mean) + 0.05 * sign)
    }
    signs[d >> 3] |= (mean === 0 ? bit(tie, d) : mean > 0 ? 1 : 0) << (d & 7)
  }
  return signs
}

test('before the first epoch it is the hypervector that ties take', () => {
  const self = new SelfVector(tie)
  expect([self.now, self.at(0)]).toEqual([tie, tie])
})

/** Standard deviations by which an epoch is more like the vector than chance makes it. */
const recovered = (vector: Uint8Array, name: number) =>
  (kernel.similarity(vector, bundle(name)) - 0.5) * 2 * Math.sqrt(DIMENSION)

test('moves slowly: one epoch after many changes few bits, as many of another kind turn it round', () => {
  const self = new SelfVector(tie)
  for (let i = 0; i < 20; i++) self.take(bundle(1), i)
  expect(self.now).toEqual(bundle(1))
  expect(kernel.hamming(self.now, self.after(bundle(2)))).toBe(0)
  let epochs = 0
  while (kernel.hamming(self.now, bundle(2)) > 0) self.take(bundle(2), 20 + epochs++)
  // 0.95ⁿ < 1/2.
  expect(epochs).toBe(Math.ceil(Math.log(0.5) / Math.log(0.95)))
})

test('the first epoch is as well recovered as the second', () => {
  const self = new SelfVector(tie)
  self.take(bundle(0), 0)
  self.take(bundle(1), 1)
  // Where both agree it is so, elsewhere chance decides: three quarters of the bits of each.
  for (const name of [0, 1]) expect(kernel.similarity(self.now, bundle(name))).toBeCloseTo(0.75, 1)
  expect(kernel.hamming(self.now, bundle(1))).toBeGreaterThan(DIMENSION / 5)
})

test.each([
  2, 3, 5, 10, 20,
])('every one of %i epochs can be recovered from it, the first as well as the last', (count) => {
  const self = new SelfVector(tie)
  for (let name = 0; name < count; name++) self.take(bundle(name), name)
  const likeness = Array.from({ length: count }, (_, name) => recovered(self.now, name))
  // Of a mean of n random signs a share of about 1 / √(2πn) of the bits is more than chance: 16 standard deviations
  // for 20 epochs.
  for (const one of likeness) expect(one).toBeGreaterThan(8)
  expect(Math.min(...likeness)).toBeGreaterThan(0.5 * Math.max(...likeness))
  expect(Math.abs(recovered(self.now, 1000))).toBeLessThan(4)
})

test('of 60 epochs the last 20 can all be recovered, and the newest best', () => {
  const self = new SelfVector(tie)
  for (let name = 0; name < 60; name++) self.take(bundle(name), name)
  for (let name = 40; name < 60; name++) expect(recovered(self.now, name)).toBeGreaterThan(4)
  expect(recovered(self.now, 59)).toBeGreaterThan(recovered(self.now, 40))
})

test('the clock went back: what was known at a time is made of the epochs known then, in their order', () => {
  const self = new SelfVector(tie)
  // Every third epoch has a later time, so that those of the time 0 are never the first ones.
  const times = Array.from({ length: 40 }, (_, name) => (name % 3 === 1 ? 1 : 0))
  times.forEach((at, name) => self.take(bundle(name), at))
  const known = times.flatMap((at, name) => (at === 0 ? [bundle(name)] : []))
  expect(known).toHaveLength(27)
  expect(self.at(0)).toEqual(naive(known))
  expect(self.at(0)).not.toEqual(self.now)
})

test('what it took in stays although the bundle that it was given is changed afterwards', () => {
  const self = new SelfVector(tie)
  const given = bundle(0).slice()
  self.take(given, 0)
  given.fill(0)
  self.take(bundle(1), 2)
  self.take(bundle(2), 1)
  expect(self.at(0)).toEqual(bundle(0))
  expect(self.at(1)).toEqual(naive([bundle(0), bundle(2)]))
})

test('a vector of the past is the one that was made then, and is not made again', () => {
  const self = new SelfVector(tie)
  const made = [0, 1, 2].map((name) => {
    self.take(bundle(name), name)
    return self.now
  })
  made.forEach((vector, at) => expect(self.at(at)).toBe(vector))
})

/** Logged at a time in milliseconds. */
const updated = (at: number): LearningEvent => ({
  kind: 'selfVectorUpdated',
  id: `ev_${at}`,
  at: new Date(at).toISOString(),
  atoms: [],
  drift: 0,
  epoch: 1,
})

test('takes in the bundles of its own events alone', () => {
  const self = new SelfVector(tie)
  self.apply({ ...updated(0), kind: 'consolidationRun' } as LearningEvent, 0, bundle(0))
  self.apply(updated(1), 1)
  expect(self.epochs).toBe(0)
  self.apply(updated(2), 2, bundle(2))
  expect([self.at(1), self.at(2)]).toEqual([tie, bundle(2)])
})

test('without the epochs that were retracted it is what it would be had they never come', () => {
  const [self, other] = [new SelfVector(tie), new SelfVector(tie)]
  const events = Array.from({ length: 30 }, (_, at) => updated(at))
  events.forEach((event, at) => self.apply(event, at, bundle(at)))
  self.take(bundle(30), 30)
  const before = self.now
  self.retract([updated(99)])
  // Nothing of that was taken in, so nothing is made again.
  expect(self.now).toBe(before)
  self.retract(events.filter((_, at) => at % 3 === 0))
  for (let at = 0; at <= 30; at++) if (at === 30 || at % 3 !== 0) other.take(bundle(at), at)
  expect(self.epochs).toBe(other.epochs)
  for (const at of [0, 1, 2, 15, 29, 30]) expect(self.at(at)).toEqual(other.at(at))
  expect(self.after(bundle(31))).toEqual(other.after(bundle(31)))
})

test('takes memory for its mean, and for two vectors and little more an epoch', () => {
  const self = new SelfVector(tie)
  const mean = self.bytes
  expect(mean).toBe(4 * DIMENSION)
  for (let name = 0; name < 10; name++) self.take(bundle(name), name)
  const each = (self.bytes - mean) / 10
  expect(each).toBeGreaterThan(2 * tie.length)
  expect(each).toBeLessThan(4 * tie.length)
})

test('is what its definition says, now, next and at any time, also when the clock went back', () => {
  const history = fc.array(fc.record({ name: fc.nat(5), at: fc.nat(20) }), { maxLength: 24 })
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
