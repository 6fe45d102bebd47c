import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCodebook } from '../../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../../src/encoding/codebook/codebook.js'
import type { Recall } from '../../../../src/api/recall.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { NOW, openMemory } from '../../engine/open.js'

const codebook = parseCodebook(await readCodebook())
const TEXTS = {
  hotel: 'In Lisbon we stayed at a hotel near the river.',
  food: 'In Lisbon we ate grilled fish every evening.',
  tram: 'In Lisbon the tram was full.',
  tax: 'The tax forms are due in July.',
}
const goal = ({ matches }: Recall, id: string) => matches.find((match) => match.id === id)!.signals.goal
const sum = (signals: Readonly<Record<string, number>>) => Object.values(signals).reduce((all, value) => all + value, 0)

describe.each([
  ['without a codebook', undefined],
  ['with a codebook', codebook],
])('goals, %s', (_, codebook) => {
  let db: Engine
  beforeEach(async () => {
    db = await openMemory({ codebook })
    await db.observeMany(Object.entries(TEXTS).map(([id, text]) => ({ id, text })))
  })
  afterEach(() => db.close())

  test('lift what is like one of them, and say so', async () => {
    const cue = 'what did we do in Lisbon?'
    for (const [goals, wanted] of [
      [['eat grilled fish'], 'food'],
      [['a hotel near the river'], 'hotel'],
      [['sleep well', 'a full tram'], 'tram'],
    ] as const) {
      const answer = await db.recall(cue, { goals, goalBias: 1 })
      expect(answer.matches[0]).toMatchObject({ id: wanted, goalBiased: true })
      expect(goal(answer, wanted)).toBeGreaterThan(0)
      expect(goal(answer, wanted)).toBeLessThanOrEqual(1)
      for (const { signals, goalBiased } of answer.matches) expect(goalBiased).toBe((signals.goal ?? 0) > 0)
    }
  })

  test('add as much as the bias says, by default 0.3, and nothing else changes', async () => {
    const cue = 'what did we do in Lisbon?'
    const plain = await db.recall(cue)
    const asked = async (goalBias?: number) => db.recall(cue, { goals: [TEXTS.food], goalBias })
    const [half, whole, usual, none] = [await asked(0.5), await asked(1), await asked(), await asked(0)]
    expect(goal(whole, 'food')).toBeGreaterThan(0.6)
    expect(goal(half, 'food')).toBeCloseTo(goal(whole, 'food')! / 2, 12)
    expect(usual.matches).toEqual((await asked(0.3)).matches)
    expect(none.matches).toEqual(plain.matches)
    expect((await db.recall(cue, { goals: [] })).matches).toEqual(plain.matches)
    for (const { id, signals } of whole.matches) {
      const { goal: _, ...rest } = signals
      expect(rest).toEqual(plain.matches.find((match) => match.id === id)!.signals)
    }
  })

  test('count once: by the one that is nearest', async () => {
    const one = await db.recall('Lisbon', { goals: ['grilled fish'] })
    const more = await db.recall('Lisbon', { goals: ['grilled fish', 'grilled fish', 'xyzzy'] })
    expect(goal(more, 'food')).toBe(goal(one, 'food'))
  })

  test('are a part of the score in the trace', async () => {
    const { attentionTrace } = await db.recall('Lisbon', { goals: ['grilled fish'], k: 1, traceAttention: true })
    for (const { score, signals } of attentionTrace!.candidates) expect(sum(signals)).toBeCloseTo(score, 12)
    const scores = attentionTrace!.candidates.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(attentionTrace!.candidates.find(({ id }) => id === 'food')!.signals.goal).toBeGreaterThan(0)
  })

  test('that nothing is like lift nothing', async () => {
    for (const { goalBiased, signals } of (await db.recall('Lisbon', { goals: ['xyzzy qwrtp'] })).matches) {
      expect(goalBiased).toBe(false)
      expect(signals).not.toHaveProperty('goal')
    }
  })
})

test('with a codebook a goal in other words lifts, too', async () => {
  const db = await openMemory({ codebook })
  await db.observeMany(Object.entries(TEXTS).map(([id, text]) => ({ id, text })))
  const answer = await db.recall('Lisbon', { goals: ['dinner, seafood'], goalBias: 1 })
  expect(goal(answer, 'food')).toBeGreaterThan(0.2)
  expect(answer.matches.filter(({ goalBiased }) => goalBiased).map(({ id }) => id)).toEqual(['food'])
  await db.close()
})

describe('the one who asks', () => {
  const by = async (
    said: readonly { readonly id: string; readonly speaker?: string }[],
    cue: string,
    asker?: string,
  ) => {
    const db = await openMemory({ ranker: 'fusion' })
    await db.observeMany(said.map((item, i) => ({ ...item, text: 'The keys are in the drawer.', at: NOW - i })))
    const { matches } = await db.recall(cue, { asker, fold: false })
    await db.close()
    return matches
      .filter(({ signals }) => (signals.speaker ?? 0) > 0)
      .map(({ id }) => id)
      .sort()
  }
  const PEOPLE = [{ id: 'kim', speaker: 'Kim' }, { id: 'lee', speaker: 'Lee' }, { id: 'none' }]
  const CHAT = [
    { id: 'user', speaker: 'User' },
    { id: 'assistant', speaker: 'assistant' },
    { id: 'kim', speaker: 'Kim' },
  ]

  test.each<[string, string | undefined, string[]]>([
    ['where did I put my keys?', 'Kim', ['kim']],
    ['where did I put my keys?', ' KIM ', ['kim']],
    ['where did I put my keys?', 'Lee', ['lee']],
    ['where did I put my keys?', 'nobody', []],
    ['where did I put my keys?', undefined, []],
    ['where are the keys?', 'Kim', []],
    ['where are they? I asked Lee', 'Kim', ['kim', 'lee']],
    ['wo habe ich meine Schlüssel hingelegt?', 'Kim', ['kim']],
    ['¿dónde puse mis llaves?', 'Kim', ['kim']],
    ['wo sind meine Schlüssel?', 'Kim', ['kim']],
    ['où sont mes clés ?', 'Kim', ['kim']],
    ['dove sono le mie chiavi?', 'Kim', ['kim']],
    ['waar zijn mijn sleutels?', 'Kim', ['kim']],
    ['onde estão as minhas chaves?', 'Kim', ['kim']],
    ['die Schlüssel am Haken', 'Kim', []],
  ])('%s asked by %s speaks of %j', async (cue, asker, expected) => {
    expect(await by(PEOPLE, cue, asker)).toEqual(expected)
  })

  test.each<[string, string | undefined, string[]]>([
    ['where did I put my keys?', undefined, ['user']],
    ['where did you say the keys are?', undefined, ['assistant']],
    ['what did you tell me about the keys?', undefined, ['assistant', 'user']],
    ['what did you tell me about the keys?', 'Kim', ['assistant', 'kim']],
    ['qué me dijiste tú de las llaves?', undefined, ['assistant', 'user']],
  ])('in a chat with an assistant, %s asked by %s speaks of %j', async (cue, asker, expected) => {
    expect(await by(CHAT, cue, asker)).toEqual(expected)
  })
})
