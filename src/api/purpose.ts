/** The id of a goal: `go_` and 26 characters. */
export type GoalId = string

/** The id of a belief: `be_` and 26 characters. */
export type BeliefId = string

/** What something was observed for. */
export interface Purpose {
  /** The goal for which it was observed. Default: none. */
  readonly goal?: GoalId
  /** The beliefs with which it was observed, up to 64, each once. Default: none. */
  readonly beliefs?: readonly BeliefId[]
}
