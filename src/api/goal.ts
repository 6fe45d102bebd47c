import type { EpisodeId, Provenance, TimeInput } from './episode.js'
import type { GoalId } from './purpose.js'

export type { GoalId } from './purpose.js'

/** Where a goal stands. `completed` and `abandoned` are terminal. */
export type GoalState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly since: string; readonly reason?: string }
  | { readonly kind: 'completed'; readonly at: string; readonly evidence: readonly EpisodeId[] }
  | { readonly kind: 'abandoned'; readonly at: string; readonly reason: string }

/** The name of a goal's state. */
export type GoalStateKind = GoalState['kind']

/** Which goals `goals` lists. */
export interface GoalQuery {
  /** Only goals in this state, or in one of these. Default: in any state. */
  readonly state?: GoalStateKind | readonly GoalStateKind[]
  /** The goals that had been set by this time, inclusive, as they were then. Default: now. */
  readonly asOf?: TimeInput
}

/**
 * What becomes of the goals that serve a goal, directly or through others, and are active or paused, when it ends:
 * `keep`: they stay as they are. `abandon`: they are abandoned. `complete`: they are completed; what is paused is
 * resumed first.
 */
export type ChildrenOption = 'keep' | 'abandon' | 'complete'

/** Options of `completeGoal` and `abandonGoal`. */
export interface EndGoalOptions {
  /** Default `keep`. */
  readonly children?: ChildrenOption
}

/** How the goals below a goal were changed when it ended. */
export interface ChildrenFate {
  readonly became: 'kept' | 'abandoned' | 'completed'
  /** How many goals below it were active or paused until then. */
  readonly count: number
  /** Their ids: the first 1,000, level by level. */
  readonly goals: readonly GoalId[]
}

/**
 * When an active goal with children completes by itself: when all of them are completed, or any of them is. A child
 * that was abandoned was not completed: with `all` its parent stays open until the rule is changed or it is completed
 * by hand.
 */
export type Completion = 'all' | 'any'

/** What `setGoal` takes. */
export interface NewGoal {
  /** What is wanted, in words. */
  readonly description: string
  /** The goal that this one serves. */
  readonly parent?: GoalId
  /** Observable signs that the goal is reached, at most 64. */
  readonly successCriteria?: readonly string[]
  readonly deadline?: TimeInput
  /** Default `all`. */
  readonly completion?: Completion
  readonly session?: string
  readonly source?: string
}

/** What `reviseGoal` changes; `null` takes away. */
export interface GoalPatch {
  readonly description?: string
  readonly parent?: GoalId | null
  readonly successCriteria?: readonly string[]
  readonly deadline?: TimeInput | null
  readonly completion?: Completion
}

/** One step in the life of a goal. */
export interface GoalChange {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly from: GoalState
  readonly to: GoalState
  /** The child that completed it, when it completed by itself. */
  readonly by?: GoalId
  /** The goal above that ended and took this one along: see {@link ChildrenOption}. */
  readonly with?: GoalId
  /** Present when it ended while goals below it were active or paused: how they were changed. */
  readonly children?: ChildrenFate
}

/** What the agent wants. */
export interface Goal {
  readonly id: GoalId
  readonly description: string
  readonly parent?: GoalId
  readonly successCriteria: readonly string[]
  /** ISO 8601, UTC. */
  readonly deadline?: string
  /** Whether it is active or paused and its deadline has passed. */
  readonly overdue: boolean
  readonly completion: Completion
  readonly state: GoalState
  /** Every change of state, the first first. */
  readonly history: readonly GoalChange[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly provenance: Provenance
}

/** A goal and those that serve it, in the order in which they were set. */
export interface GoalTree {
  readonly goal: Goal
  readonly children: readonly GoalTree[]
}
