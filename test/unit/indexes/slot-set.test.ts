import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slotsOf } from '../../../src/base/bits.js'
import { SlotSet } from '../../../src/indexes/slot-set.js'

const steps = fc.array(
  fc.record({ from: fc.nat(3_000), many: fc.nat(120), step: fc.integer({ min: 1, max: 40 }), adds: fc.boolean() }),
  { maxLength: 12 },
)

test('A set of slots holds what was added and not removed, as a list and as a bit set.', () => {
  fc.assert(
    fc.property(steps, (steps) => {
      const set = new SlotSet()
      const expected = new Set<number>()
      for (const { from, many, step, adds } of steps) {
        for (let i = 0; i < many; i++) {
          const slot = from + i * step
          if (adds) set.add(slot)
          else set.remove(slot)
          if (adds) expected.add(slot)
          else expected.delete(slot)
        }
      }
      const slots = [...expected].sort((a, b) => a - b)
      expect([...set]).toEqual(slots)
      expect(set.size).toBe(slots.length)
      const words = new Uint32Array(64)
      words[0] = 1
      set.addTo(words)
      expect([...slotsOf(words)]).toEqual([...new Set([0, ...slots.filter((slot) => slot < 64 * 32)])])
    }),
  )
})

test('A set of many slots takes a bit for each, and one of a single slot some bytes, however high it is.', () => {
  const all = new SlotSet()
  for (let slot = 0; slot < 100_000; slot++) all.add(slot)
  expect(all.bytes).toBeLessThan(100_000 / 8 + 20_000)
  const single = new SlotSet()
  single.add(4_000_000_000)
  expect(single.bytes).toBeLessThan(500)
})
