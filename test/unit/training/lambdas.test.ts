import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addLambdas } from '../../../src/training/lambdas.js'

const TRUNCATION = 20

function lambdas(scores: readonly number[], right: readonly number[]) {
  const gradients = new Float64Array(scores.length)
  const hessians = new Float64Array(scores.length)
  addLambdas(Float64Array.from(scores), Uint8Array.from(right), 0, scores.length, gradients, hessians)
  return { gradients, hessians }
}

/** From the definition: every pair, and what swapping it does to the DCG of the whole ranking. */
function naive(scores: readonly number[], right: readonly number[]) {
  const gradients = new Float64Array(scores.length)
  const hessians = new Float64Array(scores.length)
  const ranking = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b)
  const dcg = (order: readonly number[]) => order.reduce((sum, i, rank) => sum + right[i] / Math.log2(rank + 2), 0)
  const best = dcg([...ranking].sort((a, b) => right[b] - right[a]).slice(0, TRUNCATION))
  const level = Math.max(...scores) === Math.min(...scores)
  let sum = 0
  for (let good = 0; good < scores.length; good++) {
    for (let bad = 0; bad < scores.length; bad++) {
      if (right[good] !== 1 || right[bad] !== 0) continue
      if (Math.min(ranking.indexOf(good), ranking.indexOf(bad)) >= TRUNCATION) continue
      const swapped = ranking.map((i) => (i === good ? bad : i === bad ? good : i))
      const apart = scores[good] - scores[bad]
      const weight = Math.abs(dcg(swapped) - dcg(ranking)) / best / (level ? 1 : 0.01 + Math.abs(apart))
      const p = 1 / (1 + Math.exp(apart))
      gradients[good] -= weight * p
      gradients[bad] += weight * p
      hessians[good] += weight * p * (1 - p)
      hessians[bad] += weight * p * (1 - p)
      sum += 2 * weight * p
    }
  }
  const factor = sum > 0 ? Math.log2(1 + sum) / sum : 1
  return { gradients: gradients.map((value) => value * factor), hessians: hessians.map((value) => value * factor) }
}

describe('lambdas', () => {
  it('are those of every pair and its swap', () => {
    const candidate = fc.record({
      score: fc.double({ min: -3, max: 3, noNaN: true }),
      right: fc.integer({ min: 0, max: 1 }),
    })
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1, maxLength: 40 }), (candidates) => {
        const scores = candidates.map(({ score }) => score)
        const right = candidates.map(({ right }) => right)
        const [fast, slow] = [lambdas(scores, right), naive(scores, right)]
        scores.forEach((_, i) => {
          expect(fast.gradients[i]).toBeCloseTo(slow.gradients[i], 9)
          expect(fast.hessians[i]).toBeCloseTo(slow.hessians[i], 9)
        })
      }),
      { numRuns: 100 },
    )
  })

  it('pull right ones up and wrong ones down, as much in all', () => {
    const { gradients, hessians } = lambdas([0.3, 0.2, 0.1, 0], [0, 1, 0, 1])
    expect(gradients[1]).toBeLessThan(0)
    expect(gradients[3]).toBeLessThan(0)
    expect(gradients[0]).toBeGreaterThan(0)
    expect(gradients.reduce((a, b) => a + b)).toBeCloseTo(0, 12)
    expect(Math.min(...hessians)).toBeGreaterThan(0)
  })

  it('are none where all are right or none is, and leave other questions alone', () => {
    for (const right of [
      [1, 1],
      [0, 0],
    ])
      expect([...lambdas([1, 2], right).gradients]).toEqual([0, 0])
    const gradients = new Float64Array(4)
    addLambdas(Float64Array.of(9, 0, 1, 9), Uint8Array.of(1, 1, 0, 0), 1, 3, gradients, new Float64Array(4))
    expect([gradients[0], gradients[3]]).toEqual([0, 0])
    expect(gradients[1]).toBeLessThan(0)
  })
})
