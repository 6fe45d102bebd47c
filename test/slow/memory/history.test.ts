import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import type { LearningEvent } from '../../../src/api/learning.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { NOW, withFolder } from '../../unit/engine/open.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { answers, type Known } from '../../unit/memory/answers.js'
import { Naive } from '../../unit/memory/naive.js'
import { dangling } from '../../unit/memory/references.js'
import { runs } from '../../runs.js'

const numRuns = runs(6)
const EVER = 0
const SUBJECTS = ['Ann', 'Bob', 'Cleo']
const OBJECTS = ['Oslo', 'Rome', 'Pune']
const STATES = ['active', 'paused', 'completed', 'abandoned'] as const

const pick = fc.nat({ max: 1000 })
const subject = fc.constantFrom(...SUBJECTS)
const object = fc.constantFrom(...OBJECTS)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('observe' as const), subject, object, ago: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('setGoal' as const),
      under: fc.option(pick),
      completion: fc.constantFrom('all' as const, 'any' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('move' as const), goal: pick, to: fc.constantFrom(...STATES) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('assert' as const),
      subject,
      object,
      confidence: fc.integer({ min: 0, max: 100 }),
      ago: pick,
      for: fc.option(fc.nat({ max: 2000 })),
    }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('revise' as const), belief: pick, by: pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('withdraw' as const), belief: pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('procedure' as const), success: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('sense' as const), subject, object, keep: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('consolidate' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('supersede' as const), old: pick, by: pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('recall' as const), about: object }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('wait' as const), ms: fc.nat({ max: 100_000 }) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('reopen' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A database, the naive model beside it, and what both have been through. */
class World {
  readonly naive = new Naive()
  readonly procedures: string[] = []
  readonly times: number[] = []
  readonly #path: string
  #now = NOW
  #log: LearningEvent[] = []
  db!: Engine

  constructor(path: string) {
    this.#path = path
  }

  get now(): number {
    return this.#now
  }

  async open(): Promise<this> {
    this.db = await openEngine({ kernel, storage: nodeStorage(this.#path), clock: () => this.#now })
    return this
  }

  get known(): Known {
    const { goals, beliefs } = this.naive
    return {
      goals: goals.map(({ id }) => id),
      beliefs: beliefs.map(({ id }) => id),
      procedures: this.procedures,
      sessions: SUBJECTS,
      concepts: [...SUBJECTS, ...OBJECTS],
      times: this.times.slice(-3),
    }
  }

  /** Does a step and checks that database and model agree on whether it may be done, and on what it did. */
  async take(step: Step): Promise<void> {
    this.#now += 1000
    this.times.push(this.#now)
    await this.#act(step)
    await this.checkLog()
    await this.checkStates()
  }

  async #act(step: Step): Promise<unknown> {
    const { db, naive, now } = this
    const goal = 'goal' in step ? at(naive.goals, step.goal) : undefined
    const belief = 'belief' in step ? at(naive.beliefs, step.belief) : undefined
    switch (step.op) {
      case 'observe':
        return this.#observe(step.subject, step.object, now - step.ago * 1000)
      case 'setGoal': {
        const parent = step.under === null ? undefined : at(naive.goals, step.under)
        const isOpen = parent === undefined || parent.kind === 'active' || parent.kind === 'paused'
        const set = db.setGoal({
          description: `goal ${naive.goals.length}`,
          parent: parent?.id,
          completion: step.completion,
        })
        if (!isOpen) return this.refused(set, 'AGIDB_INVALID_ARGUMENT')
        return naive.goals.push({
          id: await set,
          parent: parent?.id,
          completion: step.completion,
          kind: 'active',
          moves: 0,
        })
      }
      case 'move': {
        if (goal === undefined) return
        const moves = {
          active: () => db.resumeGoal(goal.id),
          paused: () => db.pauseGoal(goal.id, 'later'),
          completed: () => db.completeGoal(goal.id),
          abandoned: () => db.abandonGoal(goal.id, 'no more'),
        }
        const from = goal.kind
        if (naive.move(goal.id, step.to)) return moves[step.to]()
        const error = await this.refused(moves[step.to](), 'AGIDB_GOAL_TRANSITION')
        return expect(error.message).toEqual(
          expect.stringMatching(new RegExp(`${from}.*${step.to}|${step.to}.*${from}`)),
        )
      }
      case 'assert': {
        const from = now - step.ago * 1000
        const to = step.for === null ? undefined : from + (step.for + 1) * 1000
        const triple = { subject: step.subject, predicate: 'lives in', object: step.object }
        const confidence = step.confidence / 100
        const id = await db.assertBelief({
          claim: `${step.subject} lives in ${step.object}`,
          ...triple,
          confidence,
          validFrom: from,
          validTo: to,
        })
        return expect(naive.assert({ id, triple, from, to: to ?? Infinity }, confidence, now).id).toBe(id)
      }
      case 'revise': {
        const episode = at(naive.episodes, step.by)
        if (belief === undefined || episode === undefined) return
        const held = belief.withdrawnAt === Infinity
        const after = naive.revise(belief, episode, now)
        const revising = db.reviseBelief(belief.id, episode.id)
        if (after === undefined)
          return this.refused(revising, held ? 'AGIDB_INVALID_ARGUMENT' : 'AGIDB_BELIEF_WITHDRAWN')
        return expect(await revising).toMatchObject({
          after: expect.closeTo(after.after, 10),
          withdrawn: after.withdrawn,
        })
      }
      case 'withdraw': {
        if (belief === undefined) return
        const withdrawing = db.withdrawBelief(belief.id, 'wrong')
        if (belief.withdrawnAt < Infinity) return this.refused(withdrawing, 'AGIDB_BELIEF_WITHDRAWN')
        belief.withdrawnAt = now
        return withdrawing
      }
      case 'procedure': {
        const [known] = this.procedures
        if (known !== undefined) return db.recordExecution(known, { success: step.success })
        return this.procedures.push(
          await db.learnProcedure({ name: 'umbrella', trigger: 'when it rains', steps: ['open it'] }),
        )
      }
      case 'sense':
        return this.#sense(step.subject, step.object, step.keep)
      case 'consolidate':
        await db.consolidate()
        return naive.runs.push({ at: now, episodes: naive.episodes.length })
      case 'supersede': {
        const [old, by] = [at(naive.episodes, step.old), at(naive.episodes, step.by)]
        if (old === undefined || by === undefined || old === by) return
        // What goes in circles or would end before it began is refused; the episodes' own tests say when.
        const done = await db.supersede(old.id, by.id).then(
          () => true,
          () => false,
        )
        if (done) old.superseded = { at: Math.max(old.at, by.at), recordedAt: now }
        return
      }
      case 'recall':
        return db.recall(`who lives in ${step.about}?`, { traceAttention: true })
      case 'wait':
        return (this.#now += step.ms)
      case 'reopen':
        return this.#reopen()
    }
  }

  async #observe(subject: string, object: string, at: number, frame?: string): Promise<void> {
    const triple = { subject, predicate: 'lives in', object }
    const id = await this.db.observe(`${subject} lives in ${object}`, {
      at,
      session: subject,
      speaker: subject,
      triples: [triple],
      ...(frame !== undefined && { frame }),
    })
    this.naive.observe({ id, triple, at, recordedAt: this.#now }, this.#now)
  }

  async #sense(subject: string, object: string, keep: boolean): Promise<void> {
    const before = await this.db.stats()
    const { id: frame } = await this.db.observeSensory({
      modality: 'text',
      text: `${subject} mentions ${object}`,
      session: subject,
    })
    const found = (await this.db.workingState()).frames.at(-1)!
    expect(found.id).toBe(frame)
    expect((await this.db.stats()).episodes).toBe(before.episodes + (found.promotedTo === undefined ? 0 : 1))
    // What says nothing in triples is no matter for the model of atoms: it stands in no one's way.
    const none = { subject: frame, predicate: '', object: frame }
    if (found.promotedTo !== undefined)
      this.naive.episodes.push({ id: found.promotedTo, triple: none, at: this.#now, recordedAt: this.#now })
    else if (keep) await this.#observe(subject, object, this.#now, frame)
  }

  async #reopen(): Promise<void> {
    const before = await answers(this.db, this.known)
    await this.db.close()
    await this.open()
    expect(await answers(this.db, this.known)).toEqual(before)
  }

  /** The error of a call that must be refused, and must change nothing. */
  async refused(call: Promise<unknown>, code: string): Promise<AgidbError> {
    const error = await call.then(
      () => expect.unreachable(`expected ${code}`),
      (error: unknown) => error as AgidbError,
    )
    expect(error).toMatchObject({ name: 'AgidbError', code })
    expect(await this.db.whatDidILearn(EVER)).toEqual(this.#log)
    return error
  }

  /** The log only grows, and refers to nothing that never was. */
  async checkLog(): Promise<void> {
    const log = await this.db.whatDidILearn(EVER)
    expect(log.slice(0, this.#log.length)).toEqual(this.#log)
    expect(dangling(log)).toEqual([])
    this.#log = log
  }

  async checkStates(): Promise<void> {
    const { goals, beliefs } = this.naive
    const states = await Promise.all(goals.map(({ id }) => this.db.getGoal(id)))
    expect(states.map((goal) => [goal!.state.kind, goal!.history.length])).toEqual(
      goals.map(({ kind, moves }) => [kind, moves]),
    )
    expect((await this.db.activeGoals()).map(({ id }) => id)).toEqual(
      goals.filter(({ kind }) => kind === 'active').map(({ id }) => id),
    )
    const held = await Promise.all(beliefs.map(({ id }) => this.db.getBelief(id)))
    expect(held.map((belief) => [belief!.confidence, belief!.withdrawn !== undefined])).toEqual(
      beliefs.map((belief) => [
        expect.closeTo(this.naive.confidence(belief, this.naive.moment(belief, this.now)), 10),
        belief.withdrawnAt < Infinity,
      ]),
    )
  }
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length]
}

/** Seven of the times, from the first to the last. */
function some(times: readonly number[]): number[] {
  return Array.from({ length: 7 }, (_, i) => times[Math.round((i * (times.length - 1)) / 6)])
}

/** Runs random histories, and `check` at the end of each. */
async function histories(check: (world: World) => Promise<void>, maxLength = 30): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength, size: 'max' }), (steps) =>
      withFolder(async (path) => {
        const world = await new World(path).open()
        try {
          for (const step of steps) await world.take(step)
          await check(world)
        } finally {
          await world.db.close()
        }
      }),
    ),
    { numRuns },
  )
}

describe('whatever an agent goes through', () => {
  const timeout = 60_000 + numRuns * 4_000

  test(
    'no illegal state is reached, the log only grows, and what is refused changes nothing',
    () => histories(async (world) => world.checkStates()),
    timeout,
  )

  test('closing and opening again changes no answer', () => histories((world) => world.take({ op: 'reopen' })), timeout)

  test(
    'what was believed at any time, of any time, is what a naive reader would say',
    () =>
      histories(async ({ db, naive, times }) => {
        for (const transactionAsOf of some(times)) {
          for (const validAsOf of [transactionAsOf, times[0] - 500_000, times.at(-1)!]) {
            for (const subject of SUBJECTS) {
              const found = await db.whatDoIBelieve(subject, { validAsOf, transactionAsOf, k: 1000 })
              const about = found
                .filter(({ foundBy }) => foundBy === 'concept')
                .map(({ id, confidence }) => ({ id, confidence }))
              const expected = naive.believed(subject, validAsOf, transactionAsOf)
              expect(new Map(about.map(({ id, confidence }) => [id, confidence.toFixed(9)]))).toEqual(
                new Map(expected.map(({ id, confidence }) => [id, confidence.toFixed(9)])),
              )
              expect(about.map(({ confidence }) => confidence)).toEqual(
                about.map(({ confidence }) => confidence).sort((a, b) => b - a),
              )
            }
          }
        }
      }),
    timeout,
  )

  test(
    'what could be recalled at any time, of any time, is what a naive reader would see',
    () =>
      histories(async ({ db, naive, times, now }) => {
        for (const transactionAsOf of [undefined, ...some(times)]) {
          for (const validAsOf of [undefined, ...times.slice(-2), times[0] - 500_000]) {
            const { matches } = await db.recall('lives', { k: 1000, fold: false, transactionAsOf, validAsOf })
            expect(new Set(matches.map(({ id }) => id))).toEqual(
              new Set(naive.visible(now, validAsOf, transactionAsOf)),
            )
          }
        }
      }),
    timeout,
  )

  test(
    'what was known at any time is what a naive reader of the consolidated episodes would have gathered',
    () =>
      histories(async ({ db, naive, times }) => {
        for (const transactionAsOf of some(times)) {
          const atoms = (await db.semanticAtoms({ transactionAsOf, validAsOf: 8e15, limit: 10_000 })).filter(
            ({ triple }) => triple !== undefined,
          )
          const found = atoms.map(({ triple, provenance }) => ({
            object: triple!.object,
            episodes: [...provenance.episodes],
          }))
          const order = (a: { episodes: readonly string[] }, b: { episodes: readonly string[] }) =>
            a.episodes[0] < b.episodes[0] ? -1 : 1
          const expected = naive
            .atoms(transactionAsOf)
            .filter(({ episodes }) => episodes.some((id) => isOpen(naive, id, transactionAsOf)))
          expect(found.sort(order)).toEqual(expected.map(({ object, episodes }) => ({ object, episodes })).sort(order))
        }
      }),
    timeout,
  )
})

/** Whether an episode was not known to be superseded. */
function isOpen({ episodes }: Naive, id: string, transactionAsOf: number): boolean {
  const { superseded } = episodes.find((episode) => episode.id === id)!
  return superseded === undefined || superseded.recordedAt > transactionAsOf
}
