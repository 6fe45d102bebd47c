import type { EpisodeId, Provenance, TimeInput } from './episode.js'

/** The id of a goal: `go_` and 26 characters. */
export type GoalId = string

/** Where a goal stands. `completed` and `abandoned` are terminal. */
export type GoalState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly since: string; readonly reason?: string }
  | { readonly kind: 'completed'; readonly at: string; readonly evidence: readonly EpisodeId[] }
  | { readonly kind: 'abandoned'; readonly at: string; readonly reason: string }

/**
 * When an active goal with children completes by itself: when all of them are completed, or any of them is. A child that was
 * abandoned was not completed: with `all` its parent stays open until the rule is changed or it is completed by hand.
 */
export type Completion = 'all' | 'any'

/** What `setGoal` takes. */
export interface NewGoal {
  /** What is wanted, in words. */
  readonly description: string
  /** The goal that this one serves. */
  readonly parent?: GoalId
  /** By what one would see that it is reached, at most 64. */
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

/** The methods of floor 6 that are about goals. */
export interface GoalMethods {
  /** Sets a goal, which is active from then on. */
  setGoal(goal: NewGoal): Promise<GoalId>
  /**
   * Changes what an active or paused goal says. It completes at once if its children complete it by a new rule, and so does the
   * parent that it leaves if only completed children stay. Throws `AGIDB_GOAL_TRANSITION` for one that has ended.
   */
  reviseGoal(id: GoalId, patch: GoalPatch): Promise<Goal>
  /** Active → paused. */
  pauseGoal(id: GoalId, reason?: string): Promise<Goal>
  /** Paused → active; it completes at once if its children have completed it meanwhile. */
  resumeGoal(id: GoalId): Promise<Goal>
  /**
   * Active → completed, with at most 1,000 episodes that show it. A parent that is active completes with it when its own rule says
   * so, and so on up the tree, each with what shows that its completed children are (the first 1,000).
   */
  completeGoal(id: GoalId, evidence?: readonly EpisodeId[]): Promise<Goal>
  /** Active or paused → abandoned. Those that serve it stay as they are. */
  abandonGoal(id: GoalId, reason: string): Promise<Goal>
  /** The active goals in the order in which they were set. */
  activeGoals(): Promise<Goal[]>
  /** A goal and all below it; a chain of over a thousand is too deep to cross to a page. Throws `AGIDB_NOT_FOUND`. */
  goalTree(root: GoalId): Promise<GoalTree>
  getGoal(id: GoalId): Promise<Goal | undefined>
}
