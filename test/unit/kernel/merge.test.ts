import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeHits } from '../../../src/kernel/merge.js'
import { reference } from './kernels.js'

/** Few, so that most scores tie. */
const signatures = Array.from({ length: 5 }, (_, i) => reference.fromName(`part ${i}`))

test('what is found in parts, merged, is what is found in the whole', () => {
  const held = fc.uniqueArray(fc.record({ slot: fc.nat(99), kind: fc.nat(4), part: fc.nat(3) }), {
    selector: ({ slot }) => slot,
    maxLength: 40,
  })
  fc.assert(
    fc.property(held, fc.nat(20), fc.nat(4), (held, k, asked) => {
      const whole = reference.arena()
      const parts = Array.from({ length: 4 }, () => reference.arena())
      for (const { slot, kind, part } of held)
        for (const arena of [whole, parts[part]]) arena.set(slot, signatures[kind])
      const query = reference.query(signatures[asked])
      const found = parts.map((part) => part.scan(query, k))
      expect(mergeHits(found, k)).toEqual(whole.scan(query, k))
    }),
  )
})

test('nothing merged is nothing', () => {
  expect(mergeHits([], 3)).toEqual({ slots: new Uint32Array(0), scores: new Int32Array(0) })
})
