import { Forest } from '../recall/ranking/forest.js'
import { trainModel, type Example } from './train.js'

/** How well a question was answered. */
export interface Answered {
  /** Share of its answers among the first ten. */
  readonly recall: number
  /** 1 over the rank of the first answer. */
  readonly reciprocal: number
}

/** How much more one ranker does than another on the same questions, and two standard errors of that. */
export interface Difference {
  readonly mean: number
  readonly error: number
}

const DEPTH = 10

/**
 * How well the candidates of a question stand when they are ordered by these scores.
 *
 * @param answers how many memories answer it, those included that are no candidates.
 */
export function answered({ right }: Example, scores: ArrayLike<number>, answers: number): Answered {
  const order = Array.from(right.keys()).sort((a, b) => scores[b] - scores[a] || a - b)
  const found = order.slice(0, DEPTH).filter((i) => right[i] === 1).length
  const first = order.findIndex((i) => right[i] === 1)
  return { recall: found / answers, reciprocal: first < 0 ? 0 : 1 / (1 + first) }
}

/** Scores each question by a model that has seen no question of its group: groups are dealt into `parts`. */
export function heldBack(
  examples: readonly Example[],
  columns: readonly string[],
  parts: number,
  onProgress: (share: number) => void = () => {},
): Float64Array[] {
  const groups = [...new Set(examples.map(({ group }) => group))].sort()
  const all = new Array<Float64Array>(examples.length)
  for (let part = 0; part < parts; part++) {
    const held = new Set(groups.filter((_, i) => i % parts === part))
    const progress = ({ done, total }: { done: number; total: number }) => onProgress((part + done / total) / parts)
    // In one fold: only the order is looked at, and calibration on what was not seen takes three times as long.
    const model = trainModel(
      examples.filter(({ group }) => !held.has(group)),
      { columns, folds: 1, boost: { onProgress: progress } },
    )
    const forest = new Forest('', model, columns)
    examples.forEach(({ group, features, right }, i) => {
      if (held.has(group)) all[i] = forest.scores(features, right.length)
    })
  }
  return all
}

/** Compares two rankers question by question. */
export function difference(ours: readonly number[], theirs: readonly number[]): Difference {
  const apart = ours.map((value, i) => value - theirs[i])
  const average = mean(apart)
  const variance = apart.reduce((sum, value) => sum + (value - average) ** 2, 0) / Math.max(1, apart.length - 1)
  return { mean: average, error: 2 * Math.sqrt(variance / apart.length) }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
