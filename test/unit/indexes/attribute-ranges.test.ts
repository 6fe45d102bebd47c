import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { METADATA, memberOf } from '../../../src/api/attribute.js'
import { slotsOf } from '../../../src/base/bits.js'
import { Attributes } from '../../../src/indexes/attributes.js'
import { runs } from '../../runs.js'

const SLOTS = 64
const PATH = memberOf(METADATA, 'v')

type Value = string | number

/** Numbers and strings that are often the same, and stand close to each other. */
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, -0, 1e300, Number.MIN_VALUE),
  fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '𐀀', '\uffff', '1'), maxLength: 3 }),
)
const values = fc.array(value, { maxLength: 3 })
const bounds = fc
  .record({ low: fc.option(value), high: fc.option(value), openLow: fc.boolean(), openHigh: fc.boolean() })
  .filter(({ low, high }) => (low ?? high) !== null && (low === null || high === null || typeof low === typeof high))

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ op: fc.constant('set' as const), slot: fc.nat(SLOTS - 1), values }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('remove' as const), slot: fc.nat(SLOTS - 1) }) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('ask' as const), bounds }) },
  ),
  { minLength: 5, maxLength: 60 },
)

const episode = (slot: number, v: readonly Value[]): Episode => ({
  id: `e${slot}`,
  text: 'the harbour',
  at: '2026-05-01T12:00:00.000Z',
  recordedAt: '2026-05-01T12:00:00.000Z',
  triples: [],
  provenance: { writer: 'test', episodes: [] },
  metadata: { v },
})

type Bounds = typeof bounds extends fc.Arbitrary<infer B> ? B : never

function asked(attributes: Attributes, { low, high, openLow, openHigh }: Bounds): number[] {
  const words = new Uint32Array(SLOTS / 32)
  const bound = (value: Value | null, open: boolean) => (value === null ? undefined : { value, open })
  attributes.addWithin(PATH, bound(low, openLow), bound(high, openHigh), words)
  return [...slotsOf(words)]
}

function isWithin(value: Value, { low, high, openLow, openHigh }: Bounds): boolean {
  if (typeof value !== typeof (low ?? high)) return false
  return (
    (low === null || (openLow ? value > low : value >= low)) &&
    (high === null || (openHigh ? value < high : value <= high))
  )
}

test('A range has the values between its bounds, whatever came and went between the questions.', () => {
  let found = 0
  fc.assert(
    fc.property(steps, (steps) => {
      const attributes = new Attributes()
      const live = new Map<number, readonly Value[]>()
      for (const step of steps) {
        if (step.op === 'ask') {
          const expected = [...live].filter(([, own]) => own.some((value) => isWithin(value, step.bounds)))
          const slots = expected.map(([slot]) => slot).sort((a, b) => a - b)
          expect(asked(attributes, step.bounds)).toEqual(slots)
          found += slots.length
        } else if (step.op === 'remove') {
          attributes.remove(step.slot)
          live.delete(step.slot)
        } else {
          if (live.has(step.slot)) attributes.update(step.slot, episode(step.slot, step.values))
          else attributes.add(step.slot, episode(step.slot, step.values))
          live.set(step.slot, step.values)
        }
      }
    }),
    { numRuns: runs(400) },
  )
  expect(found, 'ranges that pass nothing').toBeGreaterThan(runs(400))
})

test('More values than there were before are taken into an order that was made for fewer.', () => {
  const attributes = new Attributes()
  const words = () => {
    const words = new Uint32Array(200)
    attributes.addWithin(PATH, { value: 'v1000', open: false }, { value: 'v1009', open: true }, words)
    return [...slotsOf(words)]
  }
  attributes.add(0, episode(0, ['v1000']))
  expect(words()).toEqual([0])
  for (let slot = 1; slot < 5000; slot++) attributes.add(slot, episode(slot, [`v${1000 + slot}`]))
  expect(words()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  for (let slot = 0; slot < 4000; slot += 2) attributes.remove(slot)
  expect(words()).toEqual([1, 3, 5, 7])
  expect(attributes.bytes).toBeGreaterThan(0)
})
