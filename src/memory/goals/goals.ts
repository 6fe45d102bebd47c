import type { GoalMethods } from '../../api/methods/goals.js'
import { checkChoice, checkId, checkKeys } from '../../api/check.js'
import type { Caller } from '../../api/caller.js'
import { loadOnce, ofLoaded } from '../../base/load-once.js'
import type { Goal, GoalId, GoalQuery, GoalState, GoalStateKind } from '../../api/goal.js'
import type { LearningEvent } from '../../api/learning.js'
import type { RecalledGoal } from '../../api/recall.js'
import { toMillis } from '../../api/time.js'
import type { GoalChanges } from './changes.js'
import { type GoalRecord, GoalTable, isTerminal, type GoalEvent, isGoalEvent, withoutEvidence } from './projection.js'
import type { Logged } from '../../records/event-log.js'
import { goneFrom } from '../evidence.js'
import type { MemoryContext } from '../context.js'
import type { ItemQuery } from '../item-index.js'
import { type FillsPeriods, PeriodIndex, Periods, type Saying } from '../periods.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'

/** Goals that lift memories in a recall; as many as its option `goals` takes. */
const MOST_TEXTS = 16
const STATES: readonly GoalStateKind[] = ['active', 'paused', 'completed', 'abandoned']

/** What sets and changes goals. It is large, so it is loaded when it is first needed. */
export interface GoalParts {
  readonly goals: () => Promise<{ readonly GoalChanges: typeof GoalChanges }>
}

/** What the agent wants (floor 6). */
export class Goals implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  #table = new GoalTable()
  /** Of each goal, while it was active. */
  readonly #periods: PeriodIndex
  readonly #changes: () => Promise<GoalChanges>
  /** Worked out when asked for. */
  #texts: readonly string[] | undefined

  constructor(context: MemoryContext, parts: GoalParts) {
    this.#context = context
    this.#periods = new PeriodIndex(context)
    this.#changes = loadOnce(async () => {
      const { GoalChanges } = await parts.goals()
      const shown = (goal: GoalRecord, now: number) => this.#shown(goal, now)
      return new GoalChanges({ context, table: () => this.#table, shown })
    })
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

  /** The public methods of goals on behalf of a caller. */
  methods(caller: Caller): GoalMethods {
    return {
      setGoal: ofLoaded(this.#changes, (changes, goal) => changes.set(goal, caller)),
      reviseGoal: ofLoaded(this.#changes, (changes, id, patch) => changes.revise(id, patch, caller)),
      pauseGoal: ofLoaded(this.#changes, (changes, id, reason) => changes.pause(id, reason, caller)),
      resumeGoal: ofLoaded(this.#changes, (changes, id) => changes.resume(id, caller)),
      completeGoal: ofLoaded(this.#changes, (changes, id, evidence, options) =>
        changes.complete(id, evidence, options, caller),
      ),
      abandonGoal: ofLoaded(this.#changes, (changes, id, reason, options) =>
        changes.abandon(id, reason, options, caller),
      ),
      goals: (query) => this.list(query),
      activeGoals: () => this.active(),
      goalTree: ofLoaded(this.#changes, (changes, root) => changes.tree(root)),
      getGoal: (id) => this.get(id),
    }
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

  async get(id: GoalId): Promise<Goal | undefined> {
    checkId('id', id, this.#context.limits)
    const goal = this.#table.get(id)
    return goal && this.#shown(goal, this.#context.clock())
  }

  /** The state of a goal; `undefined` where there is no such goal. */
  stateOf(id: GoalId): GoalStateKind | undefined {
    return this.#table.get(id)?.state.kind
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

  #shown(goal: GoalRecord, now: number): Goal {
    const isGone = goneFrom(this.#context.indexes.catalog)
    return toGoal(goal, now, (state) => this.#table.standing(state, isGone))
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
