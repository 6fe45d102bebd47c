import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { toIso } from '../../../src/api/time.js'
import { slotsOf } from '../../../src/base/bits.js'
import { Catalog } from '../../../src/indexes/catalog.js'
import type { Visibility } from '../../../src/indexes/visibility.js'

interface Facts {
  readonly session?: string
  readonly speaker?: string
  readonly source?: string
  readonly at: number
  readonly recordedAt: number
  /** When it ends by itself. */
  readonly validTo?: number
  readonly superseded?: { readonly at: number; readonly recordedAt: number }
  readonly updatedAt?: number
}

function episode(
  slot: number,
  { session, speaker, source, at, recordedAt, validTo, superseded, updatedAt }: Facts,
): Episode {
  return {
    id: `ep_${slot}`,
    text: 'x',
    session,
    speaker,
    source,
    at: toIso(at),
    recordedAt: toIso(recordedAt),
    triples: [],
    ...(validTo !== undefined && { validTo: toIso(validTo) }),
    ...(updatedAt !== undefined && { updatedAt: toIso(updatedAt) }),
    ...(superseded && {
      superseded: { by: 'other', at: toIso(superseded.at), recordedAt: toIso(superseded.recordedAt) },
    }),
    provenance: { writer: 'test', episodes: [`ep_${slot}`] },
  }
}

/** The rules in words, one by one. */
function shown(facts: Facts, rules: Visibility): boolean {
  for (const key of ['session', 'speaker', 'source'] as const) {
    if (rules[key] !== undefined && rules[key] !== facts[key]) return false
  }
  const asOf = rules.transactionAsOf
  if (asOf !== undefined && (facts.recordedAt > asOf || (facts.updatedAt ?? -1) > asOf)) return false
  const replaced =
    facts.superseded !== undefined && (asOf === undefined || facts.superseded.recordedAt <= asOf)
      ? facts.superseded.at
      : Infinity
  const ended = Math.min(replaced, facts.validTo ?? Infinity)
  if (rules.within !== undefined && (facts.at < rules.within.from || facts.at >= rules.within.to)) return false
  if (rules.validAsOf === undefined) return rules.now < ended
  return facts.at <= rules.validAsOf && rules.validAsOf < ended
}

const time = fc.integer({ min: 0, max: 6 })
const end = fc.record({ at: time, recordedAt: time })
const facts: fc.Arbitrary<Facts> = fc.record(
  {
    session: fc.constantFrom('s', 't'),
    speaker: fc.constantFrom('ann', 'bob'),
    source: fc.constantFrom('chat', 'mail'),
    at: time,
    recordedAt: time,
    validTo: time,
    superseded: end,
    updatedAt: time,
  },
  { requiredKeys: ['at', 'recordedAt'] },
)
const asked = fc.oneof(time, fc.constantFrom(-1, 2.5, 7))
const rules: fc.Arbitrary<Visibility> = fc.record(
  {
    session: fc.constantFrom('s', 'u'),
    speaker: fc.constantFrom('ann', 'eve'),
    source: fc.constantFrom('chat', 'rss'),
    validAsOf: asked,
    transactionAsOf: asked,
    within: fc.record({ from: asked, to: asked }),
    now: asked,
  },
  { requiredKeys: ['now'] },
)
/** Of several pages and words, one of them full; a page between them has none. */
const SLOTS = [...Array.from({ length: 66 }, (_, i) => i + 62), 0, 1, 31, 32, 33, 1023, 1024, 2047, 4096, 5000]
const BEYOND = 5002

describe('the catalog', () => {
  test('applies the visibility rules to slots and masks after adds, removals, supersessions and checkpoints', () => {
    const place = fc.nat(SLOTS.length - 1)
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ place, facts, many: fc.integer({ min: 1, max: 20 }) }) },
      { weight: 4, arbitrary: fc.record({ place, superseded: fc.option(end, { nil: undefined }) }) },
      { weight: 1, arbitrary: fc.record({ place, removed: fc.constant(true) }) },
      { weight: 1, arbitrary: fc.constant('reload' as const) },
    )
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        fc.array(rules, { minLength: 4, maxLength: 8 }),
        (steps, asked) => {
          let catalog = new Catalog()
          const live = new Map<number, Facts>()
          const used = new Set<number>()
          for (const step of steps) {
            if (step === 'reload') {
              const parts: CheckpointParts = new Map()
              catalog.save(parts, 'it')
              catalog = new Catalog()
              catalog.load(parts, 'it')
              continue
            }
            const slot = SLOTS[step.place]
            if ('facts' in step) {
              // No slot is used twice.
              for (const slot of SLOTS.slice(step.place, step.place + step.many).filter((slot) => !used.has(slot))) {
                used.add(slot)
                live.set(slot, step.facts)
                catalog.add(slot, episode(slot, step.facts))
              }
            } else if ('removed' in step) {
              catalog.remove(slot)
              live.delete(slot)
            } else if (live.has(slot)) {
              live.set(slot, { ...live.get(slot)!, superseded: step.superseded })
              catalog.supersede(slot, episode(slot, live.get(slot)!))
            }
          }
          const slots = [...live.keys()].sort((a, b) => a - b)
          expect(catalog.size).toBe(live.size)
          expect([...catalog.slots()]).toEqual(slots)
          expect([...catalog.slots(33)]).toEqual(slots.filter((slot) => slot >= 33))
          const every = Array.from({ length: BEYOND }, (_, slot) => slot)
          for (const rule of asked) {
            const expected = slots.filter((slot) => shown(live.get(slot)!, rule))
            expect(every.filter(catalog.seeing(rule))).toEqual(expected)
            expect(SLOTS.filter((slot) => catalog.visible(slot, rule)).sort((a, b) => a - b)).toEqual(expected)
            const mask = catalog.mask(rule) ?? catalog.live
            expect([...slotsOf(mask)]).toEqual(expected)
            expect(catalog.newest(3, mask)).toEqual(expected.slice(-3))
            const session = rule.session && slots.filter((slot) => live.get(slot)!.session === rule.session)
            if (session) expect([...slotsOf(catalog.mask(rule, session)!)]).toEqual(expected)
          }
          for (const key of ['sessions', 'speakers', 'sources'] as const) {
            const used = new Set(
              [...live.values()].map((own) => own[key.slice(0, -1) as 'session']).filter((name) => name !== undefined),
            )
            expect(catalog[key].size).toBe(used.size)
            for (const name of used) expect(catalog[key].find(name!)).toBeDefined()
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('finds slots by id and ids by slot while they live', () => {
    const catalog = new Catalog()
    catalog.add(7, episode(7, { at: 1, recordedAt: 2, speaker: 'ann' }))
    expect([catalog.slot('ep_7'), catalog.id(7), catalog.speaker(7), catalog.validFrom(7)]).toEqual([
      7,
      'ep_7',
      'ann',
      1,
    ])
    catalog.remove(7)
    catalog.remove(7)
    expect([catalog.slot('ep_7'), catalog.id(7), catalog.speaker(7), catalog.size]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ])
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
