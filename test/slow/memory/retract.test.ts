import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { MemoryContext } from '../../../src/memory/context.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { runs } from '../../runs.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { NOW, openMemory, withFolder } from '../../unit/engine/open.js'
import { answers } from '../../unit/memory/answers.js'

const PEOPLE = ['Tom', 'Sarah', 'Ada']
const PLACES = ['Pune', 'Goa']
const VERBS = ['lives in', 'moved to', 'does not live in', 'likes', 'is also known as']
const WISHES = ['find a flat in Goa', 'visit Ada', 'learn to cook']
const TRIGGERS = ['it rains', 'a guest comes', 'the train is late']

type Ids = Record<'episodes' | 'goals' | 'beliefs' | 'procedures', string[]>
/** One call, by what came before; numbers choose among it. */
type Call = (db: Engine, ids: Ids, pick: <T>(among: readonly T[], by: number) => T, a: number, b: number) => unknown

const stated = (pick: <T>(among: readonly T[], by: number) => T, a: number, b: number) => ({
  subject: pick(PEOPLE, a),
  predicate: pick(VERBS, b),
  object: pick(VERBS, b) === 'is also known as' ? pick(PEOPLE, a + 1) : pick(PLACES, a + b),
})

const EPISODES: readonly Call[] = [
  async (db, { episodes }, pick, a, b) => {
    const triple = stated(pick, a, b)
    const text = `${triple.subject} ${triple.predicate} ${triple.object}.`
    episodes.push(await db.observe(text, { triples: [triple], session: pick(['s1', 's2'], a), source: 'chat' }))
  },
  async (db, { episodes }, pick, a) => episodes.push(await db.observe(`The tea is ready, ${pick(PEOPLE, a)}.`)),
  (db, { episodes }, pick, a, b) => db.supersede(pick(episodes, a), pick(episodes, b)),
  (db, { episodes }, pick, a) => db.remove(pick(episodes, a)),
]

const GOALS: readonly Call[] = [
  async (db, { goals }, pick, a, b) => {
    const parent = b % 2 === 0 ? undefined : pick(goals, b)
    goals.push(await db.setGoal({ description: pick(WISHES, a), ...(parent && { parent }) }))
  },
  (db, { goals }, pick, a, b) => db.reviseGoal(pick(goals, a), { description: pick(WISHES, b) }),
  (db, { goals }, pick, a, b) => db.reviseGoal(pick(goals, a), { parent: b % 3 === 0 ? null : pick(goals, b) }),
  (db, { goals }, pick, a) => db.pauseGoal(pick(goals, a)),
  (db, { goals }, pick, a) => db.resumeGoal(pick(goals, a)),
  (db, { goals }, pick, a) => db.completeGoal(pick(goals, a)),
  (db, { goals }, pick, a) => db.abandonGoal(pick(goals, a), 'no time', { children: 'abandon' }),
]

const BELIEFS: readonly Call[] = [
  async (db, { beliefs, episodes }, pick, a, b) => {
    const triple = stated(pick, a, b)
    const claim = `${triple.subject} ${triple.predicate} ${triple.object}`
    const evidence = a % 2 === 0 ? [] : [pick(episodes, a)]
    beliefs.push(await db.assertBelief({ claim, ...triple, confidence: 0.6, evidence }))
  },
  async (db, { beliefs }, pick, a) => beliefs.push(await db.assertBelief({ claim: `${pick(PEOPLE, a)} is kind` })),
  (db, { beliefs, episodes }, pick, a, b) => db.reviseBelief(pick(beliefs, a), pick(episodes, b)),
  (db, { beliefs }, pick, a) => db.withdrawBelief(pick(beliefs, a), 'it was a joke'),
]

const PROCEDURES: readonly Call[] = [
  async (db, { procedures, episodes }, pick, a, b) => {
    const evidence = b % 2 === 0 ? [] : [pick(episodes, b)]
    const learned = { name: `plan ${a % 4}`, trigger: pick(TRIGGERS, a), steps: ['wait', 'call'], evidence }
    procedures.push(await db.learnProcedure(learned))
  },
  (db, { procedures }, pick, a, b) => db.reviseProcedure(pick(procedures, a), { name: `plan ${b % 4}` }),
  (db, { procedures }, pick, a, b) => db.reviseProcedure(pick(procedures, a), { trigger: pick(TRIGGERS, b) }),
  (db, { procedures }, pick, a, b) => db.recordExecution(pick(procedures, a), { success: b % 2 === 0 }),
  (db, { procedures }, pick, a) => db.retireProcedure(pick(procedures, a), 'it never worked'),
]

const SENSES: readonly Call[] = [
  (db, _, pick, a) => db.observeSensory({ modality: 'text', text: `${pick(PEOPLE, a)} rings the bell.` }),
  (db, _, pick, a) => db.observeSensory({ modality: 'multimodal', text: `${pick(PEOPLE, a)} knocks on the door.` }),
  (db, _, pick, a) => db.recall(pick(PEOPLE, a), { traceAttention: true }),
]

const CONSOLIDATE: Call = (db) => db.consolidate({ minSupport: 2 })
const ATOMS: readonly Call[] = [EPISODES[0], EPISODES[0], EPISODES[1], CONSOLIDATE]
const ALL: readonly Call[] = [...EPISODES, ...GOALS, ...BELIEFS, ...PROCEDURES, ...SENSES, CONSOLIDATE]
/** Of which calls a history is made: now of one floor, now of all. */
const FLOORS = [ALL, GOALS, [...EPISODES, ...BELIEFS], PROCEDURES, ATOMS, [...EPISODES, ...SENSES]]

/** Calls, events to be retracted, or a recall, which brings the indexes of the floors up to date before the next. */
const historyOf = (calls: readonly Call[]) =>
  fc.array(
    fc.oneof(
      {
        weight: 10,
        arbitrary: fc.record({ call: fc.constantFrom(...calls), a: fc.nat(11), b: fc.nat(11) }),
      },
      { weight: 1, arbitrary: fc.record({ retract: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ ask: fc.constantFrom(...PEOPLE, 'plan') }) },
    ),
    { minLength: 8, maxLength: 60 },
  )
const history = fc.constantFrom(...FLOORS).chain(historyOf)

/** Opens a memory, and takes what a floor of it is given. */
async function openWithContext(path: string, clock: () => number): Promise<{ db: Engine; context: MemoryContext }> {
  let context!: MemoryContext
  const take = (given: MemoryContext) => ((context = given), { projections: [] })
  const extensions = [{ service: take }]
  const db = await openEngine({ kernel, storage: nodeStorage(path), clock, seed: 3, extensions })
  return { db, context }
}

/** Everything that is answered of the floors, as far as it is there. */
async function everything(db: Engine, { goals, beliefs, procedures }: Ids): Promise<unknown> {
  const there = async (ids: readonly string[], get: (id: string) => Promise<unknown>) => {
    const found = await Promise.all(ids.map(get))
    return ids.filter((_, i) => found[i] !== undefined)
  }
  const known = {
    goals: await there(goals, (id) => db.getGoal(id)),
    beliefs: await there(beliefs, (id) => db.getBelief(id)),
    procedures,
    sessions: ['s1', 's2'],
    concepts: [...PEOPLE, ...PLACES],
    times: [NOW + 5_000, NOW + 20_000],
  }
  return {
    ...((await answers(db, known)) as object),
    allGoals: await db.goals(),
    goalsThen: await db.goals({ asOf: NOW + 10_000 }),
    allProcedures: await db.procedures({ state: 'all' }),
    proceduresThen: await db.procedures({ state: 'all', asOf: NOW + 10_000 }),
    wished: await Promise.all(WISHES.map(async (wish) => (await db.recall(wish)).activeGoals)),
    wishedThen: (await db.recall(WISHES[0], { validAsOf: NOW + 10_000, transactionAsOf: NOW + 10_000 })).activeGoals,
    planned: await Promise.all(TRIGGERS.map((trigger) => db.proceduresFor(trigger))),
    surprise: await db.surpriseScore({ modality: 'text', text: 'Tom lives in Goa.' }),
    verdicts: (await db.stats()).events,
  }
}

test('after events are retracted a memory answers as one that is opened without them', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(fc.nat(40), { maxLength: 8 }), (history, last) =>
      withFolder(async (path) => {
        let time = NOW
        const clock = () => time
        const { db, context } = await openWithContext(path, clock)
        const ids: Ids = { episodes: [], goals: [], beliefs: [], procedures: [] }
        const pick = <T>(among: readonly T[], by: number): T => among[by % Math.max(1, among.length)]
        const retract = async (which: readonly number[]) => {
          const all = context.log.all().map(({ event }) => event.id)
          if (all.length > 0)
            await context.retract([...new Set(which.map((by) => pick(all, by)))], { writer: 'test', from: 'test' })
        }
        for (const step of history) {
          time += 1_000
          if ('retract' in step) await retract(step.retract)
          else if ('ask' in step) await db.recall(step.ask)
          else {
            try {
              await step.call(db, ids, pick, step.a, step.b)
            } catch (error) {
              if (!(error instanceof AgidbError)) throw error
            }
          }
        }
        await retract(last)
        const before = await everything(db, ids)
        await db.close()
        const again = await openWithContext(path, clock)
        expect(before).toEqual(await everything(again.db, ids))
        await again.db.close()
      }),
    ),
    { numRuns: runs(20) },
  )
})

test('the events of a belief go with its assertion, and an event that is not there is refused', async () => {
  let context!: MemoryContext
  const db = await openMemory({ extensions: [{ service: (given) => ((context = given), { projections: [] }) }] })
  const caller = { writer: 'test', from: 'test' }
  const episode = await db.observe('Tom is not kind.')
  const belief = await db.assertBelief({ claim: 'Tom is kind', confidence: 0.9 })
  await db.reviseBelief(belief, episode)
  const [asserted] = await db.whatDidILearn(0, { kinds: ['beliefAsserted'] })
  await expect(context.retract([asserted.id, 'ev_none'], caller)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
  expect(await db.getBelief(belief)).toBeDefined()
  await context.retract([asserted.id], caller)
  expect(await db.getBelief(belief)).toBeUndefined()
  expect(await db.whatDidILearn(0, { subject: belief })).toEqual([])
  expect((await db.introspect({ question: 'what changed my mind' })).events).toEqual([])
  await db.close()
})

test('with the event of a traced recall goes its trace', async () => {
  let context!: MemoryContext
  const db = await openMemory({ extensions: [{ service: (given) => ((context = given), { projections: [] }) }] })
  await db.observe('The tea is ready.')
  const { id } = await db.recall('tea', { traceAttention: true })
  const [traced] = await db.whatDidILearn(0, { kinds: ['attentionTraced'] })
  expect(await db.attentionTrace(id)).toBeDefined()
  await context.retract([traced.id], { writer: 'test', from: 'test' })
  expect(await db.attentionTrace(id)).toBeUndefined()
  await db.close()
})
