import type { Calibration, Model, Tree } from '../api/ranker.js'
import { Forest, logistic } from '../recall/ranking/forest.js'
import { BOOST, boost, type BoostOptions, type Judged } from './boost.js'
import { fitLogistic } from './logistic.js'

/**
 * The candidates of one question, as a ranker sees them, and which are right. None is for a question without an answer.
 */
export interface Example extends Judged {
  /** Questions of one group (a conversation, a memory) are held back together. */
  readonly group: string
  /** Whether anything in the memory answers it; that need not be among the candidates. */
  readonly answerable: boolean
}

/** How a model is trained. */
export interface TrainOptions {
  /** Names of the columns of `Example.features`. */
  readonly columns: readonly string[]
  /** How to boost. */
  readonly boost?: Partial<BoostOptions>
  /** Into how many parts groups are dealt for calibration on what was not trained on. Default 3. */
  readonly folds?: number
}

/** By what confidence is told, as far as the columns are there. */
const CALIBRATED = [
  'score',
  'gap',
  'rank',
  'words.covered',
  'near.covered',
  'meaning.cosine',
  'sentence.level',
  'text.level',
  'asked.known',
  'asked.best',
  'asked.speakers',
]
/** How far down a ranking confidence is fitted: what users see. */
const CALIBRATED_DEPTH = 10
/** Of a question's candidates, so many of the best by plain fusion and so many others are trained on. */
const TRAINED = { best: 80, others: 60 }
/** What the best of a question stands above its median in the plain fusion, about. */
const RANGE = 1.5

/**
 * Trains a model: trees that put right candidates first (LambdaMART), and a logistic curve for confidence, fitted on
 * groups that the trees had not seen (Platt 1999). The same examples give the same model.
 */
export function trainModel(examples: readonly Example[], options: TrainOptions): Model {
  const { columns, folds = 3 } = options
  const settings = { ...BOOST, ...options.boost }
  const groups = [...new Set(examples.map(({ group }) => group))].sort()
  const used = columns.map((_, column) => column).filter((column) => varies(examples, column, columns.length))
  const names = used.map((column) => columns[column])
  const grow = (chosen: readonly Example[]): Tree[] =>
    boost(
      chosen.map((example, i) => trained(example, columns, used, i)),
      used.length,
      settings,
    ).map(rounded)
  const trees = grow(examples)
  const scale = roundTo(RANGE / rangeOf(new Forest('', draft(names, trees, 1), columns), examples))

  const cases: Cases = { rows: [], labels: [], starts: [] }
  const inputs = CALIBRATED.filter((name) => ['score', 'gap', 'rank'].includes(name) || names.includes(name))
  const parts = Math.min(folds, groups.length)
  for (let part = 0; part < parts; part++) {
    const held = new Set(groups.filter((_, i) => i % parts === part))
    const seen = parts === 1 ? trees : grow(examples.filter(({ group }) => !held.has(group)))
    const forest = new Forest('', draft(names, seen, scale), columns)
    for (const example of examples) if (held.has(example.group)) addCases(cases, inputs, forest, example, columns)
  }
  const { weights, intercept } = fitLogistic(cases)
  const curve = { inputs, weights: weights.map(roundTo), intercept: roundTo(intercept) }
  const calibration: Calibration = { ...curve, answered: roundTo(answeredFrom(cases, curve)) }
  return { features: names, trees, scale, calibration }
}

function draft(features: readonly string[], trees: readonly Tree[], scale: number): Model {
  return { features, trees, scale, calibration: { inputs: [], weights: [], intercept: 0, answered: 0 } }
}

function varies(examples: readonly Example[], column: number, width: number): boolean {
  const first = examples.find(({ right }) => right.length > 0)?.features[column]
  return examples.some(({ features }) => {
    for (let at = column; at < features.length; at += width) if (features[at] !== first) return true
    return false
  })
}

/** The candidates that are trained on, with the columns that are used. */
function trained(
  { features, right }: Example,
  columns: readonly string[],
  used: readonly number[],
  seed: number,
): Judged {
  const width = columns.length
  const rank = columns.indexOf('fusion.rank')
  const others = Array.from(right.keys()).filter(
    (i) => right[i] === 0 && features[i * width + rank] >= Math.log(1 + TRAINED.best),
  )
  const step = Math.max(1, others.length / TRAINED.others)
  const sampled = new Set(
    Array.from(
      { length: Math.min(others.length, TRAINED.others) },
      (_, i) => others[Math.floor(i * step + (seed % 7) / 7)],
    ),
  )
  const kept = Array.from(right.keys()).filter(
    (i) => right[i] === 1 || features[i * width + rank] < Math.log(1 + TRAINED.best) || sampled.has(i),
  )
  const values = new Float64Array(kept.length * used.length)
  kept.forEach((i, row) =>
    used.forEach((column, at) => {
      values[row * used.length + at] = features[i * width + column]
    }),
  )
  return { features: values, right: Uint8Array.from(kept, (i) => right[i]) }
}

/** How far the best of a question stands above its median candidate, on average. */
function rangeOf(forest: Forest, examples: readonly Example[]): number {
  let sum = 0
  let count = 0
  for (const { features, right } of examples) {
    if (right.length < 2) continue
    const scores = forest.scores(features, right.length).sort()
    sum += scores[scores.length - 1] - scores[scores.length >> 1]
    count++
  }
  return count === 0 || sum === 0 ? 1 : sum / count
}

/** The candidates that confidence is fitted on. */
interface Cases {
  readonly rows: number[][]
  readonly labels: number[]
  /** Where the candidates of each question start, best first, and whether it has an answer. */
  readonly starts: { readonly at: number; readonly end: number; readonly answerable: boolean }[]
}

/**
 * The confidence of a question's best candidate that tells best those with an answer from those without (Youden 1950:
 * the most by which the shares of the two above it differ). Where all have an answer: what one in twenty of them stays
 * under.
 */
function answeredFrom({ rows, starts }: Cases, { weights, intercept }: Omit<Calibration, 'answered'>): number {
  const confidence = (row: readonly number[]) =>
    logistic(row.reduce((sum, value, i) => sum + weights[i] * value, intercept))
  const best = starts.map(({ at, end, answerable }) => ({
    confidence: Math.max(0, ...rows.slice(at, end).map(confidence)),
    answerable,
  }))
  return youden(best)
}

/**
 * The confidence from which questions with an answer are told best from those without, as {@link answeredFrom} says.
 */
export function youden(asked: readonly { readonly confidence: number; readonly answerable: boolean }[]): number {
  const best = [...asked].sort((a, b) => a.confidence - b.confidence)
  const count = {
    yes: best.filter(({ answerable }) => answerable).length,
    no: best.filter(({ answerable }) => !answerable).length,
  }
  if (count.yes === 0) return 0
  if (count.no === 0) return best[Math.floor(best.length / 20)].confidence
  let [below, most, answered] = [0, 0, 0]
  for (const { confidence, answerable } of best) {
    if (below > most) [most, answered] = [below, confidence]
    below += answerable ? -1 / count.yes : 1 / count.no
  }
  return answered
}

function addCases(
  cases: Cases,
  inputs: readonly string[],
  forest: Forest,
  example: Example,
  columns: readonly string[],
): void {
  const width = columns.length
  const scores = forest.scores(example.features, example.right.length)
  const order = Array.from(scores.keys())
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, CALIBRATED_DEPTH)
  const at = cases.rows.length
  cases.starts.push({ at, end: at + order.length, answerable: example.answerable })
  order.forEach((i, rank) => {
    const special: Readonly<Record<string, number>> = {
      score: scores[i],
      gap: scores[i] - scores[order[0]],
      rank: Math.log(1 + rank),
    }
    cases.rows.push(inputs.map((name) => special[name] ?? example.features[i * width + columns.indexOf(name)]))
    cases.labels.push(example.right[i])
  })
}

/** Four digits are more than the data hold, and make the table half as long. */
function rounded({ feature, threshold, left, value }: Tree): Tree {
  return { feature, threshold: threshold.map(roundTo), left, value: value.map(roundTo) }
}

function roundTo(value: number): number {
  return Number(value.toPrecision(5))
}
