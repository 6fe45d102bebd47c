import type { GoalMethods } from '../../api/methods/goals.js'
import { checkChoice, checkId, checkKeys, checkList, checkName, checkText, invalid } from '../../api/check.js'
import type { Caller } from '../../api/caller.js'
import type { EpisodeId } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import type {
  ChildrenOption,
  EndGoalOptions,
  Goal,
  GoalId,
  GoalPatch,
  GoalQuery,
  GoalState,
  GoalStateKind,
  GoalTree,
  NewGoal,
} from '../../api/goal.js'
import type { LearningEvent, LearningEvents } from '../../api/learning.js'
import type { RecalledGoal } from '../../api/recall.js'
import { toIso, toMillis } from '../../api/time.js'
import {
  checkTransition,
  completions,
  ending,
  type GoalRecord,
  GoalTable,
  isTerminal,
  revised,
  type GoalEvent,
  isGoalEvent,
  withoutEvidence,
} from './projection.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import { checkEvidence, expectEvidence, goneFrom } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { Draft } from '../draft.js'
import type { ItemQuery } from '../item-index.js'
import { type FillsPeriods, PeriodIndex, Periods, type Saying } from '../periods.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'

/** What a goal says, and may be changed later. */
const SAID = ['description', 'parent', 'successCriteria', 'deadline', 'completion']
/** Goals that lift memories in a recall; as many as its option `goals` takes. */
const MOST_TEXTS = 16
const STATES: readonly GoalStateKind[] = ['active', 'paused', 'completed', 'abandoned']
const CHILDREN: readonly ChildrenOption[] = ['keep', 'abandon', 'complete']

type Changes = LearningEvents['goalRevised']['changes']

/** What the agent wants (floor 6). */
export class Goals implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  #table = new GoalTable()
  /** Of each goal, while it was active. */
  readonly #periods: PeriodIndex
  /** Worked out when asked for. */
  #texts: readonly string[] | undefined

  constructor(context: MemoryContext) {
    this.#context = context
    this.#periods = new PeriodIndex(context)
  }

  apply(event: LearningEvent, slot: number): void {
    if (!isGoalEvent(event)) return
    this.#texts = undefined
    applyTo(this.#table, this.#periods, event, slot)
  }

  /** Replays the events of goals that are left. */
  retract(events: readonly LearningEvent[]): void {
    if (!events.some(isGoalEvent)) return
    const table = new GoalTable()
    const periods = new Periods()
    for (const { event, slot } of this.#context.log.all()) if (isGoalEvent(event)) applyTo(table, periods, event, slot)
    this.#table = table
    this.#periods.replace(periods)
    this.#texts = undefined
  }

  /** Goals keep their states; what completed them is told without what is gone. */
  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent> {
    const instead = new Map<LearningEvent, LearningEvent>()
    for (const { event, slot } of events) {
      if (event.kind !== 'goalStateChanged') continue
      const to = withoutEvidence(event.to, slot, isGone)
      if (to !== event.to) instead.set(event, { ...event, to })
    }
    return instead
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return this.#table.bytes + this.#periods.bytes
  }

  free(): void {
    this.#periods.free()
  }

  get size(): number {
    return this.#table.size
  }

  /** The public methods of goals in the name of a caller. */
  methods(caller: Caller): GoalMethods {
    return {
      setGoal: (goal) => this.set(goal, caller),
      reviseGoal: (id, patch) => this.revise(id, patch, caller),
      pauseGoal: (id, reason) => this.pause(id, reason, caller),
      resumeGoal: (id) => this.resume(id, caller),
      completeGoal: (id, evidence, options) => this.complete(id, evidence, options, caller),
      abandonGoal: (id, reason, options) => this.abandon(id, reason, options, caller),
      goals: (query) => this.list(query),
      activeGoals: () => this.active(),
      goalTree: (root) => this.tree(root),
      getGoal: (id) => this.get(id),
    }
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

  /** @throws AgidbError with the code of what is wrong with the query. */
  async list(query?: GoalQuery): Promise<Goal[]> {
    checkKeys('query', query, ['state', 'asOf'])
    const { state = STATES, asOf } = query ?? {}
    const states: readonly unknown[] = Array.isArray(state) ? state : [state]
    for (const [i, kind] of states.entries()) checkChoice(Array.isArray(state) ? `state[${i}]` : 'state', kind, STATES)
    const time = asOf === undefined ? Infinity : toMillis(asOf, 'asOf')
    const now = this.#context.clock()
    return this.#table
      .at(time)
      .filter((goal) => states.includes(goal.state.kind))
      .map((goal) => this.#shown(goal, Math.min(time, now)))
  }

  async active(): Promise<Goal[]> {
    const now = this.#context.clock()
    return this.#table.active().map((goal) => this.#shown(goal, now))
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

  async get(id: GoalId): Promise<Goal | undefined> {
    this.#checkId(id)
    const goal = this.#table.get(id)
    return goal && this.#shown(goal, this.#context.clock())
  }

  /**
   * What the active goals say, each with what it serves: what lifts memories. The {@link MOST_TEXTS} that changed last,
   * newest first.
   */
  texts(): readonly string[] {
    this.#texts ??= this.#table
      .active()
      .sort((a, b) => b.changed - a.changed)
      .slice(0, MOST_TEXTS)
      .map((goal) => textOf(this.#table, goal))
    return this.#texts
  }

  /** The goals that bear on a cue, of those that were active at the time asked about, as they were then; best first. */
  async bearingOn(cue: string, asking: ItemQuery): Promise<RecalledGoal[]> {
    const { now, validAsOf = Infinity, transactionAsOf = Infinity } = asking
    // A goal is true from the moment at which it is known, so its two times are one.
    const time = Math.min(validAsOf, transactionAsOf)
    const found = new Map<GoalId, RecalledGoal>()
    for (const { owner: id, relevance, bears } of await this.#periods.find(cue, asking)) {
      const goal = this.#table.asOf(id, time)
      if (!bears || found.has(id) || goal?.state.kind !== 'active') continue
      found.set(id, { ...this.#shown(goal, Math.min(time, now)), relevance })
    }
    return [...found.values()]
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

  #shown(goal: GoalRecord, now: number): Goal {
    const isGone = goneFrom(this.#context.indexes.catalog)
    return toGoal(goal, now, (state) => this.#table.standing(state, isGone))
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

/** Takes an event into the table of goals, and into the periods in which each was active and said one thing. */
function applyTo(table: GoalTable, periods: FillsPeriods, event: GoalEvent, slot: number): void {
  table.apply(event, slot)
  periods.say(event.goal, sayingOf(table, event.goal), event.at)
  if (event.kind !== 'goalRevised') return
  // What a goal says is said by those that serve it, too.
  for (const { id } of table.children(event.goal)) periods.say(id, sayingOf(table, id), event.at)
}

/** What an active goal is found by. */
function sayingOf(table: GoalTable, id: GoalId): Saying | undefined {
  const goal = table.get(id)
  return goal?.state.kind === 'active' ? { text: textOf(table, goal) } : undefined
}

/** What a goal says, with what it serves. */
function textOf(table: GoalTable, { description, parent }: GoalRecord): string {
  const above = parent === undefined ? undefined : table.get(parent)
  return above === undefined ? description : `${description}\n${above.description}`
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

/**
 * A goal as it is given away: nothing of it is shared.
 *
 * @param standing a state without the evidence that is gone.
 */
function toGoal(
  { order: _, changed: __, ...goal }: GoalRecord,
  now: number,
  standing: (state: GoalState) => GoalState,
): Goal {
  const { deadline, state, history, successCriteria, provenance } = goal
  return {
    ...goal,
    successCriteria: [...successCriteria],
    overdue: deadline !== undefined && !isTerminal(goal) && now > Date.parse(deadline),
    state: copied(standing(state)),
    history: structuredClone(history.map((change) => ({ ...change, to: standing(change.to) }))),
    provenance: { ...provenance, episodes: [...provenance.episodes] },
  }
}

function copied(state: GoalState): GoalState {
  return state.kind === 'completed' ? { ...state, evidence: [...state.evidence] } : { ...state }
}
