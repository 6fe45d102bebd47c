import type { EpisodeId, Provenance, TimeInput } from './episode.js'

/** The id of a goal: `go_` and 26 characters. */
export type GoalId = string

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

/** What became of the goals below a goal when it ended. */
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
  /** The goal above that ended and took this one along: see {@link ChildrenOption}. */
  readonly with?: GoalId
  /** Present when it ended while goals below it were active or paused: what became of them. */
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

/** The methods of floor 6 that are about goals. */
export interface GoalMethods {
  /** Sets a goal, which is active from then on. */
  setGoal(goal: NewGoal): Promise<GoalId>
  /**
   * Changes what an active or paused goal says. It completes at once if its children complete it by a new rule, and so
   * does the parent that it leaves if only completed children stay. Throws `AGIDB_GOAL_TRANSITION` for one that has
   * ended.
   */
  reviseGoal(id: GoalId, patch: GoalPatch): Promise<Goal>
  /** Active → paused. */
  pauseGoal(id: GoalId, reason?: string): Promise<Goal>
  /** Paused → active; it completes at once if its children have completed it meanwhile. */
  resumeGoal(id: GoalId): Promise<Goal>
  /**
   * Active → completed, with at most 1,000 episodes that show it. A parent that is active completes with it when its
   * own rule says so, and so on up the tree, each with what shows that its completed children are (the first 1,000).
   *
   * `options.children` says what becomes of the goals below it that are active or paused. By default they stay as they
   * are. Completed with it, they have its evidence. The last change in its history names them ({@link
   * GoalChange.children}).
   */
  completeGoal(id: GoalId, evidence?: readonly EpisodeId[], options?: EndGoalOptions): Promise<Goal>
  /**
   * Active or paused → abandoned. `options.children` says what becomes of the goals below it that are active or paused.
   * By default they stay as they are. Abandoned with it, they have its reason. The last change in its history names
   * them ({@link GoalChange.children}).
   */
  abandonGoal(id: GoalId, reason: string, options?: EndGoalOptions): Promise<Goal>
  /**
   * The goals in the order in which they were set, by default in any state, as they are now or were at a time.
   * `overdue` is told of that time.
   */
  goals(query?: GoalQuery): Promise<Goal[]>
  /** The active goals in the order in which they were set. */
  activeGoals(): Promise<Goal[]>
  /** A goal and all below it; a chain of over a thousand is too deep to cross to a page. Throws `AGIDB_NOT_FOUND`. */
  goalTree(root: GoalId): Promise<GoalTree>
  getGoal(id: GoalId): Promise<Goal | undefined>
}
