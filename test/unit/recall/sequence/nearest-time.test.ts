import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestTime } from '../../../../src/recall/sequence/nearest-time.js'
import { Times } from '../../../../src/indexes/times.js'

/** Slots of several pages, of which some have none, with times that are often the same. */
const entries = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(60), fc.integer({ min: 1000, max: 1100 }), fc.integer({ min: 9000, max: 9020 })),
    fc.oneof(fc.nat(8), fc.constant(Infinity)),
  ),
  { minLength: 1, maxLength: 80 },
)

/** The nearest as its definition says it: looked for among all. */
function naive(
  bySlot: ReadonlyMap<number, number>,
  slot: number,
  forward: boolean,
  isMeant: (slot: number) => boolean,
) {
  const order = [...bySlot].filter(([other, at]) => at < Infinity || other === slot)
  order.sort(([a, at], [b, bt]) => (at === bt ? a - b : at - bt))
  if (!forward) order.reverse()
  const here = order.findIndex(([other]) => other === slot)
  return order.slice(here + 1).find(([other]) => isMeant(other))?.[0] ?? -1
}

test('the nearest time on a side of a slot is that which a search of all finds', () => {
  fc.assert(
    fc.property(entries, fc.nat(), fc.boolean(), fc.integer({ min: 2, max: 5 }), (pairs, index, forward, left) => {
      const times = new Times()
      const bySlot = new Map<number, number>()
      for (const [slot, time] of pairs) {
        times.set(slot, time)
        bySlot.set(slot, time)
      }
      const finite = [...bySlot].filter(([, at]) => at < Infinity)
      fc.pre(finite.length > 0)
      const [slot] = finite[index % finite.length]
      const isMeant = (other: number) => other % left !== 0
      expect(nearestTime(times, slot, forward, isMeant)).toBe(naive(bySlot, slot, forward, isMeant))
    }),
    { numRuns: 500 },
  )
})

test('hardly any of a million slots are looked at for the nearest', () => {
  const times = new Times()
  for (let slot = 0; slot < 1_000_000; slot++) times.set(slot, slot * 1000)
  let asked = 0
  const isMeant = () => ++asked > 0
  expect(nearestTime(times, 500_000, true, isMeant)).toBe(500_001)
  expect(nearestTime(times, 500_000, false, isMeant)).toBe(499_999)
  expect(asked).toBeLessThan(5000)
})
