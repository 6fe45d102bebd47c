import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bits, bitsOf, slotsBackwards, slotsOf } from '../../../src/base/bits.js'
import { Interner } from '../../../src/base/interner.js'

describe('bits', () => {
  test('are a set', () => {
    const slot = fc.oneof(fc.nat(70), fc.nat(10_000), fc.constantFrom(31, 32, 2047, 2048, 4096))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), slot)), slot, (steps, start) => {
        const bits = new Bits()
        const set = new Set<number>()
        for (const [add, at] of steps) {
          if (add) bits.add(at)
          else bits.remove(at)
          if (add) set.add(at)
          else set.delete(at)
        }
        const sorted = [...set].sort((a, b) => a - b)
        expect(bits.count).toBe(set.size)
        expect([...slotsOf(bits.words)]).toEqual(sorted)
        expect([...slotsOf(bits.words, start)]).toEqual(sorted.filter((at) => at >= start))
        expect([...slotsBackwards(bits.words, start)]).toEqual(sorted.filter((at) => at <= start).reverse())
        expect([...slotsBackwards(bits.words, -1)]).toEqual([])
        expect([...slotsBackwards(bits.words)]).toEqual(sorted.reverse())
        expect(bitsOf(set, bits.words.length)).toEqual(bits.words)
        for (const [, at] of steps) {
          expect(bits.has(at)).toBe(set.has(at))
          if (set.has(at)) expect(bits.words[at >> 5] & (1 << (at & 31))).not.toBe(0)
        }
      }),
    )
  })
})

describe('an interner', () => {
  test('gives every string in use a number of its own, and forgets those that nothing uses', () => {
    const names = ['a', 'b', 'c', '__proto__', '']
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...names))), (steps) => {
        const interner = new Interner()
        const uses = new Map<string, number>()
        for (const [add, name] of steps) {
          const count = uses.get(name) ?? 0
          if (!add && count === 0) continue
          if (add) expect(interner.name(interner.add(name))).toBe(name)
          else interner.remove(interner.find(name)!)
          if (!add && count === 1) uses.delete(name)
          else uses.set(name, count + (add ? 1 : -1))
          expect(interner.size).toBe(uses.size)
          const numbers = [...uses.keys()].map((used) => interner.find(used)!)
          expect(new Set(numbers).size).toBe(uses.size)
          expect(Math.max(-1, ...numbers)).toBeLessThan(names.length)
          for (const used of uses.keys()) expect(interner.name(interner.find(used)!)).toBe(used)
        }
        for (const name of names) if (!uses.has(name)) expect(interner.find(name)).toBeUndefined()
      }),
    )
  })
})
