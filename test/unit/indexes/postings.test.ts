import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Postings } from '../../../src/indexes/postings/postings.js'

const K1 = 0.9
const B = 0.4
const TERMS = ['pump', 'tank', 'fuel', 'москва', '東京', 'never']
type Documents = Map<number, Map<string, number>>

/** BM25 from its definition, document by document. */
function bm25(documents: Documents, query: ReadonlyMap<string, number>, slot: number): number {
  const length = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const mean = [...documents.values()].reduce((sum, counts) => sum + length(counts), 0) / documents.size
  let score = 0
  for (const [term, weight] of query) {
    const containing = [...documents.values()].filter((counts) => counts.has(term)).length
    const idf = Math.log(1 + (documents.size - containing + 0.5) / (containing + 0.5))
    const frequency = documents.get(slot)!.get(term) ?? 0
    const norm = 1 - B + (B * length(documents.get(slot)!)) / mean
    if (frequency > 0) score += (weight * idf * frequency * (K1 + 1)) / (frequency + K1 * norm)
  }
  return score
}

const counts = fc
  .dictionary(fc.constantFrom(...TERMS.slice(0, 5)), fc.integer({ min: 1, max: 5 }), { maxKeys: 4 })
  .map((all) => new Map(Object.entries(all)))
const documents = fc.uniqueArray(fc.tuple(fc.nat(300), counts), {
  selector: ([slot]) => slot,
  minLength: 1,
  maxLength: 25,
})
const query = fc
  .dictionary(fc.constantFrom(...TERMS), fc.integer({ min: 1, max: 3 }), { minKeys: 1 })
  .map((weights) => new Map(Object.entries(weights)))

function build(all: Iterable<readonly [number, Map<string, number>]>): Postings {
  const postings = new Postings()
  for (const [slot, terms] of all) postings.add(slot, terms)
  return postings
}

describe('postings', () => {
  test('score as BM25 says, best first, ties by slot', () => {
    fc.assert(
      fc.property(documents, query, fc.integer({ min: 1, max: 30 }), (all, weights, k) => {
        const postings = build(all)
        const slots = all.map(([slot]) => slot)
        const expected = slots.map((slot) => bm25(new Map(all), weights, slot))
        const { scores, terms } = postings.score(weights, Uint32Array.from(slots))
        scores.forEach((score, i) => expect(score).toBeCloseTo(expected[i], 10))
        const names = [...weights.keys()]
        all.forEach(([, counts], i) =>
          expect(names.filter((_, place) => (terms[i] >>> place) & 1)).toEqual(
            names.filter((name) => counts.has(name)),
          ),
        )
        // One of them alone is looked up in the lists; all of them are found by walking along.
        slots.forEach((slot, i) =>
          expect(postings.score(weights, Uint32Array.of(slot)).scores[0]).toBeCloseTo(expected[i], 10),
        )
        const found = postings.search(weights, k)
        expect(postings.search(weights, k)).toEqual(found)
        expect(found.slots).toHaveLength(Math.min(k, expected.filter((score) => score > 0).length))
        found.slots.forEach((slot, i) => {
          expect(found.scores[i]).toBeCloseTo(expected[slots.indexOf(slot)], 10)
          if (i === 0) return
          const [before, score] = [found.scores[i - 1], found.scores[i]]
          expect(before > score || (before === score && found.slots[i - 1] < slot)).toBe(true)
        })
        const least = found.scores.at(-1) ?? 0
        slots.forEach((slot, i) => {
          if (!found.slots.includes(slot)) expect(expected[i]).toBeLessThanOrEqual(least + 1e-9)
        })
      }),
      { numRuns: 200 },
    )
  })

  test('after adds and removes in any order equal those built afresh, to the bit', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.boolean()), query, (all, coins, weights) => {
        const gone = all.filter(() => coins.next().value)
        const stay = all.filter((entry) => !gone.includes(entry))
        const postings = new Postings()
        const waiting = [...gone]
        for (const [slot, terms] of all) {
          postings.add(slot, terms)
          const at = waiting.findIndex(([other]) => other === slot)
          if (at >= 0 && coins.next().value) postings.remove(waiting.splice(at, 1)[0][0])
        }
        for (const [slot] of waiting) postings.remove(slot)
        const fresh = build([...stay].sort(([a], [b]) => a - b))
        expect(postings.search(weights, 100)).toEqual(fresh.search(weights, 100))
        expect([postings.documents, postings.terms]).toEqual([fresh.documents, fresh.terms])
        for (const term of TERMS)
          expect([postings.documentFrequency(term), postings.idf(term)]).toEqual([
            fresh.documentFrequency(term),
            fresh.idf(term),
          ])
      }),
      { numRuns: 200 },
    )
  })

  test('of many documents the best are found, whatever their order, ties by slot', () => {
    const frequencies = Array.from({ length: 5000 }, (_, slot) => 1 + ((slot * 7919) % 13))
    const postings = build(
      frequencies.map((frequency, slot) => [
        slot,
        new Map([
          ['tank', frequency],
          ['pump', 14 - frequency],
        ]),
      ]),
    )
    const best = frequencies
      .map((frequency, slot) => ({ frequency, slot }))
      .sort((a, b) => b.frequency - a.frequency || a.slot - b.slot)
    expect(postings.search(new Map([['tank', 1]]), 20).slots).toEqual(best.slice(0, 20).map(({ slot }) => slot))
  })

  test('find only what is allowed', () => {
    const postings = build([3, 40, 70].map((slot) => [slot, new Map([['tank', 1]])]))
    const allow = new Uint32Array([0, 1 << 8])
    expect(postings.search(new Map([['tank', 1]]), 5, allow).slots).toEqual([40])
  })

  test('of what is allowed, few or many, the best are found', () => {
    const postings = build(
      Array.from({ length: 15_000 }, (_, slot) => [
        slot,
        new Map([
          ['tank', 1 + ((slot * 7919) % 13)],
          [slot % 3 === 0 ? 'pump' : 'dog', 1],
        ]),
      ]),
    )
    const weights = new Map([
      ['tank', 1],
      ['pump', 2],
    ])
    const all = postings.search(weights, 15_000)
    const spread = fc.tuple(fc.nat(14_999), fc.integer({ min: 1, max: 15_000 }), fc.integer({ min: 1, max: 300 }))
    fc.assert(
      fc.property(fc.array(spread, { maxLength: 3 }), fc.integer({ min: 1, max: 60 }), (spreads, k) => {
        const allow = new Uint32Array(460)
        for (const [first, most, step] of spreads)
          for (let slot = first; slot < Math.min(15_000, first + most); slot += step)
            allow[slot >> 5] |= 1 << (slot & 31)
        const best = all.slots
          .map((slot, i) => ({ slot, score: all.scores[i] }))
          .filter(({ slot }) => (allow[slot >> 5] >>> (slot & 31)) & 1)
          .slice(0, k)
        expect(postings.search(weights, k, allow)).toEqual({
          slots: best.map(({ slot }) => slot),
          scores: best.map(({ score }) => score),
        })
      }),
      { numRuns: 60 },
    )
  })

  test('removing what is not there changes nothing', () => {
    const postings = build([[1, new Map([['tank', 2]])]])
    postings.remove(2)
    expect([postings.documents, postings.terms, postings.documentFrequency('tank')]).toEqual([1, 1, 1])
  })

  test('a document without terms counts as one', () => {
    const postings = build([
      [0, new Map()],
      [1, new Map([['tank', 1]])],
    ])
    expect(postings.documents).toBe(2)
    expect(postings.idf('tank')).toBeCloseTo(Math.log(2), 12)
    expect(postings.search(new Map([['tank', 1]]), 5).slots).toEqual([1])
  })
})
