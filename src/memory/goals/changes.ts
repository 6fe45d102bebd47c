import { checkChoice, checkId, checkKeys, checkList, checkName, checkText, invalid } from '../../api/check.js'
import type { Caller } from '../../api/caller.js'
import type { EpisodeId } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type {
  ChildrenOption,
  EndGoalOptions,
  Goal,
  GoalId,
  GoalPatch,
  GoalState,
  GoalTree,
  NewGoal,
} from '../../api/goal.js'
import type { LearningEvents } from '../../api/learning.js'
import { toIso, toMillis } from '../../api/time.js'
import type { NewEvent } from '../../records/event-log.js'
import { checkEvidence, expectEvidence } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { Draft } from '../draft.js'
import {
  checkTransition,
  completions,
  ending,
  type GoalRecord,
  type GoalTable,
  isTerminal,
  revised,
} from './projection.js'

/** What a goal says, and may be changed later. */
const SAID = ['description', 'parent', 'successCriteria', 'deadline', 'completion']
const CHILDREN: readonly ChildrenOption[] = ['keep', 'abandon', 'complete']

type Changes = LearningEvents['goalRevised']['changes']

/** What changes of goals have of the floor. */
export interface GoalSource {
  readonly context: MemoryContext
  readonly table: () => GoalTable
  /** A goal as callers see it at a time, epoch milliseconds. */
  readonly shown: (goal: GoalRecord, now: number) => Goal
}

/** Sets and changes goals, and shows their trees. Loaded when it is first needed. */
export class GoalChanges {
  readonly #context: MemoryContext
  readonly #source: GoalSource

  constructor(source: GoalSource) {
    this.#context = source.context
    this.#source = source
  }

  async set(goal: NewGoal, caller: Caller): Promise<GoalId> {
    const { limits } = this.#context
    checkKeys('setGoal', goal, [...SAID, 'session', 'source'])
    if (goal === undefined) throw invalid('a goal is undefined; expected { description, … }', { what: 'goal' })
    const { description, parent, successCriteria = [], deadline, completion = 'all', session, source } = goal
    for (const [what, name] of Object.entries({ session, source })) checkName(what, name, limits)
    this.#checkWords('description', description)
    // A patch may take these away by null; what is new has them or not.
    if (parent !== undefined) checkId('parent', parent, limits)
    if (deadline !== undefined) toMillis(deadline, 'deadline')
    const said = this.#checked({ description, parent, successCriteria, deadline, completion })
    return this.#context.learn(caller, (now): Draft<GoalId> => {
      const id = this.#context.makeId('go_', now, (id) => this.#table.get(id) !== undefined)
      if (parent !== undefined) this.#parent(parent)
      const provenance = {
        ...(source !== undefined && { source }),
        ...(session !== undefined && { session }),
        writer: caller.writer,
        episodes: [],
      }
      const event = { kind: 'goalSet', goal: id, ...said, provenance } as NewEvent<'goalSet'>
      return { events: [event], answer: id, result: () => id }
    })
  }

  /**
   * Only what differs is an event. The goal itself and the parent that it leaves are asked again whether their children
   * complete them; the parent to which it comes has one more open child, so nothing completes that one.
   */
  async revise(id: GoalId, patch: GoalPatch, caller: Caller): Promise<Goal> {
    this.#checkId(id)
    checkKeys('reviseGoal', patch, SAID)
    if (patch === undefined)
      throw invalid('the patch is undefined; expected an object with what is to change', { what: 'patch' })
    const said = this.#checked(patch)
    return this.#change(caller, id, (goal, at) => {
      const { state } = goal
      if (isTerminal(goal)) {
        throw new AgidbError(
          'AGIDB_GOAL_TRANSITION',
          `the goal ${id} is ${state.kind}, which is final: what it says cannot change any more`,
          { id, from: state.kind, legal: [] },
        )
      }
      const changes = differences(goal, said)
      if (Object.keys(changes).length === 0) return []
      if (typeof changes.parent === 'string') this.#parent(changes.parent, id)
      return [
        { kind: 'goalRevised', goal: id, changes },
        ...this.#completions(revised(goal, changes), [id, goal.parent], at),
      ]
    })
  }

  async pause(id: GoalId, reason: string | undefined, caller: Caller): Promise<Goal> {
    this.#checkId(id)
    if (reason !== undefined) this.#checkWords('reason', reason)
    return this.#change(caller, id, (goal, at) => [
      transition(goal, { kind: 'paused', since: at, ...(reason !== undefined && { reason }) }),
    ])
  }

  async resume(id: GoalId, caller: Caller): Promise<Goal> {
    this.#checkId(id)
    return this.#change(caller, id, (goal, at) => {
      const to: GoalState = { kind: 'active' }
      return [transition(goal, to), ...this.#completions({ ...goal, state: to }, [id], at)]
    })
  }

  async complete(
    id: GoalId,
    evidence: readonly EpisodeId[] = [],
    options: EndGoalOptions | undefined,
    caller: Caller,
  ): Promise<Goal> {
    this.#checkId(id)
    const children = checkedChildren(options)
    const episodes = checkEvidence('evidence', evidence, this.#context.limits)
    return this.#change(caller, id, (goal, at) => {
      const to = { kind: 'completed', at, evidence: episodes } as const
      const changes = ending(this.#table, goal, to, children)
      expectEvidence(this.#context.indexes.catalog, episodes)
      return [
        ...changes.map(toEvent),
        ...this.#completions({ ...goal, state: to, changed: Infinity }, [goal.parent], at),
      ]
    })
  }

  async abandon(id: GoalId, reason: string, options: EndGoalOptions | undefined, caller: Caller): Promise<Goal> {
    this.#checkId(id)
    this.#checkWords('reason', reason)
    const children = checkedChildren(options)
    return this.#change(caller, id, (goal, at) =>
      ending(this.#table, goal, { kind: 'abandoned', at, reason }, children).map(toEvent),
    )
  }

  async tree(root: GoalId): Promise<GoalTree> {
    checkId('root', root, this.#context.limits)
    const now = this.#context.clock()
    interface Open extends GoalTree {
      readonly children: Open[]
    }
    const top: Open = { goal: this.#shown(this.#goal(root), now), children: [] }
    // Without recursion, so that a tree may be as deep as it likes.
    for (const open = [top]; open.length > 0; ) {
      const { goal, children } = open.pop()!
      for (const child of this.#table.children(goal.id)) children.push({ goal: this.#shown(child, now), children: [] })
      open.push(...children)
    }
    return top
  }

  get #table(): GoalTable {
    return this.#source.table()
  }

  #shown(goal: GoalRecord, now: number): Goal {
    return this.#source.shown(goal, now)
  }

  /** Learns what `draft` makes of a goal, and answers the goal as it is then. */
  #change(caller: Caller, id: GoalId, draft: (goal: GoalRecord, at: string) => NewEvent[]): Promise<Goal> {
    return this.#context.learn(
      caller,
      (now): Draft<Goal> => ({
        events: draft(this.#goal(id), toIso(now)),
        result: () => this.#shown(this.#goal(id), now),
      }),
    )
  }

  #completions(goal: GoalRecord, asked: readonly (GoalId | undefined)[], at: string): NewEvent[] {
    return completions(this.#table, goal, asked, at).map(toEvent)
  }

  #goal(id: GoalId): GoalRecord {
    const goal = this.#table.get(id)
    if (goal === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no goal with the id ${JSON.stringify(id)}`, { id })
    return goal
  }

  /** Checks that a goal may serve another, which may be new. */
  #parent(parent: GoalId, child?: GoalId): void {
    const goal = this.#goal(parent)
    if (isTerminal(goal)) {
      throw invalid(`parent ${parent} is ${goal.state.kind}; a parent must be active or paused`, {
        option: 'parent',
        id: parent,
        state: goal.state.kind,
      })
    }
    if (child !== undefined && this.#table.isWithin(parent, child)) {
      throw invalid(
        `parent ${parent} is the goal itself or serves it; a parent must stand outside of what is below the goal`,
        { option: 'parent', id: child, parent },
      )
    }
  }

  /** Checks what a goal says, and copies it. */
  #checked({ description, parent, successCriteria, deadline, completion }: GoalPatch): Changes {
    if (description !== undefined) this.#checkWords('description', description)
    if (parent !== undefined && parent !== null) checkId('parent', parent, this.#context.limits)
    const { limits } = this.#context
    const criteria =
      successCriteria === undefined
        ? undefined
        : checkList('successCriteria', successCriteria, limits, FIELD_LIMITS.goal.successCriteria)
    for (const [i, criterion] of (criteria ?? []).entries()) this.#checkWords(`successCriteria[${i}]`, criterion)
    if (completion !== undefined) checkChoice('completion', completion, ['all', 'any'])
    return {
      ...(description !== undefined && { description }),
      ...(parent !== undefined && { parent }),
      ...(criteria !== undefined && { successCriteria: criteria }),
      ...(deadline !== undefined && { deadline: deadline === null ? null : toIso(toMillis(deadline, 'deadline')) }),
      ...(completion !== undefined && { completion }),
    }
  }

  #checkId(id: unknown): void {
    checkId('id', id, this.#context.limits)
  }

  #checkWords(what: string, words: unknown): void {
    checkText(what, words, this.#context.limits, FIELD_LIMITS.goal.description)
  }
}

/** @throws AgidbError with the code of what is wrong. */
function checkedChildren(options: EndGoalOptions | undefined): ChildrenOption {
  checkKeys('options', options, ['children'])
  const { children = 'keep' } = options ?? {}
  checkChoice('children', children, CHILDREN)
  return children
}

function toEvent(change: LearningEvents['goalStateChanged']): NewEvent<'goalStateChanged'> {
  return { kind: 'goalStateChanged', ...change }
}

/** @throws AgidbError `AGIDB_GOAL_TRANSITION` if a goal cannot go there. */
function transition(goal: GoalRecord, to: GoalState): NewEvent<'goalStateChanged'> {
  checkTransition(goal, to.kind)
  return { kind: 'goalStateChanged', goal: goal.id, from: goal.state, to }
}

/** What of a patch is not so already. */
function differences(goal: GoalRecord, patch: Changes): Changes {
  const before: Required<Changes> = {
    description: goal.description,
    parent: goal.parent ?? null,
    successCriteria: goal.successCriteria,
    deadline: goal.deadline ?? null,
    completion: goal.completion,
  }
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return Object.fromEntries(Object.entries(patch).filter(([key, value]) => !same(value, before[key as keyof Changes])))
}
