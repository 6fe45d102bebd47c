import { afterEach, describe, expect, test } from 'vitest'
import type { NewBelief, RevisionDecision } from '../../../../src/api/belief.js'
import type { Triple } from '../../../../src/api/episode.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'

const DAY = 86_400_000
const open: Engine[] = []
afterEach(async () => {
  for (const db of open.splice(0)) await db.close()
})

/** A memory whose clock is set by the test. */
async function opened(options: Partial<EngineOptions> = {}) {
  const time = { now: NOW }
  const db = await openMemory({ clock: () => time.now, ...options })
  open.push(db)
  return { db, time }
}

const triple = (subject: string, predicate: string, object: string): Triple => ({ subject, predicate, object })
const LISBON = { claim: 'Sarah lives in Lisbon', ...triple('Sarah', 'lives in', 'Lisbon') }

describe('a belief', () => {
  test('needs a claim alone', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ claim: 'The sea is blue' })
    expect(id).toMatch(/^be_[0-9A-Z]{26}$/)
    const at = new Date(NOW).toISOString()
    expect(await db.getBelief(id)).toEqual({
      id,
      claim: 'The sea is blue',
      confidence: 0.5,
      evidence: [],
      contradictions: [],
      unsettled: [],
      conflictsWith: [],
      validFrom: at,
      recordedAt: at,
      revisions: 0,
      provenance: { writer: 'agidb', episodes: [] },
    })
    expect(await db.beliefHistory(id)).toEqual([{ revision: 0, at, kind: 'asserted', after: 0.5, reason: 'asserted' }])
    expect((await db.stats()).beliefs).toBe(1)
    expect(await db.getBelief('be_nobody')).toBeUndefined()
  })

  test('keeps what it was asserted with', async () => {
    const { db } = await opened()
    const evidence = await db.observe('I live in Lisbon.', { speaker: 'Sarah' })
    const id = await db.assertBelief({
      ...LISBON,
      confidence: 0.8,
      evidence: [evidence, evidence],
      validFrom: '2020-01-01',
      validTo: '2030-01-01',
      session: 's1',
      source: 'chat',
    })
    expect(await db.getBelief(id)).toMatchObject({
      ...LISBON,
      confidence: 0.8,
      evidence: [evidence],
      validFrom: '2020-01-01T00:00:00.000Z',
      validTo: '2030-01-01T00:00:00.000Z',
      provenance: { writer: 'agidb', source: 'chat', session: 's1', episodes: [evidence] },
    })
  })

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['a text', 'The sea is blue', 'AGIDB_INVALID_ARGUMENT'],
    ['no claim', {}, 'AGIDB_INVALID_ARGUMENT'],
    ['an empty claim', { claim: ' ' }, 'AGIDB_INVALID_TEXT'],
    ['a key that is none', { claim: 'x', sure: 1 }, 'AGIDB_UNKNOWN_OPTION'],
    ['a subject alone', { claim: 'x', subject: 'Sarah' }, 'AGIDB_INVALID_ARGUMENT'],
    ['no object', { claim: 'x', subject: 'Sarah', predicate: 'likes' }, 'AGIDB_INVALID_ARGUMENT'],
    [
      'an object that is a number',
      { claim: 'x', subject: 'Sarah', predicate: 'is aged', object: 30 },
      'AGIDB_INVALID_ARGUMENT',
    ],
    ['a confidence above 1', { claim: 'x', confidence: 1.01 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a confidence below 0', { claim: 'x', confidence: -0.01 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a confidence that is none', { claim: 'x', confidence: NaN }, 'AGIDB_INVALID_ARGUMENT'],
    ['a confidence in words', { claim: 'x', confidence: 'high' }, 'AGIDB_INVALID_ARGUMENT'],
    ['evidence that is no list', { claim: 'x', evidence: 'ep_1' }, 'AGIDB_INVALID_ARGUMENT'],
    ['evidence that is no id', { claim: 'x', evidence: [7] }, 'AGIDB_INVALID_ARGUMENT'],
    ['evidence that is not there', { claim: 'x', evidence: ['ep_nothing'] }, 'AGIDB_NOT_FOUND'],
    ['too much evidence', { claim: 'x', evidence: new Array(1001).fill('ep_1') }, 'AGIDB_TOO_LARGE'],
    ['an end at the start', { claim: 'x', validFrom: NOW, validTo: NOW }, 'AGIDB_INVALID_ARGUMENT'],
    ['an end in the past', { claim: 'x', validTo: NOW - 1 }, 'AGIDB_INVALID_ARGUMENT'],
    ['a time that is none', { claim: 'x', validFrom: 'one day' }, 'AGIDB_INVALID_TIME'],
  ])('with %s is refused', async (_, belief, code) => {
    const { db } = await opened()
    await expect(db.assertBelief(belief as NewBelief)).rejects.toMatchObject({ name: 'AgidbError', code })
    expect(await db.stats()).toMatchObject({ beliefs: 0, events: 0 })
  })

  test('is a copy: who changes the answer changes nothing', async () => {
    const { db } = await opened()
    const evidence = [await db.observe('The sea is blue.')]
    const id = await db.assertBelief({ claim: 'The sea is blue', evidence })
    evidence.push('ep_mine')
    for (const belief of [
      (await db.getBelief(id))!,
      (await db.whatDoIBelieve('sea'))[0],
      (await db.recall('the blue sea')).beliefs[0],
    ]) {
      ;(belief.evidence as string[]).push('ep_mine')
      ;(belief.provenance.episodes as string[]).push('ep_mine')
    }
    Object.assign((await db.beliefHistory(id))[0], { after: 0 })
    expect((await db.beliefHistory(id))[0].after).toBe(0.5)
    expect((await db.getBelief(id))!.evidence).toHaveLength(1)
    expect((await db.getBelief(id))!.provenance.episodes).toHaveLength(1)
  })
})

describe('an episode', () => {
  /** What became of Lisbon by an episode. */
  async function revised(said: Triple[], belief: NewBelief = LISBON, text = 'It was mentioned.') {
    const { db } = await opened()
    const id = await db.assertBelief({ confidence: 0.6, ...belief })
    const report = await db.reviseBelief(id, await db.observe(text, { triples: said }))
    return report.revision.verdict
  }

  test.each<[string, Triple, string]>([
    ['the same', triple('sarah', 'lives in', 'LISBON'), 'supports'],
    ['the same, inflected', triple('Sarah', 'lived in', 'Lisbon'), 'supports'],
    ['the same, as programs write it', triple('Sarah', 'lives_in', 'Lisbon'), 'supports'],
    ['another object, one at a time', triple('Sarah', 'lives in', 'Porto'), 'contradicts'],
    ['that it is denied', triple('Sarah', 'does not live in', 'Lisbon'), 'contradicts'],
    ['that it is so no longer', triple('Sarah', 'no longer lives in', 'Lisbon'), 'contradicts'],
    ['that another object is denied', triple('Sarah', "doesn't live in", 'Porto'), 'neutral'],
    ['it of somebody else', triple('Bob', 'lives in', 'Porto'), 'neutral'],
    ['something else of her', triple('Sarah', 'likes', 'Porto'), 'neutral'],
  ])('that says %s', async (_, said, verdict) => {
    expect(await revised([said])).toBe(verdict)
  })

  test('that says both says nothing', async () => {
    expect(await revised([triple('Sarah', 'lives in', 'Lisbon'), triple('Sarah', 'lives in', 'Porto')])).toBe('neutral')
  })

  test('contradicts where a subject can have several objects only by denying', async () => {
    const thai = { claim: 'Sarah likes thai food', ...triple('Sarah', 'likes', 'thai food') }
    expect(await revised([triple('Sarah', 'likes', 'sushi')], thai)).toBe('neutral')
    expect(await revised([triple('Sarah', 'does not like', 'thai food')], thai)).toBe('contradicts')
    expect(await revised([triple('Sarah', 'never liked', 'thai food')], thai)).toBe('contradicts')
  })

  test('judges a denied belief the other way round', async () => {
    const not = { claim: 'Sarah does not live in Lisbon', ...triple('Sarah', 'does not live in', 'Lisbon') }
    expect(await revised([triple('Sarah', 'does not live in', 'Lisbon')], not)).toBe('supports')
    expect(await revised([triple('Sarah', 'lives in', 'Lisbon')], not)).toBe('contradicts')
    expect(await revised([triple('Sarah', 'lives in', 'Porto')], not)).toBe('supports')
  })

  test('may end its sentence after a name', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ ...LISBON, confidence: 0.5 })
    expect(
      (await db.reviseBelief(id, await db.observe('So.', { triples: [triple('sarah', 'lives in', 'lisbon.')] })))
        .revision.verdict,
    ).toBe('supports')
  })

  test.each([
    ['The price is 3', 'The price is 3.50.', 'neutral'],
    ['the price is 3.50', 'I asked. The price is 3.50. Too much!', 'supports'],
    ['Dr. Smith is at home', 'Dr. Smith is at home', 'supports'],
    ['The site is agidb.dev', 'Look there. The site is agidb.dev', 'supports'],
  ])('of the claim %j: %j', async (claim, text, verdict) => {
    const { db } = await opened()
    const id = await db.assertBelief({ claim, confidence: 0.5 })
    expect((await db.reviseBelief(id, await db.observe(text))).revision.verdict).toBe(verdict)
  })

  test('judges a claim without a statement by its words', async () => {
    const thai = { claim: 'Sarah likes thai food.' }
    expect(await revised([triple('Sarah', 'likes', 'thai food')], thai)).toBe('supports')
    expect(await revised([triple('Sarah', "doesn't like", 'thai food')], thai)).toBe('contradicts')
    expect(await revised([], thai, 'Well. Sarah likes Thai food! Good.')).toBe('supports')
    expect(await revised([], thai, 'Sarah does not like thai food')).toBe('contradicts')
    expect(await revised([], thai, 'Does Sarah like thai food?')).toBe('neutral')
  })
})

describe('the confidence', () => {
  const support = (c: number, r = 0.75) => (c * r) / (c * r + (1 - c) * (1 - r))
  const contradict = (c: number, r = 0.75) => support(c, 1 - r)

  test("follows Bayes' rule, and the log tells how", async () => {
    const { db, time } = await opened({ sourceTrust: { notes: 0.9, rumour: 0.5 } })
    const lisbon = { triples: [triple('Sarah', 'lives in', 'Lisbon')] }
    const porto = { triples: [triple('Sarah', 'lives in', 'Porto')] }
    const seen = [
      await db.observe('Lisbon.', lisbon),
      await db.observe('Lisbon, they say.', { ...lisbon, source: 'rumour' }),
      await db.observe('Porto!', { ...porto, source: 'notes' }),
      await db.observe('Nothing about it.'),
    ]
    const id = await db.assertBelief({ ...LISBON, confidence: 0.6 })
    const expected = [support(0.6), support(0.6), contradict(support(0.6), 0.9), contradict(support(0.6), 0.9)]
    let before = 0.6
    for (const [i, episode] of seen.entries()) {
      time.now += DAY
      const report = await db.reviseBelief(id, episode)
      expect(report).toMatchObject({
        before,
        contradicted: i === 2,
        withdrawn: false,
        revision: { revision: i + 1, kind: 'revised', before, evidence: episode },
      })
      expect(report.after).toBeCloseTo(expected[i], 12)
      expect(report.revision).toMatchObject({ after: report.after, at: new Date(time.now).toISOString() })
      before = report.after
    }
    expect(await db.getBelief(id)).toMatchObject({
      confidence: before,
      evidence: seen.slice(0, 2),
      contradictions: [seen[2]],
      revisions: 4,
      provenance: { episodes: seen.slice(0, 2) },
    })
    const history = await db.beliefHistory(id)
    expect(history.map(({ kind, verdict }) => verdict ?? kind)).toEqual([
      'asserted',
      'supports',
      'supports',
      'contradicts',
      'neutral',
    ])
    expect(history[3].reason).toContain('Porto')
    const log = await db.whatDidILearn(NOW)
    expect(log.flatMap((event) => (event.kind === 'beliefRevised' ? event.revision : []))).toEqual(history.slice(1))
  })

  test('is not contradicted by what came after it was held to be over', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ ...LISBON, confidence: 0.8, validFrom: '2010-01-01', validTo: '2020-01-01' })
    const later = await db.observe('She has moved.', {
      at: '2021-01-01',
      triples: [triple('Sarah', 'lives in', 'Porto')],
    })
    expect(await db.reviseBelief(id, later)).toMatchObject({ before: 0.8, after: 0.8, contradicted: false })
    const then = await db.observe('She was there.', {
      at: '2015-01-01',
      triples: [triple('Sarah', 'lives in', 'Porto')],
    })
    expect(await db.reviseBelief(id, then)).toMatchObject({ before: 0.8, contradicted: true })
  })

  test('is not contradicted by what had ceased to be true before it began', async () => {
    const { db } = await opened()
    const before = await db.observe('She had a flat there.', {
      at: '2019-01-01',
      triples: [triple('Sarah', 'lives in', 'Porto')],
    })
    await db.supersede(
      before,
      await db.observe('She has moved.', { at: '2020-01-01', triples: [triple('Sarah', 'lives in', 'Lisbon')] }),
    )
    const id = await db.assertBelief({ ...LISBON, confidence: 0.8, validFrom: '2020-01-01' })
    expect(await db.reviseBelief(id, before)).toMatchObject({ after: 0.8, contradicted: false })
  })

  test('that is certain, or impossible, can still change', async () => {
    const { db } = await opened({ sourceTrust: { '*': 0.6 } })
    for (const [confidence, object, after] of [
      [1, 'Porto', contradict(0.99, 0.6)],
      [1, 'Lisbon', 1],
      [0, 'Lisbon', support(0.01, 0.6)],
    ] as const) {
      const id = await db.assertBelief({ ...LISBON, confidence })
      const report = await db.reviseBelief(
        id,
        await db.observe('It is so.', { triples: [triple('Sarah', 'lives in', object)] }),
      )
      expect(report.after).toBeCloseTo(after, 12)
    }
  })

  test('that falls below 0.05 by a contradiction withdraws the belief', async () => {
    const { db } = await opened()
    const id = await db.assertBelief({ ...LISBON, confidence: 0.5 })
    const reports = []
    for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
      reports.push(
        await db.reviseBelief(
          id,
          await db.observe(`Porto on ${day}.`, { triples: [triple('Sarah', 'lives in', 'Porto')] }),
        ),
      )
    }
    expect(reports.map(({ withdrawn }) => withdrawn)).toEqual([false, false, true])
    expect(await db.getBelief(id)).toMatchObject({
      withdrawn: { reason: expect.stringContaining('0.05') as string },
      revisions: 3,
    })
    expect((await db.beliefHistory(id)).map(({ kind, revision }) => [kind, revision])).toEqual([
      ['asserted', 0],
      ['revised', 1],
      ['revised', 2],
      ['revised', 3],
      ['withdrawn', 4],
    ])
    expect(
      (await db.whatDidILearn(NOW, { kinds: ['beliefRevised', 'beliefWithdrawn'] })).map(({ kind }) => kind).slice(2),
    ).toEqual(['beliefRevised', 'beliefWithdrawn'])
    expect(await db.whatDoIBelieve('Sarah')).toEqual([])
    expect((await db.stats()).beliefs).toBe(0)
  })

  test('counts an episode once', async () => {
    const { db } = await opened()
    const first = await db.observe('Lisbon.', { triples: [triple('Sarah', 'lives in', 'Lisbon')] })
    const porto = await db.observe('Porto.', { triples: [triple('Sarah', 'lives in', 'Porto')] })
    const nothing = await db.observe('Nothing.')
    const fresh = await db.observe('Lisbon again.', { triples: [triple('Sarah', 'lives in', 'Lisbon')] })
    const id = await db.assertBelief({ ...LISBON, evidence: [first] })
    await db.reviseBelief(id, porto)
    await db.reviseBelief(id, nothing)
    await db.reviseBelief(id, nothing)
    const before = await db.beliefHistory(id)
    for (const episode of [first, porto])
      await expect(db.reviseBelief(id, episode)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    const both = await Promise.allSettled([db.reviseBelief(id, fresh), db.reviseBelief(id, fresh)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await db.beliefHistory(id)).toHaveLength(before.length + 1)
  })

  test.each<[string, unknown]>([
    ['a number', 0.9],
    ['null', null],
    ['a list', [0.9]],
    ['less than a half', { chat: 0.4 }],
    ['certainty', { '*': 1 }],
    ['words', { chat: 'high' }],
    ['not a number', { chat: NaN }],
  ])('is not weighed by a trust that is %s', async (_, sourceTrust) => {
    await expect(openMemory({ sourceTrust: sourceTrust as Record<string, number> })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
  })
})

describe('decideRevision', () => {
  const asked = async (decideRevision: EngineOptions['decideRevision'], said: Triple[] = []) => {
    const { db } = await opened({ decideRevision })
    const id = await db.assertBelief({ ...LISBON, confidence: 0.6 })
    const episode = await db.observe('She has left Portugal.', { triples: said })
    return { db, id, episode }
  }

  test('decides where triples say nothing, and only there', async () => {
    const calls: unknown[] = []
    const { db, id, episode } = await asked(async (belief, episode) => {
      calls.push([belief.claim, belief.confidence, episode.text])
      Object.assign(belief, { confidence: 0 })
      return { verdict: 'contradicts', reason: 'Lisbon is in Portugal' }
    })
    expect(await db.reviseBelief(id, episode)).toMatchObject({
      before: 0.6,
      contradicted: true,
      revision: { reason: 'Lisbon is in Portugal' },
    })
    expect(await db.getBelief(id)).toMatchObject({ contradictions: [episode] })
    await db.reviseBelief(id, await db.observe('Lisbon!', { triples: [triple('Sarah', 'lives in', 'Lisbon')] }))
    expect(calls).toEqual([['Sarah lives in Lisbon', 0.6, 'She has left Portugal.']])
  })

  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no network')
      },
      'AGIDB_DECISION',
    ],
    ['rejects', () => Promise.reject(new Error('no network')), 'AGIDB_DECISION'],
    ['answers nothing', () => undefined, 'AGIDB_INVALID_ARGUMENT'],
    ['answers a text', () => 'supports', 'AGIDB_INVALID_ARGUMENT'],
    ['answers another verdict', () => ({ verdict: 'maybe', reason: 'who knows' }), 'AGIDB_INVALID_ARGUMENT'],
    ['gives no reason', () => ({ verdict: 'supports' }), 'AGIDB_INVALID_ARGUMENT'],
  ])('that %s changes nothing', async (_, decide, code) => {
    const { db, id, episode } = await asked(decide as () => RevisionDecision)
    const before = await db.stats()
    const error = await db.reviseBelief(id, episode).catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'AgidbError', code })
    if (code === 'AGIDB_DECISION')
      expect(error).toMatchObject({
        message: expect.stringContaining('no network') as string,
        cause: { message: 'no network' },
      })
    expect(await db.beliefHistory(id)).toHaveLength(1)
    expect((await db.stats()).events).toBe(before.events)
  })

  test('blocks no writes, and comes too late for a belief that was withdrawn meanwhile', async () => {
    let answer!: (decision: RevisionDecision) => void
    const { db, id, episode } = await asked(() => new Promise((resolve) => (answer = resolve)))
    const revising = db.reviseBelief(id, episode).catch((error: unknown) => error)
    await expect.poll(() => answer).toBeDefined()
    await db.observe('Written meanwhile.')
    await db.withdrawBelief(id, 'I was wrong')
    answer({ verdict: 'supports', reason: 'late' })
    expect(await revising).toMatchObject({ code: 'AGIDB_BELIEF_WITHDRAWN' })
    expect((await db.beliefHistory(id)).map(({ kind }) => kind)).toEqual(['asserted', 'withdrawn'])
  })

  test('must be a function', async () => {
    await expect(
      openMemory({ decideRevision: 'gpt' as unknown as EngineOptions['decideRevision'] }),
    ).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

describe('what is believed', () => {
  test('is found by concept, then by alias, then by likeness; the surest first', async () => {
    const { db } = await opened()
    await db.observe('They call it BT at the office.', { triples: [triple('BT', 'is short for', 'Bawri Thai')] })
    await db.observe('Sarah phoned Bob.', { triples: [triple('Sarah', 'called', 'Bob')] })
    await db.assertBelief({
      claim: 'BT is a nickname',
      ...triple('Bawri', 'also known as', 'Bawri Thai'),
      confidence: 0.9,
    })
    await db.assertBelief({ claim: 'Bawri is a restaurant in Bandra', confidence: 0.7 })
    await db.assertBelief({ claim: 'It is good', ...triple('bawri', 'is', 'good'), confidence: 0.8 })
    await db.assertBelief({ claim: 'BT closes at ten', confidence: 0.95 })
    await db.assertBelief({ claim: 'Bawris are birds of prey', confidence: 1 })
    await db.assertBelief({ claim: 'Bob is at work', confidence: 1 })
    const found = await db.whatDoIBelieve('Bawri')
    expect(
      found.filter(({ foundBy }) => foundBy !== 'similarity').map(({ claim, foundBy }) => [claim, foundBy]),
    ).toEqual([
      ['BT is a nickname', 'concept'],
      ['It is good', 'concept'],
      ['Bawri is a restaurant in Bandra', 'concept'],
      ['BT closes at ten', 'alias'],
    ])
    expect((await db.whatDoIBelieve('bt'))[0]).toMatchObject({ claim: 'BT closes at ten', foundBy: 'concept' })
    expect((await db.whatDoIBelieve('Sarah')).map(({ claim }) => claim)).not.toContain('Bob is at work')
    const like = await db.whatDoIBelieve('a restaurant that is in Bandra')
    expect(like[0]).toMatchObject({ claim: 'Bawri is a restaurant in Bandra', foundBy: 'similarity' })
    expect(await db.whatDoIBelieve('Bawri', { k: 1 })).toHaveLength(1)
    expect(
      (await db.whatDoIBelieve('Bawri', { minConfidence: 0.75, k: 3 })).map(({ confidence }) => confidence),
    ).toEqual([0.9, 0.8, 0.95])
    expect((await db.recall('which restaurant is in Bandra?')).beliefs[0]).toMatchObject({
      claim: 'Bawri is a restaurant in Bandra',
      relevance: expect.any(Number) as number,
    })
  })

  test('of C is not what is believed of C++', async () => {
    const { db } = await opened()
    for (const [language, confidence] of [
      ['C', 0.3],
      ['C++', 0.9],
      ['C#', 0.9],
    ] as const) {
      await db.assertBelief({ claim: `Tom knows ${language}`, ...triple('Tom', 'knows', language), confidence })
    }
    expect((await db.whatDoIBelieve('C', { k: 1 })).map(({ object }) => object)).toEqual(['C'])
    expect((await db.whatDoIBelieve('C++', { k: 1 })).map(({ object }) => object)).toEqual(['C++'])
  })

  test('answers what I believed last week, and what changed my mind', async () => {
    const { db, time } = await opened()
    const first = await db.observe('Lisbon.', { triples: [triple('Sarah', 'lives in', 'Lisbon')] })
    const id = await db.assertBelief({ ...LISBON, confidence: 0.8, evidence: [first] })
    time.now += 7 * DAY
    const porto = await db.observe('Porto.', { triples: [triple('Sarah', 'lives in', 'Porto')] })
    const { after } = await db.reviseBelief(id, porto)
    time.now += DAY
    await db.withdrawBelief(id, 'she said so herself')
    const asOf = async (transactionAsOf: number) =>
      (await db.whatDoIBelieve('Sarah', { transactionAsOf })).map(({ confidence, contradictions, withdrawn }) => ({
        confidence,
        contradictions,
        withdrawn,
      }))
    expect(await asOf(NOW - 1)).toEqual([])
    expect(await asOf(NOW)).toEqual([{ confidence: 0.8, contradictions: [], withdrawn: undefined }])
    expect(await asOf(NOW + 7 * DAY)).toEqual([{ confidence: after, contradictions: [porto], withdrawn: undefined }])
    expect(await asOf(time.now)).toEqual([])
    expect(await db.whatDoIBelieve('Sarah')).toEqual([])
    expect((await db.recall('Where does Sarah live?')).beliefs).toEqual([])
    expect((await db.recall('Where does Sarah live?', { transactionAsOf: NOW })).beliefs).toMatchObject([
      { id, confidence: 0.8 },
    ])
    expect(await db.getBelief(id)).toMatchObject({
      withdrawn: { at: new Date(time.now).toISOString(), reason: 'she said so herself' },
    })
    expect((await db.beliefHistory(id)).map(({ kind, evidence }) => [kind, evidence])).toEqual([
      ['asserted', undefined],
      ['revised', porto],
      ['withdrawn', undefined],
    ])
  })

  test('is of the valid time that is asked about', async () => {
    const { db } = await opened()
    await db.assertBelief({ ...LISBON, validFrom: '2010-01-01', validTo: '2020-01-01' })
    await db.assertBelief({
      claim: 'Sarah lives in Porto',
      ...triple('Sarah', 'lives in', 'Porto'),
      validFrom: '2020-01-01',
    })
    const at = async (validAsOf?: string) =>
      (await db.whatDoIBelieve('Sarah', { validAsOf })).map(({ object }) => object)
    expect(await at()).toEqual(['Porto'])
    expect(await at('2015-01-01')).toEqual(['Lisbon'])
    expect(await at('2020-01-01')).toEqual(['Porto'])
    expect(await at('2009-12-31')).toEqual([])
    expect(
      (await db.recall('Where does Sarah live?', { validAsOf: '2015-01-01' })).beliefs.map(({ object }) => object),
    ).toEqual(['Lisbon'])
  })
})

test.each<[string, (db: Engine, belief: string, withdrawn: string, episode: string) => Promise<unknown>, string]>([
  ['revising one that is not there', (db, _, __, episode) => db.reviseBelief('be_nobody', episode), 'AGIDB_NOT_FOUND'],
  [
    'revising by an episode that is not there',
    (db, belief) => db.reviseBelief(belief, 'ep_nothing'),
    'AGIDB_NOT_FOUND',
  ],
  [
    'revising what was withdrawn',
    (db, _, withdrawn, episode) => db.reviseBelief(withdrawn, episode),
    'AGIDB_BELIEF_WITHDRAWN',
  ],
  [
    'revising a number',
    (db, _, __, episode) => db.reviseBelief(7 as unknown as string, episode),
    'AGIDB_INVALID_ARGUMENT',
  ],
  [
    'revising by nothing',
    (db, belief) => db.reviseBelief(belief, undefined as unknown as string),
    'AGIDB_INVALID_ARGUMENT',
  ],
  ['withdrawing one that is not there', (db) => db.withdrawBelief('be_nobody', 'why not'), 'AGIDB_NOT_FOUND'],
  ['withdrawing twice', (db, _, withdrawn) => db.withdrawBelief(withdrawn, 'again'), 'AGIDB_BELIEF_WITHDRAWN'],
  ['withdrawing without a reason', (db, belief) => db.withdrawBelief(belief, ''), 'AGIDB_INVALID_TEXT'],
  [
    'withdrawing for null',
    (db, belief) => db.withdrawBelief(belief, null as unknown as string),
    'AGIDB_INVALID_ARGUMENT',
  ],
  ['the history of nobody', (db) => db.beliefHistory('be_nobody'), 'AGIDB_NOT_FOUND'],
  ['the history of null', (db) => db.beliefHistory(null as unknown as string), 'AGIDB_INVALID_ARGUMENT'],
  ['getting null', (db) => db.getBelief(null as unknown as string), 'AGIDB_INVALID_ARGUMENT'],
  ['asking about nothing', (db) => db.whatDoIBelieve(' '), 'AGIDB_INVALID_TEXT'],
  ['asking about a number', (db) => db.whatDoIBelieve(7 as unknown as string), 'AGIDB_INVALID_ARGUMENT'],
  ['asking with null', (db) => db.whatDoIBelieve('sea', null as unknown as undefined), 'AGIDB_INVALID_ARGUMENT'],
  ['asking for none', (db) => db.whatDoIBelieve('sea', { k: 0 }), 'AGIDB_INVALID_ARGUMENT'],
  ['asking for more than certain', (db) => db.whatDoIBelieve('sea', { minConfidence: 2 }), 'AGIDB_INVALID_ARGUMENT'],
  ['asking as of no time', (db) => db.whatDoIBelieve('sea', { validAsOf: 'then' }), 'AGIDB_INVALID_TIME'],
  ['an option that is none', (db) => db.whatDoIBelieve('sea', { limit: 1 } as object), 'AGIDB_UNKNOWN_OPTION'],
])('%s is refused, and changes nothing', async (_, attempt, code) => {
  const { db } = await opened()
  const [belief, withdrawn] = [
    await db.assertBelief({ claim: 'The sea is blue' }),
    await db.assertBelief({ claim: 'The sea is green' }),
  ]
  const episode = await db.observe('The sea.')
  await db.withdrawBelief(withdrawn, 'it is not')
  const state = async () => [await db.stats(), await db.beliefHistory(belief), await db.beliefHistory(withdrawn)]
  const before = await state()
  await expect(attempt(db, belief, withdrawn, episode)).rejects.toMatchObject({ name: 'AgidbError', code })
  expect(await state()).toEqual(before)
})

test('survives a restart', async () => {
  await withFolder(async (path) => {
    const time = { now: NOW }
    const here = () => Agidb.open({ extract: 'none', path, clock: () => time.now, seed: 5, codebook: 'none' })
    let db = await here()
    const porto = { triples: [triple('Sarah', 'lives in', 'Porto')] }
    const ids: string[] = []
    const answers = async () => [
      ...(await Promise.all(ids.flatMap((id) => [db.getBelief(id), db.beliefHistory(id)]))),
      ...(await Promise.all(
        [{}, { transactionAsOf: NOW }].map((options) => db.whatDoIBelieve('Where Sarah lives', options)),
      )),
      (await db.recall('Sarah', { transactionAsOf: NOW })).beliefs,
    ]
    for (const city of ['Lisbon', 'Porto', 'Faro'])
      ids.push(await db.assertBelief({ claim: `Sarah lives in ${city}`, ...triple('Sarah', 'lives in', city) }))
    await answers()
    time.now += DAY
    await db.withdrawBelief(ids[0], 'long ago')
    await answers()
    await db.reviseBelief(ids[1], await db.observe('Porto.', porto))
    await db.reviseBelief(ids[2], await db.observe('Porto, again.', porto))
    const before = await answers()
    await db.close()
    db = await here()
    expect(await answers()).toEqual(before)
    expect((await db.stats()).beliefs).toBe(2)
    await db.close()
  })
})
