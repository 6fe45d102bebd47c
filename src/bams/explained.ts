/** What is left of a predictor when less than this share of its length is its own follows from the others. */
const INDEPENDENT = 1e-7

/**
 * The share of the squares of outcomes that predictors explain by linear regression, the mean over the outcomes. All
 * are centred. Predictors are made orthogonal one after the other, twice for accuracy (Giraud et al. 2005), so that one
 * that follows from others explains nothing more.
 */
export function explained(predictors: readonly Float64Array[], outcomes: readonly Float64Array[]): number {
  const basis: Float64Array[] = []
  for (const predictor of predictors) {
    const length = Math.sqrt(product(predictor, predictor))
    const rest = Float64Array.from(predictor)
    for (let pass = 0; pass < 2; pass++) {
      for (const one of basis) {
        const share = product(one, rest)
        for (let i = 0; i < rest.length; i++) rest[i] -= share * one[i]
      }
    }
    const left = Math.sqrt(product(rest, rest))
    if (left <= INDEPENDENT * length) continue
    for (let i = 0; i < rest.length; i++) rest[i] /= left
    basis.push(rest)
  }
  let sum = 0
  for (const outcome of outcomes) {
    const squares = basis.reduce((total, one) => total + product(one, outcome) ** 2, 0)
    sum += Math.min(1, squares / product(outcome, outcome)) / outcomes.length
  }
  return sum
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
