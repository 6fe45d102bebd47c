import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Recall } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import type { NeurosymbolicQuery } from '../../../src/api/neurosymbolic.js'
import { NOW, openMemory } from '../engine/open.js'

const DAY = 86_400_000
const ids = ({ matches }: Recall) => matches.map(({ id }) => id)
const answer = ({ matches, tierUsed }: Recall) => ({ matches, tierUsed })

/** What a memory was told: who, what, of what, how many days ago. */
const SAID: readonly (readonly [
  id: string,
  text: string,
  triple: readonly [string, string, string] | undefined,
  days: number,
])[] = [
  ['bawri', 'Sarah recommended Bawri, a thai place in Bandra.', ['Sarah', 'recommends', 'Bawri'], 40],
  ['book', 'Sarah said I should read Dune.', ['Sarah', 'recommends', 'Dune'], 30],
  ['tom', 'Tom suggested the noodle bar.', ['Tom', 'suggests', 'Noodle Bar'], 20],
  ['tea', 'Sarah likes green tea.', ['Sarah', 'likes', 'Green tea'], 18],
  ['olives', 'Sarah does not like olives.', ['Sarah', 'does not like', 'Olives'], 15],
  ['type', 'Bawri is a restaurant.', ['Bawri', 'is a', 'restaurant'], 12],
  ['dinner', 'We had a long dinner by the sea.', undefined, 10],
  ['rain', 'It rained all weekend.', undefined, 3],
]

async function told(): Promise<Engine> {
  const db = await openMemory({ extract: 'none' })
  for (const [id, text, triple, days] of SAID) {
    const triples = triple && [{ subject: triple[0], predicate: triple[1], object: triple[2] }]
    await db.observe(text, { id, at: NOW - days * DAY, ...(triples && { triples }) })
  }
  return db
}

describe('a pattern alone', () => {
  let db: Engine
  beforeAll(async () => {
    db = await told()
  })
  const found = async (structured: NeurosymbolicQuery['structured']) =>
    ids(await db.neurosymbolicQuery({ structured })).sort()

  test('answers with exactly the episodes that fit, each with the statement that does', async () => {
    const recall = await db.neurosymbolicQuery({ structured: { subject: 'sarah', predicate: 'recommends' } })
    expect(ids(recall).sort()).toEqual(['bawri', 'book'])
    expect(recall.tierUsed).toBe('exact')
    for (const { tier, statement } of recall.matches) {
      expect(tier).toBe('exact')
      expect(statement).toMatchObject({ subject: 'Sarah', predicate: 'recommends', polarity: 'positive' })
    }
  })

  test('answers with nothing where nothing fits', async () => {
    expect(await found({ subject: 'Sarah', predicate: 'hates' })).toEqual([])
    expect(await found({ subject: 'Nobody' })).toEqual([])
  })

  test('finds a predicate by its synonyms and inflections', async () => {
    expect(await found({ predicate: 'recommended', object: 'Dune' })).toEqual(['book'])
  })

  test('finds by polarity what is denied and what is said', async () => {
    expect(await found({ subject: 'Sarah', predicate: 'likes' })).toEqual(['tea'])
    expect(await found({ subject: 'Sarah', predicate: 'likes', polarity: 'negative' })).toEqual(['olives'])
    expect(await found({ subject: 'Sarah', polarity: 'negative' })).toEqual(['olives'])
    expect(await found({ predicate: 'does not like' })).toEqual(['olives'])
    const [match] = (await db.neurosymbolicQuery({ structured: { polarity: 'negative' } })).matches
    expect(match.statement).toEqual({
      subject: 'Sarah',
      predicate: 'does not like',
      object: 'Olives',
      polarity: 'negative',
    })
  })

  test('finds by time what began in it', async () => {
    expect(await found({ subject: 'Sarah', from: NOW - 35 * DAY, to: NOW - 16 * DAY })).toEqual(['book', 'tea'])
    expect(await found({ from: NOW - 11 * DAY })).toEqual(['dinner', 'rain'])
  })

  test('finds by a type that the memory states', async () => {
    expect(await found({ predicate: 'recommends', objectType: 'restaurant' })).toEqual(['bawri'])
    expect(await found({ subjectType: 'a restaurant' })).toEqual(['type'])
  })

  test('answers as with a cue that weighs nothing', async () => {
    const structured = { subject: 'Sarah', predicate: 'recommends' }
    const alone = await db.neurosymbolicQuery({ structured })
    const weights = { structured: 1, fuzzy: 0 }
    expect(answer(await db.neurosymbolicQuery({ structured, fuzzyCue: 'rain', weights }))).toEqual(answer(alone))
    expect(answer(await db.neurosymbolicQuery({ structured, weights }))).toEqual(answer(alone))
  })

  test('keeps to the options of recall', async () => {
    const structured = { subject: 'Sarah' }
    expect(ids(await db.neurosymbolicQuery({ structured }, { k: 2 }))).toHaveLength(2)
    expect(ids(await db.neurosymbolicQuery({ structured }, { filter: { id: ['tea', 'rain'] } }))).toEqual(['tea'])
  })
})

test('a time that is past shows what was replaced since; without one only what is true now is shown', async () => {
  const db = await openMemory({ extract: 'none' })
  const lives = (id: string, object: string, days: number) =>
    db.observe(`Ann lives in ${object}.`, {
      id,
      at: NOW - days * DAY,
      triples: [{ subject: 'Ann', predicate: 'lives in', object }],
    })
  await lives('rome', 'Rome', 60)
  await lives('oslo', 'Oslo', 20)
  await db.supersede('rome', 'oslo')
  const structured = { subject: 'Ann', predicate: 'lives in' }
  expect(ids(await db.neurosymbolicQuery({ structured }))).toEqual(['oslo'])
  const past = { ...structured, from: NOW - 90 * DAY, to: NOW - 30 * DAY }
  expect(ids(await db.neurosymbolicQuery({ structured: past }))).toEqual(['rome'])
})

describe('a pattern and a cue', () => {
  let db: Engine
  beforeAll(async () => {
    db = await told()
  })

  test('a cue alone, or a pattern that weighs nothing, answers as recall does', async () => {
    const fuzzyCue = 'the long dinner by the sea'
    const recalled = answer(await db.recall(fuzzyCue))
    expect(answer(await db.neurosymbolicQuery({ fuzzyCue }))).toEqual(recalled)
    expect(answer(await db.neurosymbolicQuery({ fuzzyCue, weights: { structured: 0, fuzzy: 1 } }))).toEqual(recalled)
    const weighed = { structured: { subject: 'Tom' }, fuzzyCue, weights: { structured: 0, fuzzy: 0.4 } }
    expect(answer(await db.neurosymbolicQuery(weighed))).toEqual(recalled)
  })

  test('the default weights are 0.7 for the pattern and 0.3 for the cue', async () => {
    const query = { structured: { subject: 'Sarah' }, fuzzyCue: 'what should I read?' }
    const weights = { structured: 0.7, fuzzy: 0.3 }
    expect(answer(await db.neurosymbolicQuery(query))).toEqual(
      answer(await db.neurosymbolicQuery({ ...query, weights })),
    )
  })

  test('balanced weights put what fits and is meant first, and find what only one of them says', async () => {
    const recall = await db.neurosymbolicQuery({
      structured: { subject: 'Sarah', predicate: 'recommends' },
      fuzzyCue: 'a thai place for dinner',
      weights: { structured: 0.5, fuzzy: 0.5 },
    })
    expect(ids(recall)[0]).toBe('bawri')
    expect(ids(recall)).toEqual(expect.arrayContaining(['book', 'dinner']))
    const statements = Object.fromEntries(recall.matches.map(({ id, statement }) => [id, statement?.object]))
    expect(statements).toMatchObject({ bawri: 'Bawri', book: 'Dune', dinner: undefined })
  })

  test('the more the pattern weighs, the higher stands what fits it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('it rained', 'a long dinner', 'green tea', 'the noodle bar'),
        fc.constantFrom(
          { subject: 'Sarah', predicate: 'recommends' },
          { subject: 'Tom' },
          { polarity: 'negative' as const },
        ),
        async (fuzzyCue, structured) => {
          const ranks = async (weight: number) => {
            const weights = { structured: weight, fuzzy: 1 - weight }
            const { matches } = await db.neurosymbolicQuery({ structured, fuzzyCue, weights })
            return matches.flatMap(({ statement }, i) => (statement === undefined ? [] : i)).reduce((a, b) => a + b, 0)
          }
          const [little, half, most] = [await ranks(0.1), await ranks(0.5), await ranks(0.9)]
          expect(half).toBeLessThanOrEqual(little)
          expect(most).toBeLessThanOrEqual(half)
        },
      ),
      { seed: 17, numRuns: 20 },
    )
  })

  test('a denied statement does not count as one that fits', async () => {
    const { matches } = await db.neurosymbolicQuery({
      structured: { subject: 'Sarah', predicate: 'likes', polarity: 'positive' },
      fuzzyCue: 'what does Sarah like?',
    })
    expect(matches[0].id).toBe('tea')
    expect(matches.find(({ id }) => id === 'olives')?.statement).toBeUndefined()
  })
})

test('what is wrong with a query is said', async () => {
  const db = await told()
  const refused = async (query: unknown, message: string, options?: object) =>
    expect(db.neurosymbolicQuery(query as NeurosymbolicQuery, options)).rejects.toThrow(message)
  await refused({}, 'neither structured nor fuzzyCue')
  await refused(undefined, 'neither structured nor fuzzyCue')
  await refused({ structured: {} }, 'structured is empty')
  await refused({ structured: { verb: 'x' } }, 'no option "verb"')
  await refused({ structured: { polarity: 'maybe' } }, 'structured.polarity is "maybe"')
  await refused({ structured: { from: 5_000_000_000_000, to: 4_000_000_000_000 } }, 'structured.to')
  const structured = { subject: 'Sarah' }
  await refused({ structured, weights: { structured: 0.5, fuzzy: 0.5 } }, 'there is no fuzzyCue')
  await refused({ fuzzyCue: 'x', weights: { structured: 1, fuzzy: 0 } }, 'there is no structured')
  await refused({ structured, fuzzyCue: 'x', weights: { structured: 0, fuzzy: 0 } }, 'both 0')
  await refused({ structured, fuzzyCue: 'x', weights: { structured: 2, fuzzy: 0 } }, 'weights.structured is 2')
  await refused({ structured, fuzzyCue: 'x' }, 'no option "structured"', { structured })
})
