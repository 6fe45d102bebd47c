import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import { Postings } from '../../../src/indexes/postings/postings.js'
import { seeded, shuffled } from '../../../bench/random.js'
import { runs } from '../../runs.js'
import { NaivePostings } from '../../unit/indexes/naive-postings.js'

/** Some terms that nearly all documents have, some that few have. */
const TERMS = Array.from({ length: 12 }, (_, i) => `term ${i}`)
/** More slots than are searched together, at distances from one to thousands. */
const SLOTS = 10_000

type Counts = ReadonlyMap<string, number>
type Step =
  | { readonly kind: 'add'; readonly slot: number; readonly counts: Counts }
  | { readonly kind: 'remove'; readonly slot: number }
  | { readonly kind: 'reload' }

const frequency = fc.oneof(
  { weight: 8, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 100_000 }) },
)
const counts: fc.Arbitrary<Counts> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: TERMS.length ** 2 - 1 }), frequency), { maxLength: 8 })
  .map((all) => new Map(all.map(([draw, frequency]) => [TERMS[Math.floor(Math.sqrt(draw))], frequency])))
const query = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...TERMS, 'never'),
      fc.oneof(fc.constant(1), fc.constant(0), fc.double({ min: 0.01, max: 10, noNaN: true })),
    ),
    {
      selector: ([term]) => term,
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((all) => new Map(all))
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('add' as const), slot: fc.nat(SLOTS), counts }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('remove' as const), slot: fc.nat(SLOTS) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'reload' }) },
)
/** So many documents to begin with, at so many slots from each other: blocks fill only then. */
const beginning = fc.record({ count: fc.nat(700), stride: fc.integer({ min: 1, max: 14 }), seed: fc.nat() })
/** Stretches of slots, each of a step: whole sessions, with gaps between them or none, or one slot in so many. */
const stretches = fc
  .array(
    fc.tuple(
      fc.nat(SLOTS),
      fc.integer({ min: 1, max: 3000 }),
      fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 400 })),
    ),
    { maxLength: 6 },
  )
  .map((all) =>
    masked(SLOTS + 3000, (allow) =>
      all.forEach(([first, count, step]) => {
        for (let slot = first; slot < first + count; slot += step) allow(slot)
      }),
    ),
  )
const allowed = fc.oneof(
  fc.array(fc.integer(), { maxLength: 320 }).map((words) => Uint32Array.from(words)),
  stretches,
)

/** A bit set of the slots that are called for. */
function masked(slots: number, call: (allow: (slot: number) => void) => void): Uint32Array {
  const words = new Uint32Array(Math.ceil(slots / 32))
  call((slot) => (words[slot >> 5] |= 1 << (slot & 31)))
  return words
}

/** Kept and loaded again. */
function reloaded(postings: Postings): Postings {
  const parts: CheckpointParts = new Map()
  postings.save(parts, 'postings')
  const copy = new Postings()
  copy.load(new Map([...parts].map(([name, array]) => [name, array.slice()])), 'postings')
  return copy
}

/** Does the same to both. A slot that is taken is freed first, one that is free is not. */
class Pair {
  postings = new Postings()
  readonly naive = new NaivePostings()
  readonly live = new Map<number, Counts>()

  add(slot: number, counts: Counts): void {
    this.remove(slot)
    this.postings.add(slot, counts)
    this.naive.add(slot, counts)
    this.live.set(slot, counts)
  }

  remove(slot: number): void {
    const counts = this.live.get(slot)
    this.postings.remove(slot)
    if (counts === undefined) return
    this.naive.remove(slot, counts)
    this.live.delete(slot)
  }

  take(step: Step): void {
    if (step.kind === 'add') this.add(step.slot, step.counts)
    // Mostly one that is there.
    else if (step.kind === 'remove') this.remove([...this.live.keys()][step.slot % (this.live.size + 1)] ?? step.slot)
    else this.postings = reloaded(this.postings)
  }
}

function begun({
  count,
  stride,
  seed,
}: {
  readonly count: number
  readonly stride: number
  readonly seed: number
}): Pair {
  const pair = new Pair()
  for (let i = 0; i < count; i++) {
    const counts = new Map<string, number>()
    for (let term = 0; term < TERMS.length; term++) {
      const draw = Math.imul(seed + i * TERMS.length + term, 0x9e3779b1) >>> 0
      if (draw % 16 >= term)
        counts.set(
          TERMS[(term + i) % TERMS.length === 0 ? 0 : term],
          1 + ((draw >>> 8) % 9 === 0 ? (draw >>> 12) % 5 : 0),
        )
    }
    pair.add(i * stride, counts)
  }
  return pair
}

describe('postings beside the naive ones', () => {
  test('answer the same, to the bit', () => {
    fc.assert(
      fc.property(
        beginning,
        fc.array(step, { maxLength: 60 }),
        query,
        fc.integer({ min: 0, max: 300 }),
        allowed,
        (beginning, steps, query, k, allow) => {
          const pair = begun(beginning)
          for (const step of steps) pair.take(step)
          const { postings, naive, live } = pair
          expect([postings.documents, postings.terms]).toEqual([naive.documents, naive.terms])
          expect(postings.search(query, k)).toEqual(naive.search(query, k))
          expect(postings.search(query, k, allow)).toEqual(naive.search(query, k, allow))
          for (const term of query.keys())
            expect([postings.documentFrequency(term), postings.idf(term)]).toEqual([
              naive.documentFrequency(term),
              naive.idf(term),
            ])
          const rows = new Map([...live.keys(), SLOTS + 1].map((slot, row) => [slot, row]))
          const { scores, terms } = postings.score(query, Uint32Array.from(rows.keys()))
          expect(scores).toEqual(naive.score(query, rows))
          const expected = new Uint32Array(rows.size)
          ;[...query].forEach(
            ([term, weight], bit) =>
              bit < 32 && weight > 0 && naive.having(term, rows, (row) => (expected[row] |= 1 << bit)),
          )
          expect(terms).toEqual(expected)
          for (const slot of [...live.keys(), SLOTS + 1])
            expect(Array.from(postings.termsOf(slot), (term) => postings.idfOf(term))).toEqual(
              naive.termsOf(slot).map((posting) => naive.idfOf(posting)),
            )
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test('with blocks split and joined, and windows and terms passed over', () => {
    const random = seeded(7)
    const words = Array.from({ length: 40 }, (_, i) => `word ${i}`)
    const pair = new Pair()
    const slots = shuffled(
      Array.from({ length: 24_000 }, (_, slot) => slot),
      random,
    )
    // From common words to such as three documents have; a few documents are short, and some words come in bursts.
    const document = (slot: number) =>
      new Map(
        words.flatMap((word, i) =>
          random() < (0.5 / (1 + i)) ** 1.6 * (slot % 4096 < 100 * i ? 1 : 0.3)
            ? [[word, random() < 0.9 ? 1 : 1 + Math.floor(8 * random())] as const]
            : [],
        ),
      )
    slots
      .slice(0, 12_000)
      .sort((a, b) => a - b)
      .forEach((slot) => pair.add(slot, document(slot)))
    slots.slice(12_000).forEach((slot) => pair.add(slot, document(slot)))
    slots.filter(() => random() < 0.2).forEach((slot) => pair.remove(slot))
    for (let slot = 24_000; slot < 26_000; slot++) pair.add(slot, document(slot))
    for (let i = 0; i < 150; i++) {
      const query = new Map(
        shuffled(words, random)
          .slice(0, 1 + Math.floor(9 * random()))
          .map((word) => [word, 1]),
      )
      const k = 1 + Math.floor(20 * random() ** 2)
      expect(pair.postings.search(query, k)).toEqual(pair.naive.search(query, k))
      // Sessions of 100 slots, near to each other and far; the more, the rarer.
      const often = random()
      const sessions = masked(26_000, (allow) => {
        for (let slot = 0; slot < 26_000; slot += 100)
          if (random() < often ** 3) for (let i = 0; i < 100; i++) allow(slot + i)
      })
      expect(pair.postings.search(query, k, sessions)).toEqual(pair.naive.search(query, k, sessions))
    }
    for (const word of words) expect(pair.postings.documentFrequency(word)).toBe(pair.naive.documentFrequency(word))
  })

  test('however long documents are', () => {
    const pair = new Pair()
    // The lengths beside which one byte cannot tell: what they make of a score must not depend on that.
    for (let slot = 0; slot < 20_000; slot++)
      pair.add(
        slot,
        new Map([
          ['pump', 1 + (slot % 5)],
          ['filler', 240 + ((slot * 7919) % 40)],
          ...(slot % 50 === 0 ? [['houston', 130 + (slot % 7)] as const] : []),
        ]),
      )
    for (const terms of [['pump'], ['houston', 'pump'], ['filler', 'houston']]) {
      const query = new Map(terms.map((term) => [term, 1]))
      for (const k of [1, 50, 500]) expect(pair.postings.search(query, k)).toEqual(pair.naive.search(query, k))
    }
  })

  test('however many score the same', () => {
    const pair = new Pair()
    // Blocks and windows do not begin together.
    for (let slot = 5; slot < 9_000; slot++)
      pair.add(
        slot,
        new Map([
          ['roger', 1],
          ...(slot % 3 === 0 ? [['houston', 1] as const] : []),
          ...(slot % 70 === 0 ? [['pump', 2] as const] : []),
        ]),
      )
    for (const terms of [['roger'], ['roger', 'houston'], ['houston', 'roger', 'pump'], ['pump', 'houston']]) {
      const query = new Map(terms.map((term) => [term, 1]))
      for (const k of [1, 50, 200, 9_000]) expect(pair.postings.search(query, k)).toEqual(pair.naive.search(query, k))
    }
  })
})

describe('a document that was removed', () => {
  test('leaves answers as if it had never been', () => {
    fc.assert(
      fc.property(beginning, counts, fc.nat(SLOTS), (beginning, counts, slot) => {
        const pair = begun({ ...beginning, count: beginning.count % 300 })
        const before = contents(pair.postings)
        fc.pre(!pair.live.has(slot) && ![...counts.keys()].some((term) => pair.postings.documentFrequency(term) === 0))
        pair.add(slot, counts)
        pair.remove(slot)
        expect(contents(pair.postings)).toEqual(before)
      }),
      { numRuns: runs(60) },
    )
  })

  test('leaves nothing when it was the last', () => {
    const pair = begun({ count: 300, stride: 3, seed: 1 })
    pair.add(7000, new Map([['secret word', 5]]))
    for (const slot of [...pair.live.keys()]) pair.remove(slot)
    const parts: CheckpointParts = new Map()
    pair.postings.save(parts, 'all')
    expect(pair.postings.terms).toBe(0)
    expect(pair.postings.number('secret word')).toBeUndefined()
    for (const name of [
      'all.terms.utf8',
      'all.terms.uses',
      'all.documents.paged.starts',
      'all.documents.paged.lengths',
      'all.documents.bytes',
      'all.lists.ends',
    ]) {
      expect(
        parts.get(name)!.every((value) => value === 0),
        name,
      ).toBe(true)
    }
    // Beside what links free blocks and regions.
    const table = parts.get('all.lists.blocks.table') as Uint32Array
    expect(table.filter((_, i) => ![2, 3, 4].includes(i % 8)).every((value) => value === 0)).toBe(true)
    const bytes = parts.get('all.lists.blocks.pool.bytes') as Uint8Array
    expect(bytes.filter((_, i) => i % 8 >= 4).every((value) => value === 0)).toBe(true)
  })

  test('gives its room back', () => {
    const pair = begun({ count: 700, stride: 1, seed: 1 })
    const { bytes } = pair.postings
    for (let round = 0; round < 5; round++) {
      const [slot, counts] = [...pair.live][round * 100]
      pair.remove(slot)
      pair.add(slot, counts)
    }
    expect(pair.postings.bytes).toBeLessThan(1.2 * bytes)
  })
})

/** Which documents have which terms and how often, as a search sees it. */
function contents(postings: Postings): unknown {
  return TERMS.map((term) => postings.search(new Map([[term, 1]]), SLOTS))
}
