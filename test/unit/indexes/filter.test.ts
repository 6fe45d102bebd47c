import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { checkFilter } from '../../../src/api/check-filter.js'
import { DEFAULT_LIMITS } from '../../../src/api/check.js'
import type { Filter } from '../../../src/api/filter.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { slotsOf } from '../../../src/base/bits.js'
import { Attributes } from '../../../src/indexes/attributes.js'
import { slotsOfFilter } from '../../../src/indexes/filter.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { runs } from '../../runs.js'
import { kernel } from '../encoding/kernel.js'
import { attributes, day, filters, passes } from './naive-filter.js'

const SLOTS = 10

type Fields = typeof attributes extends fc.Arbitrary<infer F> ? F : never
const steps = fc.array(
  fc.oneof(
    fc.record({ slot: fc.nat(SLOTS - 1), fields: attributes }),
    fc.record({ slot: fc.nat(SLOTS - 1), fields: fc.constant(undefined) }),
  ),
  { minLength: 1, maxLength: 25 },
)

function toEpisode(slot: number, fields: Fields): Episode {
  return {
    ...(fields as Partial<Episode>),
    id: `e${slot}`,
    text: 'the harbour',
    at: fields.at,
    recordedAt: day(slot % 5),
    triples: [],
    provenance: { writer: 'test', episodes: [`e${slot}`] },
  }
}

const found = (indexes: Indexes, filter: Filter) => [
  ...slotsOf(slotsOfFilter(indexes, checkFilter('filter', filter, DEFAULT_LIMITS))),
]

test('A filter passes the episodes that fulfil each of its parts, whatever was updated and removed before.', () => {
  let passed = 0
  let held = 0
  fc.assert(
    fc.property(steps, fc.array(filters, { minLength: 1, maxLength: 8 }), (steps, filters) => {
      const indexes = new Indexes(kernel)
      const live = new Map<number, Episode>()
      for (const { slot, fields } of steps) {
        const before = live.get(slot)
        if (fields === undefined) {
          if (before !== undefined) indexes.remove(slot, before)
          live.delete(slot)
          continue
        }
        const episode = toEpisode(slot, fields)
        if (before === undefined) indexes.add(slot, episode, indexes.encode(episode).signatures)
        else indexes.update(slot, episode)
        live.set(slot, episode)
      }
      const slots = [...live.keys()].sort((a, b) => a - b)
      try {
        for (const filter of filters) {
          const expected = slots.filter((slot) => passes(live.get(slot)!, filter))
          expect(found(indexes, filter)).toEqual(expected)
          passed += expected.length
          held += slots.length
        }
      } finally {
        indexes.free()
      }
    }),
    { numRuns: runs(300) },
  )
  expect(passed / held, 'most filters pass nothing, or everything').toBeGreaterThan(0.1)
  expect(passed / held).toBeLessThan(0.9)
})

test('An index of attributes that was saved and loaded answers as before, and goes on from there.', () => {
  fc.assert(
    fc.property(fc.array(attributes, { minLength: 1, maxLength: 10 }), fc.nat(9), (fields, gone) => {
      const episodes = fields.map((one, slot) => toEpisode(slot, one))
      const saved = new Attributes()
      episodes.forEach((episode, slot) => saved.add(slot, episode))
      saved.remove(gone)
      const parts: CheckpointParts = new Map()
      saved.save(parts, 'a')
      const loaded = new Attributes()
      loaded.load(structuredClone(parts), 'a')
      const answer = (index: Attributes) => {
        const words = ['metadata.a', 'metadata.b', 'metadata.a\\.b', 'tags', 'expiresAt'].flatMap((attribute) => {
          const [equal, present, between, strings] = [1, 2, 3, 4].map(() => new Uint32Array(1))
          index.addEqual(attribute, ['a', 'red', 2, null, true], equal)
          index.addPresent(attribute, present)
          index.addWithin(attribute, { value: 0, open: true }, { value: 1e15, open: false }, between)
          index.addWithin(attribute, undefined, { value: 'b', open: false }, strings)
          return [equal, present, between, strings]
        })
        return [words, index.size]
      }
      expect(answer(loaded)).toEqual(answer(saved))
      for (const index of [saved, loaded]) index.remove(0)
      for (const index of [saved, loaded]) episodes.slice(0, 3).forEach((episode, i) => index.add(20 + i, episode))
      expect(answer(loaded)).toEqual(answer(saved))
      for (const index of [saved, loaded]) for (let slot = 0; slot < 30; slot++) index.remove(slot)
      expect([saved.size, loaded.size]).toEqual([0, 0])
    }),
    { numRuns: runs(100) },
  )
})

test('An episode without attributes costs the index of attributes nothing.', () => {
  const index = new Attributes()
  const before = index.bytes
  for (let slot = 0; slot < 1_000; slot++) index.add(slot, toEpisode(slot, { at: day(0) } as Fields))
  expect(index.bytes).toBe(before)
})
