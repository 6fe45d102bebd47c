import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('Who asks for more gets the others behind the same first ones, best first, each once.', async () => {
  const cue = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...DOINGS), fc.constantFrom(...THINGS))
  await fc.assert(
    fc.asyncProperty(cue, async ([name, doing, thing]) => {
      const question = `Who ${doing} the ${thing} of ${name}?`
      // As deep each time, so that the candidates are the same.
      const ask = async (k: number) => (await db.recall(question, { k, fold: false, learn: false })).matches
      const few = await ask(60)
      const ids = (matches: typeof few) => matches.map(({ id }) => id)
      expect(ids(await ask(10))).toEqual(ids(few).slice(0, 10))
      expect(few).toHaveLength(60)

      const many = await ask(200)
      expect(many).toHaveLength(200)
      expect(new Set(ids(many)).size).toBe(200)
      const scores = many.map(({ signals }) => Object.values(signals).reduce((sum, value) => sum + value, 0))
      scores.forEach((score, i) => i > 0 && expect(score).toBeLessThanOrEqual(scores[i - 1] + 1e-9))
    }),
    { numRuns: 20 },
  )
})

test('A quotation stands first, whatever else is promising.', async () => {
  for (const { id, text } of turns.filter((_, i) => i % 40 === 3)) {
    const { matches } = await db.recall(text, { k: 1, learn: false })
    expect(matches[0].id).toBe(id)
  }
})
