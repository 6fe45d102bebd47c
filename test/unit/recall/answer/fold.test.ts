import { afterEach, expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../engine/open.js'

let db: Engine
afterEach(() => db.close())

/** The matches of a cue, each with what is folded into it. */
async function answered(items: readonly (string | Observation)[], cue: string, options: RecallOptions = {}) {
  db = await openMemory({ ranker: 'fusion' })
  await db.observeMany(
    items.map((item, i) => ({ id: String(i), ...(typeof item === 'string' ? { text: item } : item) })),
  )
  const { matches } = await db.recall(cue, options)
  return Object.fromEntries(matches.map(({ id, folded }) => [id, folded]))
}

test.each<[string, string, string]>([
  ['case', 'The pump is broken', 'the PUMP is broken'],
  ['punctuation', 'The pump is broken.', 'The pump, is broken…'],
  ['an exclamation mark', 'The pump is broken', 'The pump is broken!'],
  ['spacing', 'The pump is broken', ' The  pump\nis broken'],
  ['an article', 'The pump in the cellar is broken again', 'The pump in cellar is broken again'],
  ['an interjection', 'The pump in the cellar is broken again', 'Oh, the pump in the cellar is broken again'],
  ['a short form', "The pump isn't broken", 'The pump is not broken'],
])('what differs by %s alone is folded', async (_, first, second) => {
  expect(await answered([first, second], first)).toEqual({ 0: ['1'] })
})

test.each<[string, string, string]>([
  ['a word', 'The pump is broken', 'The pump is not broken'],
  ['a number', 'The pump costs 30 euros', 'The pump costs 40 euros'],
  ['what stands inside a number', 'The pump costs 1.5 thousand', 'The pump costs 15 thousand'],
  ['a sign', 'It is -5 degrees at the pump', 'It is 5 degrees at the pump'],
  ['a currency', 'The pump costs $30', 'The pump costs €30'],
  ['being asked', 'The pump is broken.', 'The pump is broken?'],
  ['the order of words', 'The dog bit the man', 'The man bit the dog'],
  ['emoji', 'The pump 🚀', 'The pump 🐢'],
])('what differs by %s is not', async (_, first, second) => {
  expect(await answered([first, second], first)).toEqual({ 0: [], 1: [] })
})

test('folding groups near-duplicates of any speaker, best first, and makes room for other statements', async () => {
  const items = [
    { text: 'The pump is broken.', speaker: 'Ann' },
    'Bread needs salt.',
    { text: 'The pump is broken!', speaker: 'Tom' },
    'The pump was bought in May.',
    'the pump is broken',
  ]
  const matches = await answered(items, 'what of the pump that is broken?', { k: 2 })
  const [best] = Object.entries(matches).filter(([, folded]) => folded.length > 0)
  expect([best[0], ...best[1]].sort()).toEqual(['0', '2', '4'])
  expect(Object.keys(matches)).toContain('3')
  const { matches: each } = await db.recall('what of the pump that is broken?', { fold: false, k: 5 })
  const order = each.map(({ id }) => id).filter((id) => ['0', '2', '4'].includes(id))
  expect([best[0], ...best[1]]).toEqual(order)
  for (const { folded } of each) expect(folded).toEqual([])
})

test('fold: false gives each by itself', async () => {
  const { matches } = await (db = await openMemory())
    .observeMany([{ text: 'same' }, { text: 'same' }, { text: 'Same!' }])
    .then(() => db.recall('same', { fold: false }))
  expect(matches).toHaveLength(3)
})

test('what states something that the better match does not is not folded; what states less is', async () => {
  const stated = { text: 'Ann likes tea.', triples: [{ subject: 'Ann', predicate: 'likes', object: 'tea' }] }
  const other = { text: 'Ann likes tea.', triples: [{ subject: 'Ann', predicate: 'likes', object: 'coffee' }] }
  expect(await answered([stated, other], 'Ann')).toEqual({ 0: [], 1: [] })
  await db.close()
  expect(await answered([stated, { text: 'Ann likes tea.' }], 'Ann')).toEqual({ 0: ['1'] })
})

test('what is under the floor is not folded', async () => {
  const stated = { text: 'Ann likes tea.', triples: [{ subject: 'Ann', predicate: 'likes', object: 'tea' }] }
  expect(
    await answered([stated, { text: 'Ann likes tea.' }], '…', { structured: { subject: 'Ann' }, tierFloor: 'exact' }),
  ).toEqual({ 0: [] })
})

test('the next in line stands for those that were folded into a memory that is forgotten', async () => {
  expect(await answered(['The pump is broken.', 'the pump is broken', 'The pump is broken!'], 'pump')).toEqual({
    0: ['1', '2'],
  })
  await db.remove('0')
  expect((await db.recall('pump')).matches).toMatchObject([{ id: '1', folded: ['2'] }])
})

test('many of the same do not keep the others from being found', async () => {
  const items = Array.from({ length: 400 }, (_, i) =>
    i % 20 === 7 ? `The pump of engine ${i} is broken` : 'the pump is broken',
  )
  const matches = await answered(items, 'the pump is broken', { k: 10 })
  expect(Object.keys(matches)).toHaveLength(10)
  expect(Object.values(matches).filter((folded) => folded.length > 0)).toHaveLength(1)
})
