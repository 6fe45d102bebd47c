import { expect, test } from 'vitest'
import { type AskModel, extractWith } from '../../../../src/extraction/llm/extract-with.js'
import { openMemory } from '../../engine/open.js'

const AT = '2026-05-01T12:00:00.000Z'
const LIVES = {
  subject: 'Ann',
  predicate: 'lives in',
  object: 'Oslo',
  polarity: 'positive',
  modality: 'asserted',
  confidence: 0.9,
  quote: 'I live in Oslo',
}
const ANSWER = { entities: [{ mention: 'Oslo', type: 'Place' }], statements: [LIVES] }

test('The answer of a model becomes entities and statements, whose quotes become offsets.', async () => {
  const prompts: string[] = []
  const extractor = extractWith(async (prompt) => {
    prompts.push(prompt)
    return JSON.stringify(ANSWER)
  })
  const [found] = await extractor.extract(['Well, I live in Oslo.'], [{ speaker: 'Ann', others: ['Tom'], at: AT }])
  expect(found.entities).toEqual([{ text: 'Oslo', type: 'place', from: 16, to: 20, score: 1 }])
  const { quote: _, ...statement } = LIVES
  expect(found.triples).toEqual([{ ...statement, span: { from: 6, to: 20 } }])
  expect(prompts[0]).toContain('Speaker: Ann\nSpoken to: Tom\nText: "Well, I live in Oslo."')
})

test('What a model quotes that is not in the text is left out.', async () => {
  const extractor = extractWith(async () => ({
    entities: [{ mention: 'Bergen', type: 'place' }],
    statements: [{ ...LIVES, quote: 'I live in Bergen' }],
  }))
  expect(await extractor.extract(['I live in Oslo.'], [{ at: AT }])).toEqual([{ entities: [], triples: [], times: [] }])
})

const WRONG: readonly (readonly [unknown, string])[] = [
  ['no JSON', 'the answer is no JSON'],
  [null, 'the answer is wrong; it must be an object'],
  [{ entities: [] }, 'statements is wrong; it must be an array'],
  [{ entities: [{ mention: 'Oslo' }], statements: [] }, 'entities[0].type is wrong; it must be a text'],
  [{ entities: [], statements: [{ ...LIVES, confidence: 2 }] }, 'statements[0].confidence is wrong'],
  [
    { entities: [], statements: [{ ...LIVES, modality: 'sure' }] },
    'statements[0].modality is wrong; it must be one of',
  ],
]
test.each(WRONG)('An answer of another form is asked for again with what was wrong: %j', async (wrong, why) => {
  const answers = [wrong, ANSWER]
  const prompts: string[] = []
  const told: string[] = []
  const ask: AskModel = async (prompt) => (prompts.push(prompt), answers.shift())
  const extractor = extractWith(ask, { onWrongAnswer: ({ code, message }) => told.push(`${code} ${message}`) })
  const [{ triples }] = await extractor.extract(['I live in Oslo.'], [{ at: AT }])
  expect(triples).toHaveLength(1)
  expect(told).toEqual([expect.stringContaining(`AGIDB_EXTRACTOR ${why}`)])
  expect(prompts[1]).toContain(`Your last answer was refused: ${why}`)
})

test('A text counts as one that says nothing after so many wrong answers, and the next one is read.', async () => {
  const extractor = extractWith(async (prompt) => (prompt.includes('Oslo') ? ANSWER : 'sorry'), { attempts: 3 })
  const found = await extractor.extract(['Hm.', 'I live in Oslo.'], [{ at: AT }, { at: AT }])
  expect(found.map(({ triples }) => triples.length)).toEqual([0, 1])
})

test('A model that cannot be reached ends the extraction, and stats say why.', async () => {
  const db = await openMemory({ extract: extractWith(() => Promise.reject(new Error('no network'))) })
  await db.observe('I live in Oslo.')
  await db.recall('where?', { whole: true })
  expect((await db.stats()).extraction).toMatchObject({ pending: 1, error: 'no network' })
})

test('extractWith refuses what is no function, and a wrong number of attempts.', () => {
  expect(() => extractWith('gpt' as never)).toThrow('extractWith takes a function')
  expect(() => extractWith(async () => ANSWER, { attempts: 0 })).toThrow('attempts must be a whole number from 1 to 10')
})
