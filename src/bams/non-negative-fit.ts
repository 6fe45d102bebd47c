import { centre } from './compare.js'

/**
 * Weights, none negative, by which columns with an intercept come nearest to an outcome. There are few columns, so
 * every set of them is fitted by least squares, and the best without a negative weight is taken: the exact solution.
 */
export function nonNegativeFit(columns: readonly Float64Array[], outcome: Float64Array): number[] {
  const x = columns.map((column) => Float64Array.from(column))
  const y = Float64Array.from(outcome)
  for (const one of [...x, y]) centre(one)
  const products = x.map((a) => x.map((b) => product(a, b)))
  const withOutcome = x.map((a) => product(a, y))
  let best = { gain: 0, weights: x.map(() => 0) }
  for (let set = 1; set < 1 << x.length; set++) {
    const chosen = x.map((_, i) => i).filter((i) => set & (1 << i))
    const solved = solve(
      chosen.map((i) => chosen.map((j) => products[i][j])),
      chosen.map((i) => withOutcome[i]),
    )
    if (solved === undefined || solved.some((weight) => weight < 0)) continue
    // By how much the squares of the errors are less than without any column.
    const gain = solved.reduce((sum, weight, k) => sum + weight * withOutcome[chosen[k]], 0)
    if (gain <= best.gain) continue
    const weights = x.map(() => 0)
    chosen.forEach((i, k) => (weights[i] = solved[k]))
    best = { gain, weights }
  }
  return best.weights
}

/** The solution of symmetric equations by Cholesky; `undefined` where one follows from the others. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] | undefined {
  const n = right.length
  const lower = matrix.map((row) => row.map(() => 0))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i][j]
      for (let k = 0; k < j; k++) rest -= lower[i][k] * lower[j][k]
      if (i === j && !(rest > 1e-12 * matrix[i][i])) return undefined
      lower[i][j] = i === j ? Math.sqrt(rest) : rest / lower[j][j]
    }
  }
  const solution = [...right]
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) solution[i] -= lower[i][k] * solution[k]
    solution[i] /= lower[i][i]
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) solution[i] -= lower[k][i] * solution[k]
    solution[i] /= lower[i][i]
  }
  return solution
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
