import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { EpisodeId } from '../../api/episode.js'
import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import { AgidbError } from '../../base/errors.js'
import type {
  ChildrenFate,
  ChildrenOption,
  Goal,
  GoalChange,
  GoalId,
  GoalState,
  GoalStateKind,
} from '../../api/goal.js'
import type { LearningEvent, LearningEvents } from '../../api/learning.js'
import { present } from '../evidence.js'
import type { IsGone } from '../projection.js'

/** A goal as its events tell it. Never changed, only replaced. */
export interface GoalRecord extends Omit<Goal, 'overdue'> {
  /** How many goals were set before it. */
  readonly order: number
  /** How many events of goals there were before its last. */
  readonly changed: number
}

/** An event that tells of a goal. */
export type GoalEvent = LearningEvent<'goalSet' | 'goalRevised' | 'goalStateChanged'>
type StateChange = LearningEvents['goalStateChanged']
/** A state that is final. */
type Ended = Extract<GoalState, { readonly kind: 'completed' | 'abandoned' }>

/** Where a goal may go from each state: completed and abandoned are terminal. */
const LEGAL: Readonly<Record<GoalStateKind, readonly GoalStateKind[]>> = {
  active: ['paused', 'completed', 'abandoned'],
  paused: ['active', 'abandoned'],
  completed: [],
  abandoned: [],
}

export function isGoalEvent(event: LearningEvent): event is GoalEvent {
  return event.kind === 'goalSet' || event.kind === 'goalRevised' || event.kind === 'goalStateChanged'
}

export function isTerminal({ state }: Pick<GoalRecord, 'state'>): boolean {
  return LEGAL[state.kind].length === 0
}

/** @throws AgidbError `AGIDB_GOAL_TRANSITION` naming both states and the legal ones. */
export function checkTransition({ id, state }: GoalRecord, to: GoalStateKind): void {
  const from = state.kind
  const legal = LEGAL[from]
  if (legal.includes(to)) return
  const instead = legal.length === 0 ? `${from} is final` : `from ${from} it can become ${legal.join(' or ')}`
  throw new AgidbError('AGIDB_GOAL_TRANSITION', `the goal ${id} is ${from} and cannot become ${to}; ${instead}`, {
    id,
    from,
    to,
    legal: [...legal],
  })
}

/**
 * All goals (floor 6): a fold of the learning events about them, and the tree that they stand in. A goal with children
 * that is active completes as soon as its rule holds; see {@link completions}.
 */
export class GoalTable {
  /** In the order in which they were set. */
  readonly #goals = new Map<GoalId, GoalRecord>()
  readonly #events = new Map<GoalId, GoalEvent[]>()
  readonly #children = new Map<GoalId, Set<GoalId>>()
  /** The slots of the events by which goals came to their states. */
  readonly #slots = new WeakMap<GoalState, number>()
  #changes = 0

  get size(): number {
    return this.#goals.size
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    const records = sampledBytes(
      this.#goals.values(),
      this.size,
      (goal) => heapBytes(goal, false) - heapBytes(goal.provenance, false) - heapBytes(goal.successCriteria, false),
    )
    const events = sampledBytes(
      this.#events.values(),
      this.#events.size,
      ({ length }) => HEAP.array + HEAP.field * Math.max(length, 1),
    )
    return (
      records +
      events +
      2 * HEAP.entry * this.size +
      this.#children.size * (HEAP.map + HEAP.entry) +
      this.size * HEAP.entry
    )
  }

  apply(event: LearningEvent, slot: number): void {
    if (!isGoalEvent(event)) return
    if (event.kind === 'goalStateChanged') this.#slots.set(event.to, slot)
    const before = this.#goals.get(event.goal)
    const after = evolve(before, event, before?.order ?? this.#goals.size, this.#changes++)
    if (after === undefined) return
    this.#goals.set(after.id, after)
    const events = this.#events.get(after.id)
    if (events === undefined) this.#events.set(after.id, [event])
    else events.push(event)
    if (before?.parent !== after.parent) this.#move(after.id, before?.parent, after.parent)
  }

  /** A state without the evidence that is gone. */
  standing(state: GoalState, isGone: IsGone): GoalState {
    const slot = this.#slots.get(state)
    return slot === undefined ? state : withoutEvidence(state, slot, isGone)
  }

  get(id: GoalId): GoalRecord | undefined {
    return this.#goals.get(id)
  }

  /** In the order in which they were set. */
  active(): GoalRecord[] {
    return [...this.#goals.values()].filter(({ state }) => state.kind === 'active')
  }

  /**
   * All goals that had been set by a time, epoch milliseconds, as they were then; in the order in which they were set.
   */
  at(time: number): GoalRecord[] {
    return [...this.#goals.keys()].flatMap((id) => this.asOf(id, time) ?? [])
  }

  /** A goal by what had been learned of it at a time, epoch milliseconds, inclusive. */
  asOf(id: GoalId, time: number): GoalRecord | undefined {
    const now = this.#goals.get(id)
    if (now === undefined || time === Infinity) return now
    const known = (this.#events.get(id) ?? []).filter(({ at }) => Date.parse(at) <= time)
    return known.reduce<GoalRecord | undefined>((goal, event) => evolve(goal, event, now.order, now.changed), undefined)
  }

  /** The goals that serve a goal directly, in the order in which they were set. */
  children(id: GoalId): GoalRecord[] {
    return [...(this.#children.get(id) ?? [])].map((child) => this.#goals.get(child)!).sort((a, b) => a.order - b.order)
  }

  /** Whether a goal is another, or stands anywhere below it. */
  isWithin(id: GoalId, above: GoalId): boolean {
    for (let at: GoalId | undefined = id; at !== undefined; at = this.#goals.get(at)?.parent)
      if (at === above) return true
    return false
  }

  #move(id: GoalId, from: GoalId | undefined, to: GoalId | undefined): void {
    if (from !== undefined) leave(this.#children, from, id)
    if (to !== undefined) enter(this.#children, to, id)
  }
}

/** A state without the evidence that is gone; the state itself where none is. */
export function withoutEvidence(state: GoalState, slot: number, isGone: IsGone): GoalState {
  if (state.kind !== 'completed') return state
  const evidence = present(state.evidence, slot, isGone)
  return evidence === state.evidence ? state : { ...state, evidence }
}

/** A goal after one more event of it; nothing before it is set. */
function evolve(
  goal: GoalRecord | undefined,
  event: GoalEvent,
  order: number,
  changed: number,
): GoalRecord | undefined {
  const { at } = event
  if (event.kind === 'goalSet') {
    const { goal: id, description, parent, successCriteria, deadline, completion, provenance } = event
    return {
      id,
      description,
      ...(parent !== undefined && { parent }),
      successCriteria,
      ...(deadline !== undefined && { deadline }),
      completion,
      state: { kind: 'active' },
      history: [],
      createdAt: at,
      updatedAt: at,
      provenance,
      order,
      changed,
    }
  }
  if (goal === undefined) return undefined
  if (event.kind === 'goalRevised') return { ...revised(goal, event.changes), updatedAt: at, changed }
  return { ...goal, state: event.to, history: [...goal.history, toChange(event)], updatedAt: at, changed }
}

/** A change of state as the history of its goal has it. */
export function toChange({ at, from, to, by, with: above, children }: LearningEvent<'goalStateChanged'>): GoalChange {
  return {
    at,
    from,
    to,
    ...(by !== undefined && { by }),
    ...(above !== undefined && { with: above }),
    ...(children !== undefined && { children }),
  }
}

/** A goal with changes; `null` takes away. */
export function revised(goal: GoalRecord, changes: LearningEvents['goalRevised']['changes']): GoalRecord {
  const { parent, deadline, ...rest } = goal
  const { parent: newParent = parent ?? null, deadline: newDeadline = deadline ?? null, ...others } = changes
  return {
    ...rest,
    ...others,
    ...(newParent !== null && { parent: newParent }),
    ...(newDeadline !== null && { deadline: newDeadline }),
  }
}

/**
 * The goals that complete by themselves, once a goal is what it will be: whichever active one among `asked` has
 * children that fulfil its rule, then its parent, and so on up the tree. With `all` every child must be completed, so
 * one that was abandoned holds its parent open; with `any` one is enough. What is paused is asked again when it is
 * resumed. A goal completes by the child that completed last, with the evidence of all of its completed children.
 *
 * @param will the goal as it will be.
 * @param at the time of it all, ISO 8601.
 */
export function completions(
  table: GoalTable,
  will: GoalRecord,
  asked: readonly (GoalId | undefined)[],
  at: string,
): StateChange[] {
  const planned = new Map([[will.id, will]])
  const changes: StateChange[] = []
  const queue = [...asked]
  while (queue.length > 0) {
    const id = queue.shift()
    const goal = id === undefined ? undefined : (planned.get(id) ?? table.get(id))
    if (goal?.state.kind !== 'active') continue
    const children = childrenOf(table, planned, goal.id)
    const completed = children.filter(({ state }) => state.kind === 'completed')
    if (completed.length === 0 || (goal.completion === 'all' && completed.length < children.length)) continue
    const by = completed.reduce((last, child) => (child.changed >= last.changed ? child : last)).id
    const to: GoalState = { kind: 'completed', at, evidence: evidenceOf(completed) }
    planned.set(goal.id, { ...goal, state: to, changed: Infinity })
    changes.push({ goal: goal.id, from: goal.state, to, by, ...fateOf(openBelow(table, planned, goal.id), 'kept') })
    queue.push(goal.parent)
  }
  return changes
}

/** What becomes of the open goals below a goal that ends; nothing where there are none. */
const FATES: Readonly<Record<ChildrenOption, ChildrenFate['became']>> = {
  keep: 'kept',
  abandon: 'abandoned',
  complete: 'completed',
}

/**
 * A goal ends, and with it the open goals below it as `children` says, level by level, the goal itself first. What is
 * paused and to be completed is resumed first, since a paused goal cannot be completed.
 *
 * @param to its final state.
 * @throws AgidbError `AGIDB_GOAL_TRANSITION` if the goal cannot go there.
 */
export function ending(table: GoalTable, goal: GoalRecord, to: Ended, children: ChildrenOption): StateChange[] {
  checkTransition(goal, to.kind)
  const open = openBelow(table, new Map(), goal.id)
  const changes: StateChange[] = [{ goal: goal.id, from: goal.state, to, ...fateOf(open, FATES[children]) }]
  if (children === 'keep') return changes
  const end = children === 'abandon' ? abandonedWith(to) : completedWith(to)
  for (const { id, state } of open) {
    const active: GoalState = { kind: 'active' }
    const resumes = end.kind === 'completed' && state.kind === 'paused'
    if (resumes) changes.push({ goal: id, from: state, to: active, with: goal.id })
    changes.push({ goal: id, from: resumes ? active : state, to: end, with: goal.id })
  }
  return changes
}

function abandonedWith(to: Ended): GoalState {
  return {
    kind: 'abandoned',
    at: to.at,
    reason: to.kind === 'abandoned' ? to.reason : 'the goal that it serves was completed',
  }
}

function completedWith(to: Ended): GoalState {
  return { kind: 'completed', at: to.at, evidence: to.kind === 'completed' ? to.evidence : [] }
}

function fateOf(open: readonly GoalRecord[], became: ChildrenFate['became']): { readonly children?: ChildrenFate } {
  if (open.length === 0) return {}
  const goals = open.slice(0, FIELD_LIMITS.goal.children.items).map(({ id }) => id)
  return { children: { became, count: open.length, goals } }
}

/** The goals below a goal that are active or paused, level by level. */
function openBelow(table: GoalTable, planned: ReadonlyMap<GoalId, GoalRecord>, id: GoalId): GoalRecord[] {
  const below = childrenOf(table, planned, id)
  for (let i = 0; i < below.length; i++) for (const child of childrenOf(table, planned, below[i].id)) below.push(child)
  return below.filter((goal) => !isTerminal(goal))
}

function childrenOf(table: GoalTable, planned: ReadonlyMap<GoalId, GoalRecord>, id: GoalId): GoalRecord[] {
  const stayed = table.children(id).filter((child) => !planned.has(child.id))
  return [...stayed, ...[...planned.values()].filter(({ parent }) => parent === id)].sort((a, b) => a.order - b.order)
}

function evidenceOf(goals: readonly GoalRecord[]): EpisodeId[] {
  const all = new Set(goals.flatMap(({ state }) => (state.kind === 'completed' ? state.evidence : [])))
  return [...all].slice(0, FIELD_LIMITS.goal.evidence.items)
}
