import { describe, expect, it } from 'vitest'
import { fitLogistic } from '../../../src/training/logistic.js'
import { numbers } from './random.js'

const logistic = (x: number) => 1 / (1 + Math.exp(-x))

describe('fitLogistic', () => {
  it('answers the log odds when there is nothing to go by', () => {
    const { weights, intercept } = fitLogistic({
      rows: Array.from({ length: 100 }, () => [5]),
      labels: Array.from({ length: 100 }, (_, i) => Number(i < 20)),
    })
    expect(weights[0]).toBeCloseTo(0, 12)
    expect(intercept).toBeCloseTo(Math.log(20 / 80), 6)
  })

  it('answers the log odds of each side of a yes-or-no input, but for the penalty', () => {
    const rows: number[][] = []
    const labels: number[] = []
    for (const [x, share] of [
      [0, 0.1],
      [1, 0.7],
    ]) {
      for (let i = 0; i < 50_000; i++) {
        rows.push([x])
        labels.push(Number(i < share * 50_000))
      }
    }
    const { weights, intercept } = fitLogistic({ rows, labels })
    expect(intercept).toBeCloseTo(Math.log(0.1 / 0.9), 2)
    expect(intercept + weights[0]).toBeCloseTo(Math.log(0.7 / 0.3), 2)
  })

  it('finds the weights that made the labels, on inputs of any scale', () => {
    const random = numbers(7)
    const rows = Array.from({ length: 20_000 }, () => [random(), 1000 * random()])
    const labels = rows.map(([a, b]) => Number(random() < logistic(-1 + 2 * a - 0.003 * b)))
    const { weights, intercept } = fitLogistic({ rows, labels })
    expect(Math.abs(intercept + 1)).toBeLessThan(0.15)
    expect(Math.abs(weights[0] - 2)).toBeLessThan(0.2)
    expect(Math.abs(weights[1] + 0.003)).toBeLessThan(0.0002)
  })

  it('stands where the penalised likelihood has no slope', () => {
    const random = numbers(3)
    const rows = Array.from({ length: 60 }, () => [random(), random() * 10])
    const labels = rows.map(([a]) => Number(random() < a))
    const { weights, intercept } = fitLogistic({ rows, labels })
    const wrong = rows.map(
      (row, i) => logistic(intercept + row.reduce((sum, x, at) => sum + x * weights[at], 0)) - labels[i],
    )
    expect(wrong.reduce((a, b) => a + b)).toBeCloseTo(0, 6)
    for (const at of [0, 1]) {
      const mean = rows.reduce((sum, row) => sum + row[at], 0) / rows.length
      const deviation = Math.sqrt(rows.reduce((sum, row) => sum + (row[at] - mean) ** 2, 0) / rows.length)
      const slope = rows.reduce(
        (sum, row, i) => sum + wrong[i] * ((row[at] - mean) / deviation),
        weights[at] * deviation,
      )
      expect(slope).toBeCloseTo(0, 6)
    }
  })

  it('stays finite when an input tells all', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => [i])
    const { weights, intercept } = fitLogistic({ rows, labels: rows.map(([x]) => Number(x >= 500)) })
    expect(Number.isFinite(weights[0]) && Number.isFinite(intercept)).toBe(true)
    expect(logistic(intercept)).toBeLessThan(0.01)
    expect(logistic(intercept + 999 * weights[0])).toBeGreaterThan(0.99)
  })
})
