import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory } from '../../engine/open.js'

const codebook = parseCodebook(await readCodebook())
const QUESTION = 'what thai place was mentioned?'

/** What nobody asks about here. */
const OTHERS = [
  'The pump in the cellar leaks again.',
  'Tom moved the meeting to Friday.',
  'The visa for Japan takes three weeks.',
  'My cat ate the orchid.',
  'Ann sold her bicycle.',
  'The place by the station was full.',
  'Lee mentioned the new tax form.',
  'The printer is out of toner.',
]

let db: Engine
beforeEach(async () => {
  db = await openMemory({ codebook })
})
afterEach(() => db.close())

/** The frame of source 003's worked example, promoted, and the belief that rests on it. */
async function dinner(): Promise<string> {
  await db.setGoal({ description: 'find a thai place for the team dinner' })
  const frame = await db.observeSensory({ modality: 'text', text: 'sarah recommended bawri' })
  const { frames } = await db.workingState()
  const seen = frames.find(
    ({ id }) => id === (typeof frame === 'string' ? frame : (frame as { readonly id: string }).id),
  )!
  const id = seen.promotedTo ?? (await db.observe('sarah recommended bawri', { frame: seen.id }))
  await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence: [id] })
  return id
}

describe('an episode on which a belief rests', () => {
  test('is found by what the belief says, with confidence: the worked example', async () => {
    const id = await dinner()
    const { matches, beliefs, activeGoals } = await db.recall(QUESTION)
    expect(matches[0]).toMatchObject({ id, lowConfidence: false, tier: 'similarity' })
    expect(matches[0].confidence).toBeGreaterThan(0.5)
    expect(matches[0].signals.rests).toBeGreaterThan(0)
    expect(beliefs.map(({ claim }) => claim)).toEqual(['Bawri is a thai restaurant'])
    expect(activeGoals).toHaveLength(1)
  })

  test('is found however many episodes the belief rests on beside it', async () => {
    const evidence = await db.observeMany(
      ['Mia', 'Tom', 'Ann', 'Bob', 'Eve', 'Sue'].map((name) => ({ text: `${name} recommended bawri` })),
    )
    await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence })
    const { matches } = await db.recall(QUESTION, { k: 6, fold: false })
    expect(matches.filter(({ signals }) => (signals.rests ?? 0) > 0)).toHaveLength(6)
  })

  test('is the first among others whose words are nearer', async () => {
    await db.observeMany(OTHERS.map((text) => ({ text })))
    const id = await dinner()
    const { matches } = await db.recall(QUESTION)
    expect(matches[0]).toMatchObject({ id, lowConfidence: false })
    expect(matches.slice(1).every(({ signals }) => signals.rests === undefined)).toBe(true)
  })

  test('is as sure as the belief: one that is hardly held lends hardly anything, a withdrawn one nothing', async () => {
    const id = await db.observe('sarah recommended bawri')
    const confidence = async () => (await db.recall(QUESTION)).matches[0].confidence
    const without = await confidence()
    const unsure = await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.1, evidence: [id] })
    const little = await confidence()
    await db.withdrawBelief(unsure, 'never seen')
    expect(await confidence()).toBe(without)
    await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence: [id] })
    const much = await confidence()
    expect(little).toBeGreaterThan(without)
    expect(much).toBeGreaterThan(little + 0.1)
  })

  test('stays where it may not be seen: in another session, or when it is superseded', async () => {
    const id = await db.observe('sarah recommended bawri', { session: 'dinner' })
    const other = await db.observe('the pump leaks', { session: 'cellar' })
    await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence: [id] })
    const ids = async (options = {}) => (await db.recall(QUESTION, options)).matches.map((match) => match.id)
    expect(await ids({ session: 'cellar' })).toEqual([other])
    await db.supersede(id, other)
    expect(await ids()).toEqual([other])
  })

  test('stays out where the belief speaks of something else', async () => {
    const id = await db.observe('sarah recommended bawri')
    const before = await db.recall('who fixed the pump?')
    await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence: [id] })
    expect((await db.recall('who fixed the pump?')).matches).toEqual(before.matches)
  })
})

test('episodes that an atom rests on are found by its statement', async () => {
  const triples = [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }]
  const said = ['sarah was there again, ask her', 'she would go any day', 'it was her idea as ever']
  const ids = await db.observeMany(said.map((text) => ({ text, triples })))
  await db.observeMany(OTHERS.map((text) => ({ text })))
  await db.consolidate()
  const { matches, semanticAtoms } = await db.recall('what does Sarah recommend?')
  expect(semanticAtoms).toHaveLength(1)
  for (const match of matches.slice(0, 3)) {
    expect(ids).toContain(match.id)
    expect(match.signals.rests).toBeGreaterThan(0)
  }
})
