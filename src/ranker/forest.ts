import { exp } from '../core/exponential.js'
import type { Model } from '../core/ranker.js'

/** What each feature, and the prior of the trees, adds to a score. */
export interface Explanation {
  readonly prior: number
  readonly byFeature: ReadonlyMap<string, number>
}

/** A model made ready for rows of features: flat arrays, features by their column. */
export class Forest {
  /** The name of its ranker. */
  readonly name: string
  readonly model: Model
  /** The letters of the script that it is for; absent: of all. */
  readonly #letters: RegExp | undefined
  readonly #roots: Int32Array
  readonly #column: Int16Array
  readonly #threshold: Float64Array
  /** The left child in these arrays; −1 at a leaf. */
  readonly #left: Int32Array
  readonly #value: Float64Array
  readonly #columns: readonly string[]

  /**
   * @param columns the names of the columns of the rows that will come.
   * @param script the name of the script that it is for; absent: all.
   */
  constructor(name: string, model: Model, columns: readonly string[], script?: string) {
    this.name = name
    this.#letters = script === undefined ? undefined : lettersOf(script)
    this.model = model
    this.#columns = columns
    const nodes = model.trees.reduce((sum, tree) => sum + tree.feature.length, 0)
    const columnOf = model.features.map((name) => columns.indexOf(name))
    this.#roots = new Int32Array(model.trees.length)
    this.#column = new Int16Array(nodes)
    this.#threshold = new Float64Array(nodes)
    this.#left = new Int32Array(nodes)
    this.#value = new Float64Array(nodes)
    let root = 0
    model.trees.forEach(({ feature, threshold, left, value }, tree) => {
      this.#roots[tree] = root
      for (let node = 0; node < feature.length; node++) {
        this.#column[root + node] = columnOf[feature[node]] ?? 0
        this.#threshold[root + node] = threshold[node]
        this.#left[root + node] = left[node] === 0 ? -1 : root + left[node]
        this.#value[root + node] = value[node] * model.scale
      }
      root += feature.length
    })
  }

  /** Whether it is for a text: at least half of its letters are of the script. */
  isFor(text: string): boolean {
    return this.#letters === undefined || 2 * countOf(text, this.#letters) >= countOf(text, LETTERS)
  }

  /** What the trees make of the row that starts at `at`. */
  score(rows: Float64Array, at: number): number {
    let sum = 0
    for (const root of this.#roots) {
      let node = root
      for (let left = this.#left[node]; left >= 0; left = this.#left[node]) {
        node = rows[at + this.#column[node]] <= this.#threshold[node] ? left : left + 1
      }
      sum += this.#value[node]
    }
    return sum
  }

  /** Why {@link score} is what it is (Saabas 2014): the steps from each root to a leaf, by the feature asked; all parts add up to it. */
  explain(rows: Float64Array, at: number): Explanation {
    const byColumn = new Float64Array(this.#columns.length)
    let prior = 0
    for (const root of this.#roots) {
      let node = root
      prior += this.#value[root]
      for (let left = this.#left[node]; left >= 0; left = this.#left[node]) {
        const column = this.#column[node]
        const child = rows[at + column] <= this.#threshold[node] ? left : left + 1
        byColumn[column] += this.#value[child] - this.#value[node]
        node = child
      }
    }
    const byFeature = new Map<string, number>()
    byColumn.forEach((value, column) => { if (value !== 0) byFeature.set(this.#columns[column], value) })
    return { prior, byFeature }
  }
}

const LETTERS = /\p{L}/gu

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0
}

/**
 * Matches each letter of a script by its Unicode name.
 *
 * @throws SyntaxError if there is none of that name
 */
export function lettersOf(script: string): RegExp {
  return new RegExp(`\\p{Script=${script}}`, 'gu')
}

/** The logistic function. */
export function logistic(x: number): number {
  return 1 / (1 + exp(-x))
}
