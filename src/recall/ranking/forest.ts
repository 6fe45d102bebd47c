import { exp } from '../../base/exponential.js'
import type { Model } from '../../api/ranker.js'
import { Ladders } from './ladders.js'

/** What the prior of the trees, and each signal, adds to a score; the signal of a feature is its name up to the dot. */
export type Explanation = Record<string, number> & { prior: number }

/** A model made ready for rows of features: flat arrays, features by their column. */
export class Forest {
  /** The name of its ranker. */
  readonly name: string
  readonly model: Model
  /** The letters of the script that it is for; absent: of all. */
  readonly #letters: RegExp | undefined
  /** Where the nodes of each tree begin, and those of the last one end. */
  readonly #roots: Int32Array
  /** Nodes of the largest tree. */
  readonly #largest: number
  readonly #column: Int16Array
  readonly #threshold: Float64Array
  /** The left child in these arrays, the right one beside it; a leaf leads to itself. */
  readonly #left: Int32Array
  readonly #value: Float64Array
  readonly #ladders: Ladders
  /** Of a node that is no leaf, the set of rows that go to the right. */
  readonly #set: Int32Array
  /** How many columns rows have. */
  readonly #width: number
  /** The names of the signals, each once, and the number of that of each column. */
  readonly #signals: readonly string[]
  readonly #signalOf: Uint8Array

  /**
   * @param columns the names of the columns of the rows that will come.
   * @param script the name of the script that it is for; absent: all.
   */
  constructor(name: string, model: Model, columns: readonly string[], script?: string) {
    this.name = name
    this.#letters = script === undefined ? undefined : lettersOf(script)
    this.model = model
    this.#width = columns.length
    const signalOf = columns.map((name) => name.slice(0, name.indexOf('.')))
    this.#signals = [...new Set(signalOf)]
    this.#signalOf = Uint8Array.from(signalOf, (signal) => this.#signals.indexOf(signal))
    const nodes = model.trees.reduce((sum, tree) => sum + tree.feature.length, 0)
    const columnOf = model.features.map((name) => columns.indexOf(name))
    this.#roots = new Int32Array(model.trees.length + 1)
    this.#largest = Math.max(0, ...model.trees.map(({ feature }) => feature.length))
    this.#column = new Int16Array(nodes)
    this.#threshold = new Float64Array(nodes)
    this.#left = new Int32Array(nodes)
    this.#value = new Float64Array(nodes)
    let root = 0
    model.trees.forEach(({ feature, threshold, left, value }, tree) => {
      for (let node = 0; node < feature.length; node++) {
        const leaf = left[node] === 0
        this.#column[root + node] = columnOf[feature[node]] ?? 0
        this.#threshold[root + node] = threshold[node]
        this.#left[root + node] = root + (leaf ? node : left[node])
        this.#value[root + node] = value[node] * model.scale
      }
      this.#roots[tree + 1] = root += feature.length
    })
    const asked = new Map<number, Set<number>>()
    this.#inner((node) => {
      const thresholds = asked.get(this.#column[node])?.add(this.#threshold[node])
      if (thresholds === undefined) asked.set(this.#column[node], new Set([this.#threshold[node]]))
    })
    this.#ladders = new Ladders(asked)
    this.#set = new Int32Array(nodes)
    this.#inner((node) => {
      this.#set[node] = this.#ladders.set(this.#column[node], this.#threshold[node])
    })
  }

  /** Bytes of memory beside its model. */
  get bytes(): number {
    const arrays = [this.#roots, this.#column, this.#threshold, this.#left, this.#value, this.#set]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#ladders.bytes)
  }

  /** Whether it is for a text: at least half of its letters are of the script. */
  isFor(text: string): boolean {
    return this.#letters === undefined || 2 * countOf(text, this.#letters) >= countOf(text, LETTERS)
  }

  /**
   * What the trees make of each of `count` rows: the sum of the leaves that it comes to. Sets of rows go down the trees
   * together, in less than half of the time that one after the other takes.
   */
  scores(rows: Float64Array, count: number): Float64Array {
    const [roots, set, left, value] = [this.#roots, this.#set, this.#left, this.#value]
    const above = this.#ladders.above(rows, this.#width, count)
    const words = (count + 31) >>> 5
    const sums = new Float64Array(count)
    // The rows that reach each node of a tree.
    const reach = new Int32Array(this.#largest * words).fill(-1, 0, words)
    if (count % 32 !== 0) reach[words - 1] = 2 ** (count % 32) - 1
    for (let tree = 0; tree + 1 < roots.length; tree++) {
      const root = roots[tree]
      const end = roots[tree + 1]
      for (let node = root, here = 0; node < end; node++, here += words) {
        if (left[node] !== node) {
          const near = (left[node] - root) * words
          const asked = set[node] * words
          for (let word = 0; word < words; word++) {
            const [all, right] = [reach[here + word], above[asked + word]]
            reach[near + word] = all & ~right
            reach[near + words + word] = all & right
          }
        } else {
          const adds = value[node]
          for (let word = 0; word < words; word++) {
            for (let bits = reach[here + word]; bits !== 0; bits &= bits - 1)
              sums[32 * word + 31 - Math.clz32(bits & -bits)] += adds
          }
        }
      }
    }
    return sums
  }

  /**
   * Why the score of the row that starts at `at` is what it is (Saabas 2014): the steps from each root to a leaf, by
   * the signal of the feature asked; all parts add up to it. A signal that no tree asked for is left out. The caller
   * may change it.
   */
  explain(rows: Float64Array, at: number): Explanation {
    const [roots, columns, threshold, leftOf, valueOf] = [
      this.#roots,
      this.#column,
      this.#threshold,
      this.#left,
      this.#value,
    ]
    const byColumn = new Float64Array(this.#width)
    let prior = 0
    for (let tree = 0; tree + 1 < roots.length; tree++) {
      let node = roots[tree]
      let value = valueOf[node]
      prior += value
      for (let left = leftOf[node]; left !== node; left = leftOf[node]) {
        const column = columns[node]
        node = rows[at + column] <= threshold[node] ? left : left + 1
        byColumn[column] += valueOf[node] - value
        value = valueOf[node]
      }
    }
    const adds = new Float64Array(this.#signals.length)
    for (let column = 0; column < byColumn.length; column++) adds[this.#signalOf[column]] += byColumn[column]
    const explained: Explanation = { prior }
    for (let i = 0; i < adds.length; i++) if (adds[i] !== 0) explained[this.#signals[i]] = adds[i]
    return explained
  }

  /** Visits the nodes that are no leaves. */
  #inner(visit: (node: number) => void): void {
    this.#left.forEach((left, node) => {
      if (left !== node) visit(node)
    })
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
