import { describe, expect, test } from 'vitest'
import type { Audits } from '../../../../src/memory/forgetting/audits.js'
import { Tombstones } from '../../../../src/memory/forgetting/tombstones.js'
import { encodeEpisode } from '../../../../src/records/kinds/episode.js'

const row = encodeEpisode({
  id: 'a',
  at: '2026-01-01T00:00:00.000Z',
  text: 'A text.',
  triples: [],
  provenance: {},
} as never)
const day = (number: number) => new Date(number * 86_400_000).toISOString()

/** Audits whose windows end by their numbers, and how often one was looked up. */
function counted() {
  let lookups = 0
  const find = (audit: string) => {
    lookups++
    return { event: { tombstoneExpiry: day(1 + Number(audit)) } }
  }
  return { audits: { find } as unknown as Audits, lookups: () => lookups }
}

function buried(count: number): Tombstones {
  const tombstones = new Tombstones()
  for (let slot = 0; slot < count; slot++) tombstones.apply({ audit: String(slot), row } as never, slot)
  return tombstones
}

describe('Tombstones', () => {
  test('say when the first window ends of more unlearnings than a call takes arguments', () => {
    const { audits } = counted()
    expect(buried(150_000).firstExpiry(audits)).toBe(Date.parse(day(1)))
  })

  test('look at no other unlearning when one more is asked about after each', () => {
    const { audits, lookups } = counted()
    const tombstones = new Tombstones()
    for (let slot = 0; slot < 2_000; slot++) {
      tombstones.apply({ audit: String(2_000 - slot), row } as never, slot)
      expect(tombstones.firstExpiry(audits)).toBe(Date.parse(day(2_001 - slot)))
    }
    expect(lookups()).toBe(2_000)
  })

  test('know the next window when those before are over', () => {
    const { audits } = counted()
    const tombstones = buried(3)
    tombstones.apply({ audit: '0', row } as never, 7)
    expect(tombstones.of('0').map(({ slot }) => slot)).toEqual([0, 7])
    tombstones.remove(0)
    expect(tombstones.firstExpiry(audits)).toBe(Date.parse(day(1)))
    tombstones.remove(7)
    expect(tombstones.has('0')).toBe(false)
    expect(tombstones.firstExpiry(audits)).toBe(Date.parse(day(2)))
    for (const slot of [1, 2]) tombstones.remove(slot)
    expect(tombstones.firstExpiry(audits)).toBe(Infinity)
  })

  test('find what each of many unlearnings forgot without looking at all of them for each', () => {
    const tombstones = buried(60_000)
    for (let slot = 0; slot < 60_000; slot++) expect(tombstones.of(String(slot))[0].slot).toBe(slot)
  })
})
