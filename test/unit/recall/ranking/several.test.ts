import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../../../../src/api/check.js'
import type { Observation } from '../../../../src/api/episode.js'
import { Indexes } from '../../../../src/indexes/indexes.js'
import { readKernel } from '../../../../src/kernel/node.js'
import { loadKernel } from '../../../../src/kernel/load.js'
import { arenaSearch } from '../../../../src/recall/candidates/vector-search.js'
import { toQuestion } from '../../../../src/recall/query/to-question.js'
import { asksForSeveral, liftBestOfSessions } from '../../../../src/recall/ranking/several.js'
import type { Scored } from '../../../../src/recall/ranking/ranking.js'
import { recall } from '../../../../src/recall/recall.js'
import { toEpisode } from '../../../../src/records/observation.js'

const NOW = Date.UTC(2026, 0, 1)
const kernel = await loadKernel({ kernel: await readKernel() })

describe('What asks for several things', () => {
  test.each([
    'Which books has Sarah read?',
    'What kinds of music does Tom’s sister play?',
    'What other outdoor activities do they enjoy?',
    'What European countries has Maria been to?',
    'What LGBTQ+ events has she taken part in?',
    'What are some of her hobbies?',
    'Where has Maria been on holiday?',
    'Whom have we told about the party?',
    'How many times did John go to the beach?',
    'Quels soucis de santé a-t-elle eus ?',
    'In quali posti hanno suonato?',
    '¿Cuáles son sus pasatiempos?',
    'Quais lugares eles visitaram?',
    'Welche Fehler wurden gefunden?',
  ])('%s', (cue) => expect(asksForSeveral(cue)).toBe(true))

  test.each([
    'Which book did Sarah read last?',
    'What does Sarah like?',
    'Which bus did she take?',
    'What class has the best teacher?',
    'What is its name?',
    'How long has Melanie been painting?',
    'How much has it cost?',
    'Since when has the shop been open?',
    'How many years has she been a baker?',
    'What excuse did she have?',
    'Who has the key?',
    'I have read all of these books', // says it, and asks nothing
    'The colours have been mixed',
    'When was James born?',
    '',
  ])('not: %s', (cue) => expect(asksForSeveral(cue)).toBe(false))

  test('A long cue costs no more than its length', () => {
    const time = (cue: string) => {
      const started = performance.now()
      asksForSeveral(cue)
      return performance.now() - started
    }
    for (const word of ['what ', 'has ', 'what has ', 'ones ', 's', ' ']) {
      const [short, long] = [4_000, 64_000].map((length) => word.repeat(length / word.length))
      const [least, most] = [short, long].map((cue) => Math.min(...Array.from({ length: 5 }, () => time(cue))))
      expect(most).toBeLessThan(20 + 100 * least) // 16 times as long; a square would be 256 times
    }
  })
})

const found = (slot: number, score: number): Scored => ({
  slot,
  score,
  plain: score,
  likeness: 0,
  meaning: 0,
  coverage: 0,
  rests: 0,
  concepts: [],
  goal: 0,
  signals: () => ({ fusion: score }),
})

/** An index of turns in these sessions; `undefined` for a turn without one. */
function indexed(turns: readonly Observation[]) {
  const indexes = new Indexes(kernel)
  const episodes = turns.map((turn, slot) => toEpisode(turn, `ep_${slot}`, NOW, 'several'))
  episodes.forEach((episode, slot) => indexes.add(slot, episode, indexes.encode(episode).signatures))
  return { indexes, episodes }
}

test('The best of each session gains, and of those without a session each', () => {
  const sessions = ['a', 'a', 'a', 'b', undefined, undefined]
  const { indexes } = indexed(sessions.map((session, i) => ({ text: `turn ${i}`, ...(session && { session }) })))
  const ranked = [found(0, 1), found(1, 0.9), found(2, 0.85), found(3, 0.7), found(4, 0.5), found(5, 0.4)]
  const lifted = liftBestOfSessions(indexes.catalog, ranked)
  expect(lifted.map(({ slot }) => slot)).toEqual([0, 3, 1, 2, 4, 5])
  const gained = lifted.filter(({ signals }) => signals()['several'] !== undefined).map(({ slot }) => slot)
  expect(gained).toEqual([0, 3, 4, 5])
})

test('Law: the same candidates come back, best first; the score is the sum of the signals', () => {
  const sessions = Array.from({ length: 30 }, (_, i) => `s${i % 7}`)
  const { indexes } = indexed(sessions.map((session, i) => ({ text: `turn ${i}`, session })))
  const scores = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 30, maxLength: 30 })
  fc.assert(
    fc.property(scores, (values) => {
      const ranked = values.map((score, slot) => found(slot, score)).sort((a, b) => b.score - a.score)
      const lifted = liftBestOfSessions(indexes.catalog, ranked)
      expect(lifted.map(({ slot }) => slot).sort((a, b) => a - b)).toEqual(sessions.map((_, slot) => slot))
      lifted.forEach(({ score, signals }, i) => {
        expect(Object.values(signals()).reduce((sum, value) => sum + value, 0)).toBeCloseTo(score, 12)
        if (i > 0) expect(score).toBeLessThanOrEqual(lifted[i - 1].score)
      })
    }),
  )
})

describe('Recall', () => {
  // One session speaks of it again and again, two others once.
  const OTHER = ['The tram was late', 'We baked bread', 'It rained for hours', 'A neighbour moved out', 'The cat slept']
  const paint: readonly (readonly [session: string, texts: readonly string[]])[] = [
    ['studio', ['I was painting portraits', 'I was painting landscapes', 'I was painting horses']],
    ['garden', ['Painting the fence took us a weekend']],
    ['street', ['Painting my bicycle blue was a good idea']],
  ]
  const turns: Observation[] = paint.flatMap(([session, texts]) =>
    texts.flatMap((text) => [text, ...OTHER].map((said) => ({ text: said, session }))),
  )
  const { indexes, episodes } = indexed(turns)
  const deps = {
    fetch: async (slots: readonly number[]) => slots.map((slot) => episodes[slot]),
    time: () => import('../../../../src/extraction/time/reader.js'),
    walk: () => import('../../../../src/recall/graph/part.js'),
    vectors: arenaSearch(indexes),
  }
  const ask = async (cue: string) =>
    (await recall(indexes, deps, undefined, toQuestion(cue, { k: 3, fold: false }, NOW, DEFAULT_LIMITS))).matches
  const sessionsOf = (matches: readonly { readonly id: string }[]) =>
    new Set(matches.map(({ id }) => turns[Number(id.slice(3))].session))

  test('A question for several things is answered from several sessions', async () => {
    const several = await ask('Which things have I been painting?')
    expect(sessionsOf(several)).toEqual(new Set(['studio', 'garden', 'street']))
    expect(several.every(({ signals }) => signals.several === 0.3)).toBe(true)
  })

  test('Another is answered by what is best', async () => {
    const one = await ask('Was I painting portraits, landscapes or horses?')
    expect(sessionsOf(one)).toEqual(new Set(['studio']))
    expect(one.some(({ signals }) => signals.several !== undefined)).toBe(false)
  })
})
