import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { RecallOptions } from '../../../../src/api/recall.js'
import { OWN_PARTS } from '../../../../src/engine/whole.js'
import { openEngine } from '../../../../src/engine/open.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { mayAskOrder } from '../../../../src/recall/sequence/gate.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { kernel } from '../../encoding/kernel.js'
import { NOW, openMemory } from '../../engine/open.js'

const MINUTE = 60_000
const TURNS: readonly [speaker: string, text: string][] = [
  ['Ann', 'The kettle whistled all morning.'],
  ['Tom', 'I packed the green tent.'],
  ['Ann', 'Did you find the map of the island?'],
  ['Tom', 'A storm broke the mast of the boat.'],
  ['Ann', 'Nobody answered the radio.'],
  ['Tom', 'We rowed to the lighthouse.'],
  ['Ann', 'The keeper gave us soup.'],
  ['Tom', 'My compass is lost.'],
  ['Ann', 'I saw a seal by the pier.'],
  ['Tom', 'The ferry came at noon.'],
  ['Ann', 'I saw a seal in the harbour.'],
  ['Tom', 'We sold the boat.'],
]
const VOYAGE = TURNS.map(
  ([speaker, text], i): Observation => ({ id: `t${i}`, speaker, text, session: 'voyage', at: NOW - (60 - i) * MINUTE }),
)
const OPTIONS = { extract: 'none', autoConsolidate: false } as const

let db: Engine
beforeEach(async () => {
  db = await openMemory(OPTIONS)
  await db.observeMany(VOYAGE)
})
afterEach(() => db.close())

const answers = async (cue: string, options: RecallOptions = {}) =>
  (await db.recall(cue, { k: 12, ...options })).matches
const best = async (cue: string, options?: RecallOptions) => (await answers(cue, options))[0].id

describe('what lies where the cue asks comes first', () => {
  test.each([
    ['What happened right after the storm broke the mast?', 't4'],
    ['What was said just before the storm broke the mast?', 't2'],
    ['What came next after the keeper gave them soup?', 't7'],
    ['What did Tom say right after nobody answered the radio?', 't5'],
    ['What did Ann say right before they rowed to the lighthouse?', 't4'],
  ])('%s %s', async (cue, id) => {
    expect(await best(cue)).toBe(id)
  })

  it('the nearer the higher', async () => {
    const found = (await answers('What happened after the storm broke the mast?')).map(({ id }) => id)
    expect(found.indexOf('t4')).toBeLessThan(found.indexOf('t5'))
    expect(found.indexOf('t5')).toBeLessThan(found.indexOf('t6'))
  })

  it('between two events lies what was said from one to the other', async () => {
    const found = await answers('What happened between the storm and the keeper with the soup?', { k: 2 })
    expect(found.map(({ id }) => id).sort()).toEqual(['t4', 't5'])
  })

  test.each([
    ['When did Ann first see a seal?', 't8', 't10'],
    ['When did Ann last see a seal?', 't10', 't8'],
    ['When was the first time that Ann saw a seal?', 't8', 't10'],
    ['When was the last time that Ann saw a seal?', 't10', 't8'],
  ])('%s %s before %s', async (cue, first, second) => {
    const found = (await answers(cue)).map(({ id }) => id)
    expect(found.indexOf(first)).toBeLessThan(found.indexOf(second))
  })
})

describe('a turn that says as good as nothing', () => {
  it('takes no step, and comes after what says something', async () => {
    const day = (texts: string[]) => texts.map((text, i) => ({ id: `s${i}`, text, session: 's', at: NOW - 1000 + i }))
    await db.observeMany([
      ...day(['The balloon landed in a wheat field.', 'Okay.', 'Okay.', 'Okay.', 'A farmer brought a ladder.']),
      ...['Okay.', 'Okay.', 'Okay.', 'Okay.', 'Okay.', 'Okay.'].map((text) => ({ text, session: 'other' })),
    ])
    const found = (await answers('What happened right after the balloon landed?', { fold: false })).map(({ id }) => id)
    expect(found[0]).toBe('s4')
  })
})

describe('a match says by which steps it was found', () => {
  it('from the event to itself, each with what it leaves', async () => {
    const found = await answers('What happened after the storm broke the mast?')
    expect(found.find(({ id }) => id === 't5')!.why).toEqual([
      { from: 't3', edge: 'forward', weight: 0.8, to: 't4' },
      { from: 't4', edge: 'forward', weight: 0.8, to: 't5' },
    ])
    expect(found.find(({ id }) => id === 't0')!.why).toBeUndefined()
  })

  it('backwards with the weight that was asked for', async () => {
    const found = await answers('What happened just before the storm broke the mast?', { graph: { backward: 0.5 } })
    expect(found.find(({ id }) => id === 't2')!.why).toEqual([{ from: 't3', edge: 'backward', weight: 0.5, to: 't2' }])
  })

  it('and its signals still add up to its score', async () => {
    const { attentionTrace } = await db.recall('What happened right after the storm broke the mast?', {
      traceAttention: true,
    })
    for (const { signals, score } of attentionTrace!.candidates)
      expect(Object.values(signals).reduce((sum, value) => sum + value, 0)).toBeCloseTo(score, 9)
  })
})

describe('what may not be seen is not found by its place', () => {
  it('of another speaker than the one asked for, though somebody else told of the event', async () => {
    const found = await answers('What was said right after the storm broke the mast?', { speaker: 'Ann' })
    expect(found[0].id).toBe('t4')
    expect(found.every(({ speaker }) => speaker === 'Ann')).toBe(true)
  })

  it('what was forgotten leaves its place to the next', async () => {
    await db.unlearn({ episode: 't4' }, 'asked for')
    expect(await best('What happened right after the storm broke the mast?')).toBe('t5')
  })

  it('what was not known yet leaves its place to what was', async () => {
    const { matches } = await db.recall('What happened right after the ferry came?', {
      k: 12,
      validAsOf: NOW - 51 * MINUTE,
    })
    expect(matches.map(({ id }) => id)).not.toContain('t10')
  })
})

/** An answer without what no two recalls share. */
async function plain(cue: string, options: RecallOptions): Promise<object> {
  const { id: _, elapsedMs: __, ...answer } = await db.recall(cue, { k: 12, traceAttention: true, ...options })
  return { ...answer, attentionTrace: { ...answer.attentionTrace, at: '' } }
}

describe('sessions are followed for nothing else', () => {
  const words = fc.constantFrom(
    ...'what who when did Ann Tom say see the storm seal boat soup mast radio lighthouse compass today fine'.split(' '),
  )

  it('a cue without a word of order has the answer that it has without graphs', async () => {
    const cues = fc.array(words, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))
    await fc.assert(
      fc.asyncProperty(cues, async (cue) => {
        fc.pre(!mayAskOrder(cue))
        expect(await plain(cue, {})).toEqual(await plain(cue, { graph: false }))
      }),
      { numRuns: 40 },
    )
  })

  test.each([
    'Who looks after the boat?',
    'What is the first name of Ann?',
    'What happened after that?',
    'before',
  ])('nor for a word of order that asks for none: %s', async (cue) => {
    expect(await plain(cue, {})).toEqual(await plain(cue, { graph: false }))
  })

  it('weights of 0 leave the answer as it is without graphs', async () => {
    const cue = 'What happened right after the storm broke the mast?'
    expect(await plain(cue, { graph: { forward: 0 } })).toEqual(await plain(cue, { graph: false }))
  })
})

describe('an error of the chain', () => {
  const cue = 'What happened right after the storm broke the mast?'

  test.each([
    ['the part cannot be loaded', () => Promise.reject(new Error('no network'))],
    [
      'the search for the event fails',
      async () => ({ sequenceOf: () => Promise.reject(new Error('broken')), liftBySequence: () => [] }),
    ],
  ])('leaves the answer as it is without graphs: %s', async (_, sequence) => {
    const expected = await plain(cue, { graph: false })
    await db.close()
    const parts = { ...OWN_PARTS, sequence }
    db = await openEngine({ kernel, storage: memoryStorage(), clock: () => NOW, seed: 1, ...OPTIONS, parts })
    await db.observeMany(VOYAGE)
    const graphErrors = [
      expect.objectContaining({ code: 'AGIDB_GRAPH_CHAIN', spe: 'SPE-310-007', message: expect.any(String) }),
    ]
    expect(await plain(cue, {})).toEqual({ ...expected, graphErrors })
  })
})

describe('the option', () => {
  test.each([
    [{ forward: 2 }, 'AGIDB_INVALID_ARGUMENT'],
    [{ forwards: 0.5 }, 'AGIDB_UNKNOWN_OPTION'],
    [true, 'AGIDB_INVALID_ARGUMENT'],
  ])('%j is refused', async (graph, code) => {
    await expect(db.recall('anything', { graph } as never)).rejects.toMatchObject({ code })
  })
})
