/** A row for each case; the label is 1 or 0. */
export interface Cases {
  readonly rows: readonly (readonly number[])[]
  readonly labels: readonly number[]
}

const ROUNDS = 30
/** L2 penalty on the weights of inputs of unit variance, in cases. */
const PENALTY = 1

/**
 * Logistic regression by Newton's method on standardised inputs; the weights are given back for inputs as they come.
 * With scores among the inputs this is calibration after Platt (1999).
 */
export function fitLogistic({ rows, labels }: Cases): { weights: number[]; intercept: number } {
  const inputs = rows[0]?.length ?? 0
  const mean = new Array<number>(inputs).fill(0)
  const deviation = new Array<number>(inputs).fill(0)
  for (const row of rows)
    row.forEach((value, i) => {
      mean[i] += value / rows.length
    })
  for (const row of rows)
    row.forEach((value, i) => {
      deviation[i] += (value - mean[i]) ** 2 / rows.length
    })
  const scale = deviation.map((variance) => (variance > 1e-12 ? Math.sqrt(variance) : Infinity))
  const standard = rows.map((row) => [1, ...row.map((value, i) => (value - mean[i]) / scale[i])])
  let solution = new Array<number>(inputs + 1).fill(0)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = solution.map((weight, i) => (i === 0 ? 0 : PENALTY * weight))
    const hessian = solution.map((_, i) => solution.map((_, j) => (i === j ? (i === 0 ? 1e-9 : PENALTY) : 0)))
    standard.forEach((row, at) => {
      const p = 1 / (1 + Math.exp(-row.reduce((sum, value, i) => sum + value * solution[i], 0)))
      const curvature = Math.max(p * (1 - p), 1e-9)
      row.forEach((value, i) => {
        gradient[i] += (p - labels[at]) * value
        for (let j = 0; j <= i; j++) hessian[i][j] += curvature * value * row[j]
      })
    })
    for (let i = 0; i < hessian.length; i++) for (let j = 0; j < i; j++) hessian[j][i] = hessian[i][j]
    const step = solve(hessian, gradient)
    solution = solution.map((weight, i) => weight - step[i])
    if (Math.max(...step.map(Math.abs)) < 1e-9) break
  }
  const weights = solution.slice(1).map((weight, i) => weight / scale[i])
  return { weights, intercept: solution[0] - weights.reduce((sum, weight, i) => sum + weight * mean[i], 0) }
}

/** Solves `matrix · x = right` for a positive definite matrix by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]])
  const n = rows.length
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let row = 0; row < n; row++) {
      if (row === column || rows[column][column] === 0) continue
      const factor = rows[row][column] / rows[column][column]
      for (let i = column; i <= n; i++) rows[row][i] -= factor * rows[column][i]
    }
  }
  return rows.map((row, i) => (row[i] === 0 ? 0 : row[n] / row[i]))
}
