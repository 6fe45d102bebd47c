/** The id of a goal: `go_` and 26 characters. */
export type GoalId = string

/** The id of a belief: `be_` and 26 characters. */
export type BeliefId = string

/** What something was observed for. The goal and the beliefs must be there, in any state, when it is written. */
export interface Purpose {
  /** The goal for which it was observed. While it is active, a recall lifts what was observed for it. Default: none. */
  readonly goal?: GoalId
  /** The beliefs with which it was observed, up to 64; what stands there twice is kept once. Default: none. */
  readonly beliefs?: readonly BeliefId[]
}
