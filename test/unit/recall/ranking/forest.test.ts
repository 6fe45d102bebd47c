import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Model, Tree } from '../../../../src/api/ranker.js'
import { Forest } from '../../../../src/recall/ranking/forest.js'

const COLUMNS = ['words.z', 'text.z', 'near.best', 'kind.time']
const number = fc.double({ min: -3, max: 3, noNaN: true })
/** Of which some are the same, so that values meet thresholds. */
const threshold = fc.oneof(fc.integer({ min: -2, max: 2 }), number)
const value = fc.oneof(fc.integer({ min: -3, max: 3 }), number, fc.constantFrom(NaN, -0, Infinity, -Infinity))

/** A tree of random splits: each node in turn is a leaf or gets two children at the end. */
const tree: fc.Arbitrary<Tree> = fc
  .array(fc.record({ split: fc.boolean(), feature: fc.nat(3), threshold, value: number }), {
    minLength: 61,
    maxLength: 61,
  })
  .map((drawn) => {
    const nodes = { feature: [0], threshold: [0], left: [0], value: [drawn[0].value] }
    for (let node = 0; node < nodes.value.length && node < 30; node++) {
      if (!drawn[node].split) continue
      nodes.feature[node] = drawn[node].feature
      nodes.threshold[node] = drawn[node].threshold
      nodes.left[node] = nodes.value.length
      for (const side of [0, 1]) {
        nodes.feature.push(0)
        nodes.threshold.push(0)
        nodes.left.push(0)
        nodes.value.push(drawn[2 * node + 1 + side].value)
      }
    }
    return nodes
  })
const modelOf = (trees: readonly Tree[], scale: number, features: readonly string[] = COLUMNS): Model => ({
  features,
  trees,
  scale,
  calibration: { inputs: [], weights: [], intercept: 0, answered: 0 },
})

/** From the definition, one node at a time. */
const walk = ({ feature, threshold, left, value }: Tree, row: readonly number[], node = 0): number =>
  left[node] === 0
    ? value[node]
    : walk(
        { feature, threshold, left, value },
        row,
        row[feature[node]] <= threshold[node] ? left[node] : left[node] + 1,
      )

describe('Forest', () => {
  it('scores each of many rows by the sum of its trees, to the bit', () => {
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { maxLength: 100, size: 'max' }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (trees, rows, scale) => {
          const forest = new Forest('', modelOf(trees, scale), COLUMNS)
          const expected = rows.map((row) => trees.reduce((sum, tree) => sum + scale * walk(tree, row), 0))
          expect([...forest.scores(Float64Array.from(rows.flat()), rows.length)]).toStrictEqual(expected)
        },
      ),
    )
  })

  it('explains a score by parts that add up to it', () => {
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 8 }),
        fc.array(number, { minLength: 4, maxLength: 4 }),
        (trees, row) => {
          const forest = new Forest('', modelOf(trees, 0.7), COLUMNS)
          const values = Float64Array.from(row)
          const { prior, ...bySignal } = forest.explain(values, 0)
          const sum = Object.values(bySignal).reduce((a, b) => a + b, prior)
          expect(Math.abs(sum - forest.scores(values, 1)[0])).toBeLessThan(1e-9)
          // What no tree asks contributes nothing.
          const asked = trees.flatMap(({ feature, left }) => feature.filter((_, node) => left[node] !== 0))
          const signals = asked.map((column) => COLUMNS[column].split('.')[0])
          for (const name of Object.keys(bySignal)) expect(signals).toContain(name)
        },
      ),
    )
  })

  it('finds features by their names, whatever their order', () => {
    const stump: Tree = { feature: [1, 0, 0], threshold: [0.5, 0, 0], left: [1, 0, 0], value: [0, -1, 1] }
    const forest = new Forest('own', modelOf([stump], 2, ['text.z', 'near.best']), COLUMNS)
    expect([...forest.scores(Float64Array.of(9, 9, 0.5, 9, 0, 0, 0.6, 0), 2)]).toEqual([-2, 2])
    expect(forest.explain(Float64Array.of(0, 0, 0.6, 0), 0)).toEqual({ prior: 0, near: 2 })
  })
})
