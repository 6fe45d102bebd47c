import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import { openMemory } from '../../engine/open.js'

const codebook = parseCodebook(await readCodebook())
const said = (subject: string, predicate: string, object: string, text = `${subject} ${predicate} ${object}.`) => ({
  id: `${subject} ${predicate} ${object}`,
  text,
  triples: [{ subject, predicate, object }],
})
const OFFICE = [
  said('Anna', 'fired', 'Tom', 'Anna fired Tom last week.'),
  said('Anna', 'hired', 'Eve', 'Anna hired Eve for the front desk.'),
  said('Tom', 'sued', 'Anna', 'Tom has taken Anna to court.'),
  said('Ben', 'fired', 'Lee', 'Ben let Lee go.'),
  said('Lee', 'likes', 'tea'),
  { id: 'none', text: 'The printer is out of toner.' },
]

let db: Engine
beforeEach(async () => {
  db = await openMemory({ codebook })
  await db.observeMany(OFFICE)
})
afterEach(() => db.close())

const match = async (cue: string | undefined, options: RecallOptions, id: string) =>
  (await db.recall(cue, { ...options, k: 100 })).matches.find((match) => match.id === id)!

test('a matching pattern never lowers the confidence of a statement at any weights of cue and pattern', async () => {
  for (const [cue, structured, id] of [
    ['Who fired Tom?', { predicate: 'fired', object: 'Tom' }, 'Anna fired Tom'],
    ['whom did Ben dismiss?', { subject: 'Ben', predicate: 'fired' }, 'Ben fired Lee'],
    ['what about the court?', { object: 'Anna' }, 'Tom sued Anna'],
  ] as const) {
    const plain = await match(cue, {}, id)
    for (const weights of [
      undefined,
      { structured: 1, fuzzy: 0 },
      { structured: 0.5, fuzzy: 0.5 },
      { structured: 0.1, fuzzy: 0.9 },
    ]) {
      const fitting = await match(cue, { structured, weights }, id)
      expect(fitting.confidence).toBeGreaterThanOrEqual(plain.confidence)
      expect(fitting.lowConfidence).toBe(false)
    }
    expect((await match(cue, { structured }, id)).confidence).toBeGreaterThan(0.8)
  }
})

test('a pattern that does not count leaves the confidence of the cue about as it is', async () => {
  const structured = { predicate: 'fired', object: 'Tom' }
  for (const { id } of OFFICE) {
    const plain = await match('Who fired Tom?', {}, id)
    const unweighed = await match('Who fired Tom?', { structured, weights: { structured: 0, fuzzy: 1 } }, id)
    expect(Math.abs(unweighed.confidence - plain.confidence)).toBeLessThan(0.1)
  }
})

test('what a pattern does not fit is less sure than without the pattern', async () => {
  const structured = { predicate: 'hired', object: 'Eve' }
  const plain = await match('Who fired Tom?', {}, 'Anna fired Tom')
  const unfitting = await match('Who fired Tom?', { structured }, 'Anna fired Tom')
  expect(unfitting.confidence).toBeLessThan(plain.confidence)
  expect((await db.recall('Who fired Tom?', { structured, k: 1 })).matches[0].id).toBe('Anna hired Eve')
})

test('nothing seems to answer where no statement fits and no words are alike', async () => {
  const { matches } = await db.recall('who sings in the choir?', {
    structured: { predicate: 'sings', object: 'choir' },
  })
  expect(matches.every(({ lowConfidence }) => lowConfidence)).toBe(true)
  expect(Math.max(...matches.map(({ confidence }) => confidence))).toBeLessThan(0.3)
})

test('a pattern alone needs no cue: what fits it comes first, surely, and the rest is unsure', async () => {
  for (const cue of [undefined, '']) {
    const { matches, tierUsed, attentionTrace } = await db.recall(cue, {
      structured: { predicate: 'fired' },
      traceAttention: true,
    })
    expect(
      matches
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['Anna fired Tom', 'Ben fired Lee'])
    for (const { confidence, tier, lowConfidence } of matches.slice(0, 2))
      expect([confidence > 0.8, tier, lowConfidence]).toEqual([true, 'exact', false])
    for (const { confidence } of matches.slice(2)) expect(confidence).toBeLessThan(0.5)
    expect(tierUsed).toBe('exact')
    expect(attentionTrace!.cue).toBe('')
  }
  expect(
    (await db.recall('', { structured: { subject: 'Nobody' } })).matches.every(({ lowConfidence }) => lowConfidence),
  ).toBe(true)
  const events = await db.whatDidILearn(0)
  expect(events.filter(({ kind }) => kind === 'attentionTraced')).toMatchObject([{ cue: 'fired' }, { cue: 'fired' }])
})

test('a pattern finds an episode with many statements among many others', async () => {
  const many = Array.from({ length: 40 }, (_, i) => ({
    subject: `person ${i}`,
    predicate: 'met',
    object: `guest ${i}`,
  }))
  await db.observe('A long evening.', {
    id: 'evening',
    triples: [...many, { subject: 'Zoe', predicate: 'lost', object: 'her ring' }],
  })
  await db.observeMany(Array.from({ length: 300 }, (_, i) => said(`Zoe ${i}`, 'lost', `match ${i}`)))
  const { matches } = await db.recall('', { structured: { subject: 'Zoe', object: 'her ring' } })
  expect(matches.find(({ id }) => id === 'evening')).toMatchObject({ tier: 'exact', lowConfidence: false })
})

test('without a cue there must be a pattern, and weights need both', async () => {
  await expect(db.recall('')).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
  await expect(db.recall('', { structured: {} })).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
  await expect(db.recall(undefined)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  await expect(db.recall('', { structured: { subject: 'Tom' }, weights: { structured: 1, fuzzy: 0 } })).rejects.toThrow(
    /there is no cue; give one, or leave weights out/,
  )
  await expect(
    db.recall('x', { structured: { subject: 'Tom' }, weights: { structured: 0, fuzzy: 0 } }),
  ).rejects.toThrow(/both 0/)
})

test('minConfidence leaves out what is less sure, and the trace says so', async () => {
  const all = (await db.recall('Who fired Tom?')).matches
  const minConfidence = (all[0].confidence + all[1].confidence) / 2
  const { matches, attentionTrace } = await db.recall('Who fired Tom?', { minConfidence, traceAttention: true })
  expect(matches).toEqual(all.filter(({ confidence }) => confidence >= minConfidence))
  expect(matches.length).toBeLessThan(all.length)
  expect(attentionTrace!.candidates.find(({ id }) => id === all.at(-1)!.id)).toMatchObject({
    retained: false,
    rejection: `its confidence is under the minimum ${minConfidence}`,
  })
  expect(await db.recall('Who fired Tom?', { minConfidence: 1 })).toMatchObject({ matches: [], tierUsed: 'nearest' })
})

test('a pattern that fits something else than the cue asks for is not confident', async () => {
  const structured = { predicate: 'hired', object: 'Eve' }
  const { matches } = await db.recall('Who fired Tom?', { structured })
  const [wrong, right] = ['Anna hired Eve', 'Anna fired Tom'].map((id) => matches.find((match) => match.id === id)!)
  expect(wrong.confidence).toBeLessThan(0.4)
  expect(right.confidence).toBeGreaterThan(wrong.confidence)
})

test('a pattern that nothing fits does not take away what the words of the cue find', async () => {
  const plain = await match('Who fired Tom?', {}, 'Anna fired Tom')
  for (const structured of [
    { predicate: 'dismissed', object: 'Tomas' },
    { subject: 'Lee', predicate: 'sued' },
  ]) {
    const { matches } = await db.recall('Who fired Tom?', { structured })
    const found = matches.find(({ id }) => id === 'Anna fired Tom')!
    expect(found.confidence).toBeGreaterThan(plain.confidence / 3)
    for (const { id, confidence } of matches) if (id !== 'Anna fired Tom') expect(confidence).toBeLessThan(0.5)
  }
})

test('where a pattern fits two memories, the one that the words of the cue point at is surer', async () => {
  await db.observe('Anna fired Kim in a rage in March.', {
    id: 'Anna fired Kim',
    triples: [{ subject: 'Anna', predicate: 'fired', object: 'Kim' }],
  })
  const { matches } = await db.recall('Whom did Anna fire in March?', {
    structured: { subject: 'Anna', predicate: 'fired' },
  })
  const of = (wanted: string) => matches.find(({ id }) => id === wanted)!.confidence
  expect(of('Anna fired Kim')).toBeGreaterThan(of('Anna fired Tom'))
})
