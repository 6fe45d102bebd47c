import type { Tree } from '../api/ranker.js'
import { binned } from './bins.js'
import { addLambdas } from './lambdas.js'
import { growTree } from './tree.js'

/** The candidates of one question. */
export interface Judged {
  /** Row by row. */
  readonly features: Float64Array
  /** 1 for each candidate that is an answer. */
  readonly right: Uint8Array
}

/** How boosting goes; the defaults were chosen by cross-validation. */
export interface BoostOptions {
  readonly trees: number
  readonly leaves: number
  readonly leafRows: number
  readonly penalty: number
  readonly rate: number
  /** Share of the questions that a tree learns from. */
  readonly questions: number
  /** Share of the features that a tree may ask. */
  readonly columns: number
  readonly seed: number
  /** Significant digits of thresholds: few take less room. Default: as many as a number has. */
  readonly digits?: number
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

export const BOOST: BoostOptions = {
  trees: 200,
  leaves: 15,
  leafRows: 50,
  penalty: 5,
  rate: 0.06,
  questions: 0.8,
  columns: 0.5,
  seed: 1,
}

/** Boosts trees so that right candidates stand first (LambdaMART, Burges 2010). The same input gives the same trees. */
export function boost(questions: readonly Judged[], columns: number, options: BoostOptions = BOOST): Tree[] {
  const useful = questions.filter(({ right }) => right.includes(1) && right.includes(0))
  const starts = [0]
  for (const { right } of useful) starts.push(starts[starts.length - 1] + right.length)
  const rows = starts[useful.length]
  const values = new Float64Array(rows * columns)
  const right = new Uint8Array(rows)
  useful.forEach((question, i) => {
    values.set(question.features, starts[i] * columns)
    right.set(question.right, starts[i])
  })
  const table = binned(values, rows, columns, options.digits)
  const scores = new Float64Array(rows)
  const gradients = new Float64Array(rows)
  const hessians = new Float64Array(rows)
  const random = generator(options.seed)
  const trees: Tree[] = []
  for (let n = 0; n < options.trees; n++) {
    gradients.fill(0)
    hessians.fill(0)
    const used: number[] = []
    for (let i = 0; i < useful.length; i++) {
      if (random() >= options.questions) continue
      addLambdas(scores, right, starts[i], starts[i + 1], gradients, hessians)
      for (let row = starts[i]; row < starts[i + 1]; row++) used.push(row)
    }
    const asked = Array.from({ length: columns }, (_, column) => column).filter(() => random() < options.columns)
    if (used.length === 0 || asked.length === 0) continue
    const tree = growTree(table, Int32Array.from(used), Int32Array.from(asked), gradients, hessians, options)
    trees.push(tree)
    for (let row = 0; row < rows; row++) scores[row] += answerOf(tree, values, row * columns)
    options.onProgress?.({ done: n + 1, total: options.trees })
  }
  return trees
}

function answerOf({ feature, threshold, left, value }: Tree, values: Float64Array, at: number): number {
  let node = 0
  for (let next = left[0]; next !== 0; next = left[node])
    node = values[at + feature[node]] <= threshold[node] ? next : next + 1
  return value[node]
}

/** Mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
