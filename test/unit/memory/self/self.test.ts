import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BeliefRevision } from '../../../../src/api/belief.js'
import type { GoalState } from '../../../../src/api/goal.js'
import type { LearningEvent, LearningKind } from '../../../../src/api/learning.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { encodeEpisode } from '../../../../src/records/kinds/episode.js'
import { toEpisode } from '../../../../src/records/observation.js'
import { learningEventKind } from '../../../../src/records/kinds/learning-event.js'
import type { NewEvent } from '../../../../src/records/event-log.js'
import { idsOf, LEARNING_KINDS } from '../../../../src/records/events/registry.js'
import { SelfVector } from '../../../../src/memory/self/self-vector.js'
import { DIMENSION } from '../../../../src/kernel/port.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { NOW, openMemory, withFolder } from '../../engine/open.js'
import { kernel } from '../../encoding/kernel.js'
import { dangling } from '../references.js'
import { runs } from '../../../runs.js'

const tie = kernel.threshold(new Int32Array(DIMENSION))
const bundle = (name: number) => kernel.fromName(`bundle ${name}`)
const iso = (minute: number) => new Date(NOW + minute * 60_000).toISOString()
const tea = { name: 'Make tea', trigger: 'somebody wants tea', steps: ['boil water'] }

/** Something that was learned at a minute. */
interface Told {
  readonly minute: number
  readonly event: NewEvent
  readonly signature?: Uint8Array
}

/** Calls `use` with a database in a folder whose log holds this history, after all that `before` put there. */
async function withHistory(told: readonly Told[], use: (db: Engine, path: string) => Promise<void>): Promise<void> {
  await withFolder(async (path) => {
    const storage = new OpenedStore(nodeStorage(path))
    const { nextSlot } = await storage.open(() => {})
    const evidence = ['ep_1', 'ep_2'].map((id, slot) => ({
      op: 'put' as const,
      slot: nextSlot + slot,
      id,
      row: encodeEpisode(toEpisode({ text: 'He said so.' }, id, NOW, 'me')),
      signatures: {},
    }))
    await storage.commit(evidence)
    await storage.commit(
      told.map(({ minute, event, signature }, i) => {
        const row = learningEventKind.encode({ id: `ev_${i}`, at: iso(minute), ...event } as LearningEvent)
        return {
          op: 'put',
          slot: nextSlot + evidence.length + i,
          id: `ev_${i}`,
          row,
          signatures: signature === undefined ? {} : { text: signature },
        }
      }),
    )
    await storage.close()
    const db = await openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW })
    await use(db, path)
    await db.close()
  })
}

const epoch = (minute: number, epoch: number, name: number, drift = 0): Told => ({
  minute,
  event: { kind: 'selfVectorUpdated', epoch, drift, atoms: [] },
  signature: bundle(name),
})

describe('the self-vector', () => {
  test('is that of the stored epochs, now and at any time, after opening too', async () => {
    const vector = new SelfVector(tie)
    const steps = [1, 2, 2, 3].map((name, minute) => {
      vector.take(bundle(name), minute)
      return vector.now
    })
    await withHistory([epoch(0, 1, 1), epoch(1, 2, 2), epoch(2, 3, 2), epoch(3, 4, 3)], async (db) => {
      expect(await db.selfVector()).toEqual(steps[3])
      expect(await db.selfVectorAt(NOW - 1)).toEqual(tie)
      for (let minute = 0; minute < 4; minute++) {
        expect(await db.selfVectorAt(iso(minute))).toEqual(steps[minute])
        expect(await db.selfVectorAt(Date.parse(iso(minute)) + 59_999)).toEqual(steps[minute])
      }
    })
  })

  test('of an empty memory is the hypervector that ties take, each time another copy', async () => {
    const db = await openMemory()
    const vector = await db.selfVector()
    expect(vector).toEqual(tie)
    vector.fill(0)
    ;(await db.selfVectorAt(NOW)).fill(0)
    expect([await db.selfVector(), await db.selfVectorAt(NOW)]).toEqual([tie, tie])
    await expect(db.selfVectorAt('soon')).rejects.toMatchObject({ code: 'AGIDB_INVALID_TIME' })
    await expect(db.selfVectorAt(undefined as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_TIME' })
  })
})

describe('what the agent is like', () => {
  const kitchen = { subject: 'Sarah', predicate: 'likes', object: 'thai food' }
  const consolidated = async () => {
    const db = await openMemory()
    for (let i = 0; i < 3; i++)
      await db.observe(`Sarah likes thai food, ${['again', 'as ever', 'too'][i]}`, { triples: [kitchen] })
    await db.consolidate()
    return db
  }

  test('is nothing before the first consolidation', async () => {
    const db = await openMemory()
    expect(await db.selfSimilarity('Sarah likes thai food')).toBe(0)
  })

  test('is what was consolidated, by its words, its atom, its episodes and beliefs, and nothing else', async () => {
    const db = await consolidated()
    const [
      {
        id: atom,
        statement,
        provenance: {
          episodes: [episode],
        },
      },
    ] = await db.semanticAtoms()
    const belief = await db.assertBelief({ claim: 'Sarah likes thai food', ...kitchen })
    const unrelated = await db.assertBelief({ claim: 'The moon has no air' })
    expect(await db.selfSimilarity(atom)).toBeGreaterThan(0.9)
    for (const like of [statement, episode, belief]) expect(await db.selfSimilarity(like), like).toBeGreaterThan(0.3)
    for (const unlike of ['The pump is broken', unrelated])
      expect(Math.abs(await db.selfSimilarity(unlike)), unlike).toBeLessThan(0.12)
  })

  test('is told by introspection, with what it is most like first', async () => {
    const db = await consolidated()
    const [{ id: atom, statement }] = await db.semanticAtoms()
    expect(await db.introspect({ question: 'what am I most like' })).toEqual({
      question: 'what am I most like',
      summary: `So far you are most like “${statement}”.`,
      events: [expect.stringMatching(/^ev_/)],
      atoms: [{ atom, statement, similarity: await db.selfSimilarity(atom) }],
    })
    expect(await db.introspect({ question: 'what am I most like', until: NOW })).toMatchObject({
      atoms: [],
      events: [],
    })
  })

  test('refuses what is no text', async () => {
    const db = await openMemory({ limits: { textBytes: 8 } })
    await expect(db.selfSimilarity('')).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
    await expect(db.selfSimilarity(7 as never)).rejects.toMatchObject({ code: expect.stringMatching(/^AGIDB_INVALID/) })
    await expect(db.selfSimilarity('123456789')).rejects.toMatchObject({ code: 'AGIDB_TOO_LARGE' })
  })
})

describe('what was learned', () => {
  test('are the episodes and the events in the order in which they came', async () => {
    let minute = 0
    const db = await openMemory({ clock: () => NOW + 60_000 * minute })
    const first = await db.observe('I made tea.')
    minute++
    const procedure = await db.learnProcedure({ ...tea, evidence: [first] })
    minute++
    const second = await db.observe('Too strong.', { id: 'strong' })
    minute++
    await db.recordExecution(procedure, { success: false })
    minute++
    const recall = await db.recall('tea', { traceAttention: true, k: 1 })

    const all = await db.whatDidILearn(0)
    expect(all.map(({ kind }) => kind)).toEqual([
      'episodeStored',
      'procedureLearned',
      'episodeStored',
      'procedureExecuted',
      'attentionTraced',
    ])
    expect(all[0]).toEqual({ id: `ev_${first}`, kind: 'episodeStored', at: iso(0), episode: first })
    expect(all[2]).toEqual({ id: 'ev_strong', kind: 'episodeStored', at: iso(2), episode: second })
    expect(all[4]).toMatchObject({ recall: recall.id, cue: 'tea', episodes: [recall.matches[0].id], at: iso(4) })
    expect(new Set(all.map(({ id }) => id)).size).toBe(5)
    expect(dangling(all)).toEqual([])

    expect(await db.whatDidILearn(iso(1))).toEqual(all.slice(1))
    expect(await db.whatDidILearn(0, { until: iso(3) })).toEqual(all.slice(0, 3))
    expect(await db.whatDidILearn(iso(3), { until: iso(3) })).toEqual([])
    expect(await db.whatDidILearn(0, { kinds: ['episodeStored'] })).toEqual([all[0], all[2]])
    expect(await db.whatDidILearn(0, { kinds: [] })).toEqual([])
    expect(await db.whatDidILearn(0, { subject: procedure })).toEqual([all[1], all[3]])
    expect(await db.whatDidILearn(0, { subject: first })).toEqual(all.filter((event) => idsOf(event).has(first)))
    expect(await db.whatDidILearn(0, { subject: 'nothing' })).toEqual([])
    expect(await db.whatDidILearn(0, { limit: 2 })).toEqual(all.slice(0, 2))

    await db.remove(second)
    const named = (event: LearningEvent) => event.id === 'ev_strong' || idsOf(event).has(second)
    expect((await db.whatDidILearn(0)).filter(({ kind }) => kind !== 'unlearned')).toEqual(
      all.filter((event) => !named(event)),
    )
  })

  test('cannot be changed through an answer', async () => {
    const db = await openMemory()
    await db.learnProcedure(tea)
    const before = await db.whatDidILearn(0)
    const [event] = await db.whatDidILearn(0, { kinds: ['procedureLearned'] })
    if (event.kind === 'procedureLearned') (event.steps as string[]).push('drink')
    expect(await db.whatDidILearn(0)).toEqual(before)
  })

  test('is asked for by what can be right only', async () => {
    const db = await openMemory({ limits: { nameBytes: 8 } })
    const cases: [string, unknown, unknown?][] = [
      ['AGIDB_INVALID_TIME', undefined],
      ['AGIDB_INVALID_TIME', 'yesterday'],
      ['AGIDB_INVALID_TIME', 0, { until: NaN }],
      ['AGIDB_INVALID_ARGUMENT', NOW, { until: NOW - 1 }],
      ['AGIDB_INVALID_ARGUMENT', 0, 'all'],
      ['AGIDB_INVALID_ARGUMENT', 0, { kinds: 'episodeStored' }],
      ['AGIDB_INVALID_ARGUMENT', 0, { kinds: ['episodeStored', 'dreamed'] }],
      ['AGIDB_INVALID_ARGUMENT', 0, { subject: 7 }],
      ['AGIDB_INVALID_ARGUMENT', 0, { subject: '' }],
      ['AGIDB_TOO_LARGE', 0, { subject: '123456789' }],
      ['AGIDB_INVALID_ARGUMENT', 0, { limit: 0 }],
      ['AGIDB_INVALID_ARGUMENT', 0, { limit: 1_000_001 }],
      ['AGIDB_UNKNOWN_OPTION', 0, { since: 0 }],
    ]
    for (const [code, since, query] of cases) {
      await expect(
        db.whatDidILearn(since as never, query as never),
        JSON.stringify([since, query]),
      ).rejects.toMatchObject({ code })
    }
  })

  test('in any history is what a naive list says, through restarts and with a clock that jumps', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('observe' as const), minute: fc.nat(9) }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('learn' as const), minute: fc.nat(9), evidence: fc.nat(9) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('record' as const), minute: fc.nat(9), which: fc.nat(4) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('recall' as const), minute: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
    )
    const query = fc.record({
      since: fc.nat(9),
      length: fc.option(fc.nat(5), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      kinds: fc.option(
        fc.subarray<LearningKind>(['episodeStored', 'procedureLearned', 'procedureExecuted', 'attentionTraced']),
        { nil: undefined },
      ),
      subject: fc.option(fc.nat(5), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), query, (history, { since, length, limit, kinds, subject }) =>
        withFolder(async (path) => {
          let minute = 0
          const open = () =>
            openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW + 60_000 * minute, seed: 2 })
          let db = await open()
          const episodes: string[] = []
          const procedures: string[] = []
          let naive: { kind: LearningKind; at: string; about: string[] }[] = []
          const gone: string[] = []
          for (const step of history) {
            if ('minute' in step) minute = step.minute
            const at = iso(minute)
            if (step.do === 'observe') {
              episodes.push(await db.observe(`tea ${episodes.length}`))
              naive.push({ kind: 'episodeStored', at, about: [episodes.at(-1)!] })
            } else if (step.do === 'learn') {
              const evidence = [episodes[step.evidence]].filter((id) => id !== undefined && !gone.includes(id))
              procedures.push(await db.learnProcedure({ ...tea, name: `p${procedures.length}`, evidence }))
              naive.push({ kind: 'procedureLearned', at, about: [procedures.at(-1)!, ...evidence] })
            } else if (step.do === 'record' && naive.some(({ about: [id] }) => id === procedures[step.which])) {
              const { executions } = await db.recordExecution(procedures[step.which], { success: true })
              naive.push({ kind: 'procedureExecuted', at, about: [procedures[step.which], executions.at(-1)!.id] })
            } else if (step.do === 'recall') {
              const { id, matches } = await db.recall('tea', { traceAttention: true })
              naive.push({ kind: 'attentionTraced', at, about: [id, ...matches.map(({ id }) => id)] })
            } else if (
              step.do === 'remove' &&
              episodes[step.which] !== undefined &&
              !gone.includes(episodes[step.which])
            ) {
              gone.push(episodes[step.which])
              await db.remove(episodes[step.which])
              // A recall that answered with it was never traced, and what was learned from it alone never learned.
              const lost = naive.filter(({ about }) => about.includes(gone.at(-1)!)).map(({ about: [id] }) => id)
              naive = naive.filter(({ about: [id] }) => !lost.includes(id))
            } else if (step.do === 'reopen') {
              await db.close()
              db = await open()
            }
          }
          const about = subject === undefined ? undefined : ([...episodes, ...procedures][subject] ?? 'nothing')
          const wanted = naive.filter(
            (event) =>
              event.at >= iso(since) &&
              (length === undefined || event.at < iso(since + length)) &&
              (kinds === undefined || kinds.includes(event.kind)) &&
              (about === undefined || event.about.includes(about)),
          )
          const until = length === undefined ? undefined : iso(since + length)
          const found = await db.whatDidILearn(iso(since), {
            ...(until && { until }),
            ...(limit && { limit }),
            kinds: kinds ?? LEARNING_KINDS.filter((kind) => kind !== 'unlearned'),
            ...(about && { subject: about }),
          })
          expect(found.map((event) => ({ kind: event.kind, at: event.at, about: [...idsOf(event)] }))).toEqual(
            wanted.slice(0, limit),
          )
          expect(dangling(await db.whatDidILearn(0))).toEqual([])
          await db.close()
        }),
      ),
      { numRuns: runs() },
    )
  })
})

test('a reference to what never was is seen', () => {
  const event: LearningEvent = {
    id: 'ev_1',
    kind: 'goalRevised',
    at: iso(0),
    goal: 'go_1',
    changes: { parent: 'go_2' },
  }
  expect(dangling([event])).toEqual([
    { event, id: 'go_1' },
    { event, id: 'go_2' },
  ])
  expect(dangling([{ ...event, changes: { parent: null } }], ['go_1'])).toEqual([])
})

const ACTIVE: GoalState = { kind: 'active' }
const provenance = { writer: 'agidb', episodes: [] }
const goalSet = (goal: string, description: string): NewEvent => ({
  kind: 'goalSet',
  goal,
  description,
  successCriteria: [],
  completion: 'all',
  provenance,
})
const asserted = (belief: string, claim: string, confidence: number): NewEvent => ({
  kind: 'beliefAsserted',
  belief,
  claim,
  confidence,
  evidence: [],
  validFrom: iso(0),
  provenance,
})
const revised = (belief: string, revision: BeliefRevision): NewEvent => ({
  kind: revision.kind === 'withdrawn' ? 'beliefWithdrawn' : 'beliefRevised',
  belief,
  revision,
})

const paused: GoalState = { kind: 'paused', since: iso(2) }
const completed: GoalState = { kind: 'completed', at: iso(4), evidence: [] }
const supported: BeliefRevision = {
  revision: 1,
  at: iso(2),
  kind: 'revised',
  before: 0.5,
  after: 0.8,
  evidence: 'ep_1',
  verdict: 'supports',
  reason: 'he said so',
}
const unmoved: BeliefRevision = {
  revision: 2,
  at: iso(3),
  kind: 'revised',
  before: 0.8,
  after: 0.8,
  evidence: 'ep_2',
  verdict: 'neutral',
  reason: 'of something else',
}
const withdrawn: BeliefRevision = {
  revision: 3,
  at: iso(4),
  kind: 'withdrawn',
  before: 0.8,
  after: 0.8,
  reason: 'closed down',
}

/** Its events are `ev_0`, `ev_1`, … in this order. */
const LIFE: readonly Told[] = [
  { minute: 0, event: goalSet('go_1', 'find a thai place') },
  { minute: 0, event: asserted('be_1', 'Bawri is a thai restaurant', 0.5) },
  { minute: 1, event: asserted('be_2', 'Sarah likes tea', 0.5) },
  {
    minute: 1,
    event: { kind: 'attentionTraced', recall: 'rc_1', cue: 'thai place', considered: 3, episodes: [] },
  },
  { minute: 2, event: { kind: 'goalStateChanged', goal: 'go_1', from: ACTIVE, to: paused } },
  { minute: 2, event: revised('be_1', supported) },
  epoch(2, 1, 1, kernel.hamming(tie, bundle(1))),
  { minute: 3, event: revised('be_1', unmoved) },
  { minute: 3, event: { kind: 'goalRevised', goal: 'go_1', changes: { description: 'find a thai place in Bandra' } } },
  { minute: 3, event: { kind: 'goalStateChanged', goal: 'go_1', from: paused, to: ACTIVE } },
  { minute: 4, event: revised('be_2', { ...withdrawn, revision: 1, before: 0.5, after: 0.5 }) },
  { minute: 4, event: goalSet('go_2', 'learn to cook') },
  { minute: 4, event: { kind: 'goalStateChanged', goal: 'go_1', from: ACTIVE, to: completed, by: 'go_2' } },
  { minute: 5, event: { kind: 'attentionTraced', recall: 'rc_2', cue: 'tea', considered: 1, episodes: [] } },
  epoch(5, 2, 2, 0),
]

describe('introspection', () => {
  test('tells what was learned', () =>
    withHistory(LIFE, async (db) => {
      expect(await db.introspect({ question: 'what did I learn', since: iso(3), until: iso(5) })).toEqual({
        question: 'what did I learn',
        summary:
          `From ${iso(3)} to ${iso(5)} you set 1 goal, made 1 revision of a goal, saw 2 changes of the states of ` +
          'goals, made 1 revision of a belief and withdrew 1 belief.',
        events: ['ev_7', 'ev_8', 'ev_9', 'ev_10', 'ev_11', 'ev_12'],
        counts: { beliefRevised: 1, goalRevised: 1, goalStateChanged: 2, beliefWithdrawn: 1, goalSet: 1 },
      })
      expect(await db.introspect({ question: 'what did I learn', about: 'be_2' })).toMatchObject({
        events: ['ev_2', 'ev_10'],
        summary: 'So far you asserted 1 belief and withdrew 1 belief.',
      })
      expect(await db.introspect({ question: 'what did I learn', since: iso(9) })).toEqual({
        question: 'what did I learn',
        summary: `Since ${iso(9)} you learned nothing.`,
        events: [],
        counts: {},
      })
    }))

  test('counts the episodes, too', async () => {
    const db = await openMemory()
    const ids = await db.observeMany([{ text: 'one' }, { text: 'two' }])
    await db.learnProcedure(tea)
    const answer = await db.introspect({ question: 'what did I learn', since: NOW })
    expect(answer).toMatchObject({
      summary: `Since ${iso(0)} you remembered 2 episodes and learned 1 procedure.`,
      counts: { episodeStored: 2, procedureLearned: 1 },
    })
    expect(answer.events).toEqual((await db.whatDidILearn(NOW)).map(({ id }) => id))
    expect(answer.events.slice(0, 2)).toEqual(ids.map((id) => `ev_${id}`))
  })

  test('tells what was attended to', () =>
    withHistory(LIFE, async (db) => {
      expect(await db.introspect({ question: 'what was I attending to' })).toEqual({
        question: 'what was I attending to',
        summary: 'So far you traced 2 recalls, the last of “tea”.',
        events: ['ev_3', 'ev_13'],
        recalls: [
          { recall: 'rc_1', at: iso(1), cue: 'thai place', episodes: [] },
          { recall: 'rc_2', at: iso(5), cue: 'tea', episodes: [] },
        ],
      })
      expect(await db.introspect({ question: 'what was I attending to', until: iso(2) })).toMatchObject({
        summary: `Before ${iso(2)} you traced 1 recall: “thai place”.`,
      })
      expect(await db.introspect({ question: 'what was I attending to', until: iso(1) })).toMatchObject({
        summary: `Before ${iso(1)} you traced no recall.`,
        events: [],
      })
    }))

  test('tells what changed its mind, not what left it as it was', () =>
    withHistory(LIFE, async (db) => {
      const [one, two] = [
        { belief: 'be_1', claim: 'Bawri is a thai restaurant', revisions: [supported] },
        {
          belief: 'be_2',
          claim: 'Sarah likes tea',
          revisions: [{ ...withdrawn, revision: 1, before: 0.5, after: 0.5 }],
        },
      ]
      expect(await db.introspect({ question: 'what changed my mind' })).toEqual({
        question: 'what changed my mind',
        summary: 'So far you changed your mind on 2 beliefs, and withdrew 1 of them.',
        events: ['ev_5', 'ev_10'],
        beliefs: [one, two],
      })
      expect(await db.introspect({ question: 'what changed my mind', about: 'be_1' })).toEqual({
        question: 'what changed my mind',
        events: ['ev_5'],
        beliefs: [one],
        summary:
          'So far you changed your mind on “Bawri is a thai restaurant”: your confidence went from 0.50 to 0.80.',
      })
      expect(await db.introspect({ question: 'what changed my mind', since: iso(4) })).toMatchObject({
        beliefs: [two],
        summary: `Since ${iso(4)} you changed your mind on “Sarah likes tea”: you withdrew it.`,
      })
      expect(await db.introspect({ question: 'what changed my mind', since: iso(3), until: iso(4) })).toMatchObject({
        beliefs: [],
        events: [],
        summary: `From ${iso(3)} to ${iso(4)} nothing changed your mind.`,
      })
    }))

  test('tells which goals moved, by what they said when they did', () =>
    withHistory(LIFE, async (db) => {
      const changes = [
        { at: iso(2), from: ACTIVE, to: paused },
        { at: iso(3), from: paused, to: ACTIVE },
        { at: iso(4), from: ACTIVE, to: completed, by: 'go_2' },
      ]
      expect(await db.introspect({ question: 'which goals moved' })).toEqual({
        question: 'which goals moved',
        summary: 'So far 2 goals moved: 2 set, 1 paused, 1 resumed and 1 completed.',
        events: ['ev_0', 'ev_4', 'ev_9', 'ev_11', 'ev_12'],
        goals: [
          { goal: 'go_1', description: 'find a thai place in Bandra', changes },
          { goal: 'go_2', description: 'learn to cook', changes: [] },
        ],
      })
      expect(await db.introspect({ question: 'which goals moved', until: iso(3), about: 'go_1' })).toMatchObject({
        goals: [{ goal: 'go_1', description: 'find a thai place', changes: changes.slice(0, 1) }],
        events: ['ev_0', 'ev_4'],
      })
      expect(await db.introspect({ question: 'which goals moved', since: iso(5) })).toMatchObject({
        goals: [],
        summary: `Since ${iso(5)} no goal moved.`,
      })
    }))

  test('tells how far it drifted: in the bits that the epochs of the time changed', () =>
    withHistory(LIFE, async (db) => {
      const bits = kernel.hamming(tie, bundle(1))
      expect(await db.introspect({ question: 'how much did I drift', until: iso(5) })).toEqual({
        question: 'how much did I drift',
        summary:
          `Before ${iso(5)} you drifted by ${bits} of 8192 bits (${((100 * bits) / 8192).toFixed(1)} %) in ` +
          '1 epoch.',
        events: ['ev_6'],
        bits,
        epochs: [{ epoch: 1, at: iso(2), drift: bits }],
      })
      expect(await db.introspect({ question: 'how much did I drift' })).toMatchObject({
        bits: kernel.hamming(tie, await db.selfVector()),
        epochs: [{ epoch: 1 }, { epoch: 2 }],
      })
      // The epoch at the very start of the time belongs to it.
      expect(await db.introspect({ question: 'how much did I drift', since: iso(5) })).toMatchObject({
        bits: kernel.hamming(await db.selfVectorAt(iso(4)), await db.selfVectorAt(iso(5))),
        epochs: [{ epoch: 2 }],
      })
      expect(await db.introspect({ question: 'how much did I drift', since: iso(6) })).toEqual({
        question: 'how much did I drift',
        summary: `Since ${iso(6)} you did not drift: nothing was consolidated.`,
        events: [],
        bits: 0,
        epochs: [],
      })
    }))

  test('cannot be changed through an answer', () =>
    withHistory(LIFE, async (db) => {
      for (const question of [
        'what did I learn',
        'what was I attending to',
        'what changed my mind',
        'which goals moved',
        'how much did I drift',
        'what am I most like',
      ] as const) {
        const before = structuredClone(await db.introspect({ question }))
        spoil(await db.introspect({ question }))
        expect(await db.introspect({ question })).toEqual(before)
      }
    }))

  test('of an empty memory has an answer to every question', async () => {
    const db = await openMemory()
    const summaries = []
    for (const question of [
      'what did I learn',
      'what was I attending to',
      'what changed my mind',
      'which goals moved',
      'how much did I drift',
      'what am I most like',
    ] as const) {
      summaries.push((await db.introspect({ question })).summary)
    }
    expect(summaries).toEqual([
      'So far you learned nothing.',
      'So far you traced no recall.',
      'So far nothing changed your mind.',
      'So far no goal moved.',
      'So far you did not drift: nothing was consolidated.',
      'So far you are like nothing: nothing was consolidated.',
    ])
  })

  test('refuses what is wrong', () =>
    withHistory(LIFE, async (db) => {
      const cases: [string, unknown][] = [
        ['AGIDB_INVALID_ARGUMENT', undefined],
        ['AGIDB_INVALID_ARGUMENT', 'what did I learn'],
        ['AGIDB_INVALID_ARGUMENT', {}],
        ['AGIDB_INVALID_ARGUMENT', { question: 'who am I' }],
        ['AGIDB_INVALID_ARGUMENT', { question: 'constructor' }],
        ['AGIDB_INVALID_TIME', { question: 'what did I learn', since: 'then' }],
        ['AGIDB_INVALID_TIME', { question: 'what did I learn', until: {} }],
        ['AGIDB_INVALID_ARGUMENT', { question: 'what did I learn', since: iso(1), until: iso(0) }],
        ['AGIDB_INVALID_ARGUMENT', { question: 'what did I learn', about: 7 }],
        ['AGIDB_NOT_FOUND', { question: 'what did I learn', about: 'go_9' }],
        ['AGIDB_NOT_FOUND', { question: 'what changed my mind', about: 'go_1' }],
        ['AGIDB_NOT_FOUND', { question: 'which goals moved', about: 'be_1' }],
        ['AGIDB_INVALID_ARGUMENT', { question: 'what was I attending to', about: 'go_1' }],
        ['AGIDB_INVALID_ARGUMENT', { question: 'how much did I drift', about: 'be_1' }],
        ['AGIDB_UNKNOWN_OPTION', { question: 'what did I learn', of: 'go_1' }],
      ]
      for (const [code, query] of cases)
        await expect(db.introspect(query as never), JSON.stringify(query)).rejects.toMatchObject({ code })
    }))
})

test('every kind of event is in the closed set once', () => {
  expect(new Set(LEARNING_KINDS).size).toBe(LEARNING_KINDS.length)
  expect(LEARNING_KINDS).toHaveLength(39)
})

/** Changes all that an answer holds. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) spoil(inner)
  if (Array.isArray(value)) value.length = 0
  else for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = 'spoilt'
}
