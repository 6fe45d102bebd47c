import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecallOptions } from '../../../../src/api/recall.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const NAMES = ['Ann', 'Tom', 'Eve', 'Sam']
const THINGS = ['pump', 'boat', 'garden', 'violin', 'bread', 'train', 'letter', 'lamp', 'cellar', 'cousin']
const DOINGS = ['repaired', 'painted', 'sold', 'lost', 'found', 'borrowed', 'cleaned', 'carried']

/** Many turns of which each is like many others. */
const turns = Array.from({ length: 400 }, (_, i) => ({
  id: String(i),
  text: `I ${DOINGS[i % 8]} the ${THINGS[i % 10]} of ${NAMES[(i >> 3) % 4]}, then the ${THINGS[(i * 7) % 9]} ${i}`,
  speaker: NAMES[i % 4],
  session: `s${i >> 5}`,
}))

let db: Agidb
beforeEach(async () => {
  db = await Agidb.open({ storage: 'memory', extract: 'none' })
  await db.observeMany(turns)
  await db.recall('pump', { whole: true })
})
afterEach(() => db.close())

test('As many are given as are asked for, each once and best first.', async () => {
  const cue = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...DOINGS), fc.constantFrom(...THINGS))
  await fc.assert(
    fc.asyncProperty(cue, fc.constantFrom(1, 10, 60, 200), async ([name, doing, thing], k) => {
      const question = `Who ${doing} the ${thing} of ${name}?`
      const { matches } = await db.recall(question, { k, fold: false, learn: false })
      expect(new Set(matches.map(({ id }) => id)).size).toBe(k)
      const scores = matches.map(({ signals }) => Object.values(signals).reduce((sum, value) => sum + value, 0))
      scores.forEach((score, i) => i > 0 && expect(score).toBeLessThanOrEqual(scores[i - 1] + 1e-9))
      const { matches: first } = await db.recall(question, { k: 1, fold: false, learn: false })
      if (k <= 60) expect(matches[0].id).toBe(first[0].id)
    }),
    { numRuns: 30 },
  )
})

test('More candidates are ranked for a tier floor, for a pattern, and for many matches.', async () => {
  const ranked = async (options: RecallOptions) => {
    const asked = { ...options, traceAttention: true, fold: false, learn: false }
    const { attentionTrace } = await db.recall('What did Ann do with the boat?', asked)
    return attentionTrace!.candidates.filter(({ rejection }) => rejection !== 'not among the shortlist').length
  }
  expect(await ranked({})).toBeLessThan(100)
  expect(await ranked({ tierFloor: 'exact' })).toBeGreaterThan(100)
  expect(await ranked({ structured: { subject: 'Ann' } })).toBeGreaterThan(100)
  expect(await ranked({ k: 150 })).toBeGreaterThanOrEqual(150)
})

test('A quotation stands first, whatever else is promising.', async () => {
  for (const { id, text } of turns.filter((_, i) => i % 40 === 3)) {
    const { matches } = await db.recall(text, { k: 1, learn: false })
    expect(matches[0].id).toBe(id)
  }
})
