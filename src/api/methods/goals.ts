import type { EpisodeId } from '../episode.js'
import type { EndGoalOptions, Goal, GoalChange, GoalId, GoalPatch, GoalQuery, GoalTree, NewGoal } from '../goal.js'
import type { Registration } from './method.js'

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

export const goalMethods: Registration<GoalMethods> = {
  setGoal: { effect: 'writes' },
  reviseGoal: { effect: 'writes', repeated: { reread: 'getGoal' } },
  pauseGoal: { effect: 'writes', repeated: { reread: 'getGoal' } },
  resumeGoal: { effect: 'writes', repeated: { reread: 'getGoal' } },
  completeGoal: { effect: 'writes', repeated: { reread: 'getGoal' } },
  abandonGoal: { effect: 'writes', repeated: { reread: 'getGoal' } },
  goals: { effect: 'reads' },
  activeGoals: { effect: 'reads' },
  goalTree: { effect: 'reads' },
  getGoal: { effect: 'reads' },
}
