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
  /** Steps from each root to its farthest leaf. */
  readonly #depths: Int32Array
  readonly #column: Int16Array
  readonly #threshold: Float64Array
  /** The left child in these arrays, the right one beside it; a leaf leads to itself, whatever the row. */
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
    this.#depths = new Int32Array(model.trees.length)
    this.#column = new Int16Array(nodes)
    this.#threshold = new Float64Array(nodes)
    this.#left = new Int32Array(nodes)
    this.#value = new Float64Array(nodes)
    let root = 0
    model.trees.forEach(({ feature, threshold, left, value }, tree) => {
      this.#roots[tree] = root
      const depths = new Int32Array(feature.length)
      for (let node = 0; node < feature.length; node++) {
        const leaf = left[node] === 0
        this.#column[root + node] = columnOf[feature[node]] ?? 0
        this.#threshold[root + node] = leaf ? Infinity : threshold[node]
        this.#left[root + node] = root + (leaf ? node : left[node])
        this.#value[root + node] = value[node] * model.scale
        if (leaf) this.#depths[tree] = Math.max(this.#depths[tree], depths[node])
        else for (const child of [left[node], left[node] + 1]) depths[child] = Math.max(depths[child], depths[node] + 1)
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
      for (let left = this.#left[node]; left !== node; left = this.#left[node]) {
        node = rows[at + this.#column[node]] <= this.#threshold[node] ? left : left + 1
      }
      sum += this.#value[node]
    }
    return sum
  }

  /**
   * What {@link score} is for each of `count` rows, in half of the time: four rows go down a tree side by side without
   * a branch, to its full depth, so that the processor need not wait for one step before it begins another.
   */
  scores(rows: Float64Array, count: number): Float64Array {
    const [column, threshold, left, value] = [this.#column, this.#threshold, this.#left, this.#value]
    const width = this.#columns.length
    const sums = new Float64Array(count)
    const together = count - (count % 4)
    const step = (node: number, at: number) => left[node] + Number(!(rows[at + column[node]] <= threshold[node]))
    for (const [tree, root] of this.#roots.entries()) {
      for (let i = 0; i < together; i += 4) {
        const at = i * width
        let a = root, b = root, c = root, d = root
        for (let depth = this.#depths[tree]; depth > 0; depth--) {
          a = step(a, at)
          b = step(b, at + width)
          c = step(c, at + 2 * width)
          d = step(d, at + 3 * width)
        }
        sums[i] += value[a]
        sums[i + 1] += value[b]
        sums[i + 2] += value[c]
        sums[i + 3] += value[d]
      }
    }
    for (let i = together; i < count; i++) sums[i] = this.score(rows, i * width)
    return sums
  }

  /** Why {@link score} is what it is (Saabas 2014): the steps from each root to a leaf, by the feature asked; all parts add up to it. */
  explain(rows: Float64Array, at: number): Explanation {
    const byColumn = new Float64Array(this.#columns.length)
    let prior = 0
    for (const root of this.#roots) {
      let node = root
      prior += this.#value[root]
      for (let left = this.#left[node]; left !== node; left = this.#left[node]) {
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
