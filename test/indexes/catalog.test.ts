import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Episode } from '../../src/core/episode.js'
import { toIso } from '../../src/core/time.js'
import { Catalog, type Visibility } from '../../src/indexes/catalog.js'

interface Facts {
  readonly session?: string
  readonly speaker?: string
  readonly source?: string
  readonly at: number
  readonly recordedAt: number
  readonly superseded?: { readonly at: number; readonly recordedAt: number }
}

function episode(slot: number, { session, speaker, source, at, recordedAt, superseded }: Facts): Episode {
  return {
    id: `ep_${slot}`, text: 'x', session, speaker, source, at: toIso(at), recordedAt: toIso(recordedAt), triples: [],
    ...(superseded && { superseded: { by: 'other', at: toIso(superseded.at), recordedAt: toIso(superseded.recordedAt) } }),
    provenance: { writer: 'test', episodes: [`ep_${slot}`] },
  }
}

/** The rules in words, one by one. */
function shown(facts: Facts, rules: Visibility): boolean {
  for (const key of ['session', 'speaker', 'source'] as const) {
    if (rules[key] !== undefined && rules[key] !== facts[key]) return false
  }
  const asOf = rules.transactionAsOf
  if (asOf !== undefined && facts.recordedAt > asOf) return false
  const ended = facts.superseded !== undefined && (asOf === undefined || facts.superseded.recordedAt <= asOf) ? facts.superseded.at : undefined
  if (rules.validAsOf === undefined) return ended === undefined || rules.now < ended
  return facts.at <= rules.validAsOf && (ended === undefined || rules.validAsOf < ended)
}

const time = fc.integer({ min: 0, max: 6 })
const facts: fc.Arbitrary<Facts> = fc.record(
  {
    session: fc.constantFrom('s', 't'), speaker: fc.constantFrom('ann', 'bob'), source: fc.constantFrom('chat', 'mail'),
    at: time, recordedAt: time, superseded: fc.record({ at: time, recordedAt: time }),
  },
  { requiredKeys: ['at', 'recordedAt'] },
)
const rules: fc.Arbitrary<Visibility> = fc.record(
  {
    session: fc.constantFrom('s', 'u'), speaker: fc.constantFrom('ann', 'eve'), source: fc.constantFrom('chat', 'rss'),
    validAsOf: time, transactionAsOf: time, now: time,
  },
  { requiredKeys: ['now'] },
)
const SLOTS = [0, 1, 31, 32, 33, 63, 64, 2047, 2048, 5000]

describe('the catalog', () => {
  test('shows what the rules of visibility allow, one by one and as a mask, through adds, removals and supersessions', () => {
    const held = fc.tuple(facts, fc.boolean(), fc.option(fc.record({ at: time, recordedAt: time }), { nil: undefined }))
    fc.assert(
      fc.property(fc.array(held, { minLength: SLOTS.length, maxLength: SLOTS.length }), fc.array(rules, { minLength: 1, maxLength: 8 }), (all, asked) => {
        const catalog = new Catalog()
        const live = new Map<number, Facts>()
        all.forEach(([own], i) => catalog.add(SLOTS[i], episode(SLOTS[i], own)))
        all.forEach(([own, removed, later], i) => {
          const slot = SLOTS[i]
          const now = { ...own, ...(own.superseded === undefined && later && { superseded: later }) }
          if (own.superseded === undefined && later !== undefined) catalog.supersede(slot, episode(slot, now))
          if (removed) catalog.remove(slot)
          else live.set(slot, now)
        })
        expect(catalog.size).toBe(live.size)
        expect([...catalog.slots()]).toEqual([...live.keys()])
        expect([...catalog.slots(33)]).toEqual([...live.keys()].filter((slot) => slot >= 33))
        for (const rule of asked) {
          const mask = catalog.mask(rule)
          const every = Array.from({ length: 5002 }, (_, slot) => slot)
          const expected = [...live].filter(([, own]) => shown(own, rule)).map(([slot]) => slot)
          expect(every.filter((slot) => catalog.visible(slot, rule))).toEqual(expected)
          const shownBy = (mask: Uint32Array | undefined) => (mask === undefined ? [...live.keys()] : every.filter((slot) => mask[slot >> 5] & (1 << (slot & 31))))
          expect(shownBy(mask)).toEqual(expected)
          expect(catalog.allVisible(rule)).toEqual(expected)
          expect(catalog.newest(3, (slot) => catalog.visible(slot, rule))).toEqual(expected.slice(-3))
          const session = rule.session && [...live].filter(([, own]) => own.session === rule.session).map(([slot]) => slot)
          if (session) expect(shownBy(catalog.mask(rule, session))).toEqual(expected)
        }
        for (const key of ['sessions', 'speakers', 'sources'] as const) {
          const used = new Set([...live.values()].map((own) => own[key.slice(0, -1) as 'session']).filter((name) => name !== undefined))
          expect(catalog[key].size).toBe(used.size)
          for (const name of used) expect(catalog[key].find(name!)).toBeDefined()
        }
      }),
      { numRuns: 200 },
    )
  })

  test('finds slots by id and ids by slot while they live', () => {
    const catalog = new Catalog()
    catalog.add(7, episode(7, { at: 1, recordedAt: 2, speaker: 'ann' }))
    expect([catalog.slot('ep_7'), catalog.id(7), catalog.speaker(7), catalog.validFrom(7)]).toEqual([7, 'ep_7', 'ann', 1])
    catalog.remove(7)
    catalog.remove(7)
    expect([catalog.slot('ep_7'), catalog.id(7), catalog.speaker(7), catalog.size]).toEqual([undefined, undefined, undefined, 0])
  })

  test('needs no mask when everything is visible', () => {
    const catalog = new Catalog()
    catalog.add(0, episode(0, { at: 1, recordedAt: 2 }))
    expect(catalog.mask({ now: 5 })).toBeUndefined()
    catalog.add(1, episode(1, { at: 1, recordedAt: 2, superseded: { at: 3, recordedAt: 4 } }))
    expect([...catalog.mask({ now: 5 })!].slice(0, 2)).toEqual([1, 0])
    catalog.remove(1)
    expect(catalog.mask({ now: 5 })).toBeUndefined()
  })
})
