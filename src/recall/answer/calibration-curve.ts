/** A logistic curve (Platt 1999) over what is seen of a candidate. */
export interface Curve {
  readonly weights: readonly number[]
  readonly intercept: number
  /** The confidence of the best match from which something seems to answer the cue. */
  readonly answered: number
}
