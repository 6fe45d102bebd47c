import { afterEach, describe, expect, test } from 'vitest'
import type { NewBelief } from '../../../../src/api/belief.js'
import type { Observation, Triple } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'

const HOUR = 3_600_000
const open: Engine[] = []
afterEach(async () => {
  for (const db of open.splice(0)) await db.close()
})

/** A memory whose clock goes on by an hour with each call of `later`. */
async function opened(options: Partial<EngineOptions> = {}) {
  const time = { now: NOW }
  const db = await openMemory({ clock: () => time.now, ...options })
  open.push(db)
  const later = () => (time.now += HOUR)
  return { db, time, later }
}

const triple = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })
const saying = (subject: string, predicate: string, object: string): { triples: Triple[] } => ({
  triples: [triple(subject, predicate, object)],
})
const believing = (subject: string, predicate: string, object: string, rest: Partial<NewBelief> = {}): NewBelief => ({
  claim: `${subject} ${predicate} ${object}`,
  subject,
  predicate,
  object,
  ...rest,
})

const support = (c: number, r = 0.75) => (c * r) / (c * r + (1 - c) * (1 - r))
const contradict = (c: number, r = 0.75) => support(c, 1 - r)

describe('A new episode', () => {
  /** What becomes of a belief of confidence .8 when something is observed. */
  async function becomes(belief: NewBelief, text: string, context: Partial<Observation> = {}) {
    const { db } = await opened()
    const id = await db.assertBelief({ confidence: 0.8, ...belief })
    const episode = await db.observe(text, context)
    const { confidence, evidence, contradictions, unsettled } = (await db.getBelief(id))!
    const counted = evidence.includes(episode)
      ? 'supports'
      : contradictions.includes(episode)
        ? 'contradicts'
        : undefined
    expect(confidence).toBeCloseTo(counted === 'supports' ? support(0.8) : counted ? contradict(0.8) : 0.8, 12)
    return counted ?? (unsettled.includes(episode) ? 'unsettled' : 'nothing')
  }

  const LISBON = believing('Sarah', 'lives in', 'Lisbon')

  test.each<[string, NewBelief, Triple, string]>([
    ['the same', LISBON, triple('sarah', 'lives in', 'lisbon'), 'supports'],
    ['the same in other words', LISBON, triple('Sarah', 'resides in', 'Lisbon'), 'supports'],
    ['another object, one at a time', LISBON, triple('Sarah', 'lives in', 'Porto'), 'contradicts'],
    ['another object, in other words', LISBON, triple('Sarah', 'dwells in', 'Porto'), 'contradicts'],
    ['that it is denied', LISBON, triple('Sarah', 'does not live in', 'Lisbon'), 'contradicts'],
    ['that it is over', LISBON, triple('Sarah', 'has stopped living in', 'Lisbon'), 'contradicts'],
    ['what excludes it', believing('Sarah', 'likes', 'tea'), triple('Sarah', 'hates', 'tea'), 'contradicts'],
    ['another of several', believing('Sarah', 'likes', 'tea'), triple('Sarah', 'likes', 'coffee'), 'nothing'],
    ['it of somebody else', LISBON, triple('Tom', 'lives in', 'Porto'), 'nothing'],
    ['something else of her', LISBON, triple('Sarah', 'works at', 'Bosch'), 'nothing'],
    ['that another object is denied', LISBON, triple('Sarah', 'does not live in', 'Porto'), 'nothing'],
    ['a place more exactly', LISBON, triple('Sarah', 'lives in', 'Lisbon, Portugal'), 'nothing'],
  ])('that states %s changes the belief by itself', async (_, belief, said, verdict) => {
    expect(await becomes(belief, 'It was mentioned.', { triples: [said] })).toBe(verdict)
  })

  test.each<[NewBelief, string, string | undefined, string]>([
    [{ claim: 'The sea is blue' }, 'Look! The sea is blue.', undefined, 'supports'],
    [{ claim: 'The sea is blue' }, 'The sea is not blue.', undefined, 'contradicts'],
    [{ claim: 'The sea is blue' }, 'Is the sea blue?', undefined, 'nothing'],
    [{ claim: 'The sea is blue' }, 'The sky is blue.', undefined, 'nothing'],
    [LISBON, 'Well. Sarah no longer lives in Lisbon.', undefined, 'contradicts'],
    [LISBON, 'Sarah resides in Lisbon.', undefined, 'supports'],
    [LISBON, 'I live in Lisbon.', 'Sarah', 'supports'],
    [LISBON, "I don't live in Lisbon.", 'Sarah', 'contradicts'],
    [LISBON, 'I live in Lisbon.', 'Tom', 'nothing'],
    [LISBON, 'If Sarah lives in Lisbon, we visit her.', undefined, 'nothing'],
    [LISBON, 'Sarah lives in Porto.', undefined, 'unsettled'],
    [LISBON, 'Sarah lives in a small flat by the river.', undefined, 'unsettled'],
    [LISBON, 'Sarah lives in Lisbon with her cat.', undefined, 'nothing'],
    [LISBON, 'Sarah does not live in Porto.', undefined, 'nothing'],
    [believing('Sarah', 'likes', 'tea'), 'Sarah likes coffee.', undefined, 'nothing'],
  ])('tells by its words what becomes of %j: %j said by %s', async (belief, text, speaker, verdict) => {
    expect(await becomes(belief, text, { speaker })).toBe(verdict)
  })

  test('that says both is flagged, and changes nothing.', async () => {
    const triples = [triple('Sarah', 'lives in', 'Lisbon'), triple('Sarah', 'lives in', 'Porto')]
    expect(await becomes(LISBON, 'Who knows.', { triples })).toBe('unsettled')
  })

  test('that tells of a time before the belief is flagged where it would contradict.', async () => {
    const at = NOW - 1000 * HOUR
    expect(await becomes(LISBON, 'Long ago.', { at, ...saying('Sarah', 'lives in', 'Porto') })).toBe('unsettled')
    expect(await becomes(LISBON, 'Long ago.', { at, ...saying('Sarah', 'lives in', 'Lisbon') })).toBe('supports')
  })

  test('is weighed by the trust in its source, and the history says that nobody asked for it.', async () => {
    const { db } = await opened({ sourceTrust: { rumour: 0.6 } })
    const id = await db.assertBelief({ ...LISBON, confidence: 0.8 })
    const episode = await db.observe('So they say.', { source: 'rumour', ...saying('Sarah', 'lives in', 'Porto') })
    const [, revision, ...rest] = await db.beliefHistory(id)
    expect(rest).toEqual([])
    expect(revision).toMatchObject({
      kind: 'revised',
      verdict: 'contradicts',
      evidence: episode,
      automatic: true,
      trust: 0.6,
    })
    expect(revision.after).toBeCloseTo(contradict(0.8, 0.6), 12)
    expect((await db.whatDidILearn(0)).map(({ kind }) => kind)).toEqual([
      'beliefAsserted',
      'episodeStored',
      'beliefRevised',
    ])
  })

  test('withdraws a belief that it leaves too unsure, and the next one finds it withdrawn.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ ...LISBON, confidence: 0.5 })
    await db.observeMany(['a', 'b', 'c', 'd'].map((text) => ({ text, ...saying('Sarah', 'lives in', 'Porto') })))
    expect((await db.beliefHistory(id)).map(({ kind }) => kind)).toEqual([
      'asserted',
      'revised',
      'revised',
      'revised',
      'withdrawn',
    ])
    expect((await db.stats()).beliefs).toBe(0)
  })

  test('changes all beliefs that it bears on, and reviseBelief answers what it did.', async () => {
    const { db } = await opened()
    const [lisbon, porto] = [
      await db.assertBelief({ ...LISBON, confidence: 0.8 }),
      await db.assertBelief({ ...believing('Sarah', 'lives in', 'Porto'), confidence: 0.4 }),
    ]
    const episode = await db.observe('Porto it is.', saying('Sarah', 'resides in', 'Porto'))
    const reports = await db.reviseBeliefs(episode)
    expect(reports.map(({ belief, before, contradicted }) => [belief, before, contradicted])).toEqual([
      [lisbon, 0.8, true],
      [porto, 0.4, false],
    ])
    expect(await db.reviseBeliefs(episode)).toEqual(reports)
    const { belief: _, ...report } = reports[0]
    expect(await db.reviseBelief(lisbon, episode)).toEqual(report)
    expect(await db.beliefHistory(lisbon)).toHaveLength(2)
  })

  test('is durable together with what it changes.', async () => {
    await withFolder(async (path) => {
      const here = () => Agidb.open({ extract: 'none', path, clock: () => NOW, seed: 5, codebook: 'none' })
      let db = await here()
      const id = await db.assertBelief({ ...LISBON, confidence: 0.8 })
      await db.observe('Porto.', saying('Sarah', 'lives in', 'Porto'))
      const before = [await db.getBelief(id), await db.beliefHistory(id), await db.whatDoIBelieve('Sarah')]
      await db.close()
      db = await here()
      expect([await db.getBelief(id), await db.beliefHistory(id), await db.whatDoIBelieve('Sarah')]).toEqual(before)
      await db.close()
    })
  })

  test('that is promoted from the senses changes beliefs, too.', async () => {
    const { db } = await opened({ surpriseThreshold: 0 })
    const id = await db.assertBelief({ claim: 'The boiler in the cellar is leaking', confidence: 0.8 })
    await db.observeSensory({
      modality: 'text',
      text: 'A plumber came at noon. The boiler in the cellar is not leaking.',
    })
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(contradict(0.8), 12)
  })
})

describe('Another name', () => {
  test.each(['a belief', 'an episode'])('that %s gives is no contradiction, but support.', async (which) => {
    const { db } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Bombay', { confidence: 0.8 }))
    const alias = triple('Bombay', 'is also known as', 'Mumbai')
    if (which === 'a belief') await db.assertBelief({ claim: 'Bombay is Mumbai', ...alias, confidence: 0.9 })
    else await db.observe('One city, two names.', { triples: [alias] })
    const episode = await db.observe('She said so.', saying('Sarah', 'lives in', 'Mumbai'))
    expect(await db.getBelief(id)).toMatchObject({
      confidence: expect.closeTo(support(0.8), 12) as number,
      evidence: [episode],
      contradictions: [],
    })
    expect(await db.reviseBelief(id, await db.observe('Again.', saying('Sarah', 'lives in', 'Mumbai')))).toMatchObject({
      contradicted: false,
    })
  })

  test('of the subject leads to the beliefs about it.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.8 }))
    await db.observe('Sarah goes by Sally.', saying('Sarah', 'goes by', 'Sally'))
    const episode = await db.observe('Sally has moved.', saying('Sally', 'lives in', 'Porto'))
    expect(await db.getBelief(id)).toMatchObject({ contradictions: [episode] })
  })

  test('that is not held any more counts as another object again.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Bombay', { confidence: 0.8 }))
    const alias = await db.assertBelief({ claim: 'Bombay is Mumbai', ...triple('Bombay', 'aka', 'Mumbai') })
    await db.withdrawBelief(alias, 'it is not')
    await db.observe('She said so.', saying('Sarah', 'lives in', 'Mumbai'))
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(contradict(0.8), 12)
  })
})

describe('When evidence is superseded', () => {
  test('a belief that rests on nothing else has ended; of the time before it is held as before.', async () => {
    const { db, time, later } = await opened()
    const siemens = await db.observe('Tom works at Siemens.', { speaker: 'Eve' })
    const id = await db.assertBelief({ claim: 'Tom works at Siemens', confidence: 0.9, evidence: [siemens] })
    const then = later()
    later()
    const bosch = await db.observe('Tom works at Bosch.', { speaker: 'Eve' })
    await db.supersede(siemens, bosch)
    later()
    const { matches, beliefs } = await db.recall('Where does Tom work?')
    expect(matches.map(({ text }) => text)).toEqual(['Tom works at Bosch.'])
    expect(beliefs).toEqual([])
    expect(await db.whatDoIBelieve('Tom')).toEqual([])
    const before = { id, confidence: 0.9, evidence: [siemens] }
    expect(await db.whatDoIBelieve('Tom', { validAsOf: then })).toMatchObject([before])
    expect(await db.whatDoIBelieve('Tom', { transactionAsOf: then })).toMatchObject([before])
    expect((await db.recall('Where does Tom work?', { validAsOf: then })).beliefs).toMatchObject([before])
    expect(await db.getBelief(id)).toMatchObject({ ...before, validTo: new Date(time.now - HOUR).toISOString() })
    await db.remove(bosch)
    expect(await db.whatDoIBelieve('Tom')).toMatchObject([before])
    expect((await db.recall('Where does Tom work?')).beliefs).toMatchObject([before])
  })

  test('a belief that rests on more is held without it.', async () => {
    const { db, later } = await opened()
    const id = await db.assertBelief(believing('the door', 'is', 'red', { confidence: 0.5 }))
    const one = await db.observe('Red.', saying('the door', 'is', 'red'))
    await db.observe('Red again.', saying('the door', 'is', 'red'))
    const then = later()
    later()
    await db.supersede(one, await db.observe('Somebody painted something.'))
    later()
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(support(0.5), 12)
    expect((await db.beliefHistory(id)).map(({ discounted }) => discounted)).toEqual([
      undefined,
      'superseded',
      undefined,
    ])
    expect((await db.whatDoIBelieve('door', { transactionAsOf: then }))[0].confidence).toBeCloseTo(
      support(support(0.5)),
      12,
    )
  })

  test('a contradiction counts no more, either.', async () => {
    const { db, later } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.8 }))
    const porto = await db.observe('Porto.', saying('Sarah', 'lives in', 'Porto'))
    later()
    await db.supersede(porto, await db.observe('Back again.', saying('Sarah', 'lives in', 'Lisbon')))
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(support(0.8), 12)
    expect((await db.getBelief(id))!.contradictions).toEqual([])
  })

  test('before the belief was asserted, the belief is as firm as it was asserted.', async () => {
    const { db, later } = await opened()
    const first = await db.observe('Lisbon.')
    await db.supersede(first, await db.observe('Lisbon, near the river.'))
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.7, evidence: [first] }))
    expect((await db.getBelief(id))!.confidence).toBe(0.7)
    later()
    expect(await db.whatDoIBelieve('Sarah')).toMatchObject([{ id, confidence: 0.7 }])
  })
})

describe('When an episode is removed', () => {
  test('beliefs are what they would be without it.', async () => {
    const { db } = await opened({ sourceTrust: { notes: 0.9 } })
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.6 }))
    const one = await db.observe('Lisbon.', { source: 'notes', ...saying('Sarah', 'lives in', 'Lisbon') })
    const two = await db.observe('Porto.', saying('Sarah', 'lives in', 'Porto'))
    const three = await db.observe('Lisbon!', saying('Sarah', 'lives in', 'Lisbon'))
    const confidence = async () => (await db.getBelief(id))!.confidence
    expect(await confidence()).toBeCloseTo(support(contradict(support(0.6, 0.9))), 12)
    await db.remove(two)
    expect(await confidence()).toBeCloseTo(support(support(0.6, 0.9)), 12)
    await db.remove(one)
    expect(await confidence()).toBeCloseTo(support(0.6), 12)
    expect(await db.getBelief(id)).toMatchObject({ evidence: [three], contradictions: [] })
    await db.remove(three)
    expect(await confidence()).toBe(0.6)
    expect((await db.beliefHistory(id)).map(({ kind }) => kind)).toEqual(['asserted'])
  })

  test('a belief that was asserted with it is less firm by what it was worth.', async () => {
    const { db } = await opened({ sourceTrust: { notes: 0.9 } })
    const one = await db.observe('Lisbon.', { source: 'notes' })
    const two = await db.observe('Lisbon!')
    const id = await db.assertBelief({ claim: 'Sarah lives in Lisbon', confidence: 0.95, evidence: [one, two] })
    await db.remove(one)
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(contradict(0.95, 0.9), 12)
    expect((await db.getBelief(id))!.evidence).toEqual([two])
    await db.observe('Lisbon, once more.', { id: one })
    expect((await db.getBelief(id))!.evidence).toEqual([two])
  })

  test('a belief that it had withdrawn is held again.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.5 }))
    const ids = await db.observeMany(['a', 'b', 'c'].map((text) => ({ text, ...saying('Sarah', 'lives in', 'Porto') })))
    expect(await db.whatDoIBelieve('Sarah')).toEqual([])
    await db.remove(ids[0])
    const confidence = expect.closeTo(contradict(contradict(0.5)), 12) as number
    expect(await db.whatDoIBelieve('Sarah')).toMatchObject([{ id, confidence }])
    expect((await db.stats()).beliefs).toBe(1)
    expect((await db.recall('Where does Sarah live?')).beliefs).toMatchObject([{ id, confidence }])
  })

  test('a belief that was withdrawn by hand stays withdrawn.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.5 }))
    const porto = await db.observe('Porto.', saying('Sarah', 'lives in', 'Porto'))
    await db.withdrawBelief(id, 'she said so')
    await db.remove(porto)
    expect(await db.getBelief(id)).toMatchObject({ withdrawn: { reason: 'she said so' } })
  })
})

describe('Opposite beliefs', () => {
  test.each<[NewBelief, NewBelief]>([
    [believing('Sarah', 'lives in', 'Lisbon'), believing('Sarah', 'lives in', 'Porto')],
    [believing('Sarah', 'lives in', 'Lisbon'), believing('sarah', 'resides in', 'Porto')],
    [believing('Sarah', 'likes', 'tea'), believing('Sarah', 'does not like', 'tea')],
    [believing('Sarah', 'likes', 'tea'), believing('Sarah', 'hates', 'tea')],
    [{ claim: 'The sea is blue' }, { claim: 'The sea is not blue.' }],
    [{ claim: 'Sarah does not live in Lisbon' }, believing('Sarah', 'lives in', 'Lisbon')],
  ])('name each other: %j and %j', async (a, b) => {
    const { db } = await opened()
    const [one, other] = [await db.assertBelief(a), await db.assertBelief(b)]
    expect((await db.getBelief(one))!.conflictsWith).toEqual([other])
    expect((await db.getBelief(other))!.conflictsWith).toEqual([one])
    const found = await db.whatDoIBelieve(a.subject ?? b.subject ?? 'the sea')
    expect(found.filter(({ id }) => id === one)).toMatchObject([{ conflictsWith: [other] }])
    await db.withdrawBelief(other, 'it is not so')
    expect((await db.getBelief(one))!.conflictsWith).toEqual([])
    expect((await db.recall(a.claim)).beliefs).toMatchObject([{ id: one, conflictsWith: [] }])
  })

  test.each<[NewBelief, NewBelief]>([
    [believing('Sarah', 'likes', 'tea'), believing('Sarah', 'likes', 'coffee')],
    [believing('Sarah', 'lives in', 'Lisbon'), believing('Tom', 'lives in', 'Porto')],
    [believing('Sarah', 'lives in', 'Lisbon'), believing('Sarah', 'does not live in', 'Porto')],
    [
      believing('Sarah', 'lives in', 'Lisbon', { validTo: NOW + HOUR }),
      believing('Sarah', 'lives in', 'Porto', { validFrom: NOW + HOUR }),
    ],
    [{ claim: 'The sea is blue' }, { claim: 'The sky is not blue' }],
  ])('are not what can both be true: %j and %j', async (a, b) => {
    const { db } = await opened()
    for (const belief of [a, b]) await db.assertBelief(belief)
    for (const { conflictsWith } of await db.whatDoIBelieve(a.subject ?? 'the sea')) expect(conflictsWith).toEqual([])
  })

  test('are not two names of one object.', async () => {
    const { db } = await opened()
    const one = await db.assertBelief(believing('Sarah', 'lives in', 'Bombay'))
    const other = await db.assertBelief(believing('Sarah', 'lives in', 'Mumbai'))
    expect((await db.getBelief(one))!.conflictsWith).toEqual([other])
    await db.observe('Bombay is Mumbai.', saying('Mumbai', 'formerly known as', 'Bombay'))
    expect((await db.getBelief(one))!.conflictsWith).toEqual([])
  })
})

describe('A claim that is asserted again', () => {
  test.each<[NewBelief, NewBelief]>([
    [{ claim: 'The sea is blue' }, { claim: 'the sea is  BLUE.' }],
    [believing('Sarah', 'lives in', 'Lisbon'), believing('sarah', 'lived in', ' Lisbon')],
    [believing('Sarah', 'lives in', 'Lisbon'), believing('Sarah', 'resides in', 'Lisbon')],
    [believing('Sarah', 'lives in', 'Lisbon'), { claim: 'Sarah lives in Lisbon' }],
    [{ claim: 'Sarah lives in Lisbon' }, believing('Sarah', 'lives in', 'Lisbon')],
  ])('is one belief with more evidence: %j and %j', async (a, b) => {
    const { db, later } = await opened()
    const episodes = await db.observeMany(['One.', 'Two.', 'Three.'].map((text) => ({ text })))
    const id = await db.assertBelief({ ...a, confidence: 0.6, evidence: [episodes[0]] })
    later()
    expect(await db.assertBelief({ ...b, evidence: [episodes[1]] })).toBe(id)
    expect(await db.assertBelief({ ...b, evidence: episodes })).toBe(id)
    expect(await db.assertBelief(b)).toBe(id)
    expect(await db.getBelief(id)).toMatchObject({ evidence: episodes, claim: a.claim })
    expect((await db.getBelief(id))!.confidence).toBeCloseTo(support(support(0.6)), 12)
    expect((await db.stats()).beliefs).toBe(1)
    expect((await db.beliefHistory(id)).map(({ verdict }) => verdict)).toEqual([undefined, 'supports', 'supports'])
  })

  test('without new evidence takes the given confidence, and logs nothing if it is unchanged.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ claim: 'The sea is blue', confidence: 0.8 })
    for (let i = 0; i < 2; i++) expect(await db.assertBelief({ claim: 'The sea is blue', confidence: 0.8 })).toBe(id)
    expect(await db.beliefHistory(id)).toHaveLength(1)
    await db.assertBelief({ claim: 'The sea is blue', confidence: 0.4 })
    expect((await db.getBelief(id))!.confidence).toBe(0.4)
    expect((await db.beliefHistory(id)).map(({ kind }) => kind)).toEqual(['asserted', 'asserted'])
  })

  test.each<[string, NewBelief, NewBelief]>([
    ['another object', believing('Sarah', 'likes', 'tea'), believing('Sarah', 'likes', 'coffee')],
    ['its denial', { claim: 'The sea is blue' }, { claim: 'The sea is not blue' }],
    ['a stronger word', believing('Sarah', 'likes', 'tea'), believing('Sarah', 'loves', 'tea')],
    [
      'another time',
      believing('Sarah', 'lives in', 'Lisbon', { validTo: NOW + HOUR }),
      believing('Sarah', 'lives in', 'Lisbon'),
    ],
    ['C++ for C', believing('Tom', 'knows', 'C'), believing('Tom', 'knows', 'C++')],
  ])('is another belief with %s', async (_, a, b) => {
    const { db } = await opened()
    expect(await db.assertBelief(a)).not.toBe(await db.assertBelief(b))
  })

  test('after it was withdrawn is a new belief.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ claim: 'The sea is blue' })
    await db.withdrawBelief(id, 'it is grey')
    expect(await db.assertBelief({ claim: 'The sea is blue' })).not.toBe(id)
  })
})

describe('reviseBelief', () => {
  test('logs once that an episode says nothing of a belief.', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ claim: 'The sea is blue', confidence: 0.7 })
    const episode = await db.observe('Nothing of it.')
    const report = await db.reviseBelief(id, episode)
    for (let i = 0; i < 3; i++) expect(await db.reviseBelief(id, episode)).toEqual(report)
    expect(report).toMatchObject({ before: 0.7, after: 0.7, revision: { verdict: 'neutral' } })
    expect(await db.beliefHistory(id)).toHaveLength(2)
  })
})

describe('reviseBeliefs', () => {
  test('revises by an old episode all beliefs that it bears on, and no others.', async () => {
    const { db } = await opened()
    const episode = await db.observe('Porto.', saying('Sarah', 'lives in', 'Porto'))
    const ids = []
    for (const object of ['Lisbon', 'Porto', 'Faro'])
      ids.push(await db.assertBelief(believing('Sarah', 'lives in', object, { confidence: 0.5 })))
    await db.assertBelief(believing('Tom', 'lives in', 'Lisbon'))
    const reports = await db.reviseBeliefs(episode)
    expect(reports.map(({ belief, contradicted }) => [belief, contradicted])).toEqual([
      [ids[0], true],
      [ids[1], false],
      [ids[2], true],
    ])
    expect((await db.getBelief(ids[1]))!.confidence).toBeCloseTo(support(0.5), 12)
    expect(await db.reviseBeliefs(episode)).toEqual(reports)
  })

  test('asks decideRevision where it is not clear, and settles what was flagged.', async () => {
    const { db } = await opened({ decideRevision: (_, { text }) => ({ verdict: 'contradicts', reason: `“${text}”` }) })
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.8 }))
    const episode = await db.observe('Sarah lives in Porto.')
    expect(await db.getBelief(id)).toMatchObject({ confidence: 0.8, unsettled: [episode] })
    expect(await db.reviseBeliefs(episode)).toMatchObject([
      { belief: id, contradicted: true, revision: { reason: '“Sarah lives in Porto.”' } },
    ])
    expect(await db.getBelief(id)).toMatchObject({ contradictions: [episode], unsettled: [] })
  })

  test('flags what is not clear where nobody can decide, once.', async () => {
    const { db } = await opened()
    const episode = await db.observe('Sarah lives in Porto.')
    const id = await db.assertBelief(believing('Sarah', 'lives in', 'Lisbon', { confidence: 0.8 }))
    for (let i = 0; i < 2; i++)
      expect(await db.reviseBeliefs(episode)).toMatchObject([
        { belief: id, before: 0.8, after: 0.8, revision: { kind: 'flagged' } },
      ])
    expect(await db.beliefHistory(id)).toHaveLength(2)
    await db.reviseBelief(id, episode)
    expect(await db.getBelief(id)).toMatchObject({ unsettled: [] })
  })

  test.each<[unknown, string]>([
    ['ep_nothing', 'AGIDB_NOT_FOUND'],
    [7, 'AGIDB_INVALID_ARGUMENT'],
    [undefined, 'AGIDB_INVALID_ARGUMENT'],
  ])('refuses %j', async (id, code) => {
    const { db } = await opened()
    await expect(db.reviseBeliefs(id as string)).rejects.toMatchObject({ name: 'AgidbError', code })
  })
})

test('what is learned in one commit has the same order before and after the memory is opened again', async () => {
  await withFolder(async (path) => {
    const options = { path, clock: () => NOW, codebook: 'none' as const }
    const told: string[] = []
    let db = await Agidb.open(options)
    const belief = believing('Ann', 'lives in', 'Oslo')
    await db.assertBelief({ ...belief, confidence: 0.8 })
    const seen = { modality: 'text' as const, session: 's' }
    await db.observe('Ann mentions Rome')
    const { id: frame } = await db.observeSensory({ ...seen, text: 'Ann mentions Rome' })
    db.subscribe(({ kind }) => kind !== 'statementsFound' && told.push(kind))
    await db.observe('Ann lives in Rome', { frame, ...saying('Ann', 'lives in', 'Rome') })
    const learned = await db.whatDidILearn(0)
    await db.close()
    db = await Agidb.open(options)
    expect(await db.whatDidILearn(0)).toEqual(learned)
    expect(learned.map(({ kind }) => kind).slice(-2)).toEqual(['sensoryFramePromoted', 'beliefRevised'])
    expect(told).toEqual(['episodeStored', 'sensoryFramePromoted', 'beliefRevised'])
    await db.close()
  })
})
