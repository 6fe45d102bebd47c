import { type Comparison, isLinear, prepared, similarity } from './compare.js'

/**
 * The mean similarity of a matrix to those of the subjects of a region, as a function of the matrix's prepared values.
 * Where the similarity is a product, so is that mean: one product with the mean of the subjects.
 */
export function agreement(
  subjects: readonly Float64Array[],
  comparison: Comparison,
): (prepared: Float64Array) => number {
  const own = subjects.map((values) => prepared(values, comparison))
  if (!isLinear(comparison)) {
    return (values) => own.reduce((sum, one) => sum + similarity(values, one, comparison), 0) / own.length
  }
  const mean = new Float64Array(own[0].length)
  for (const one of own) one.forEach((value, i) => (mean[i] += value / own.length))
  return (values) => {
    let sum = 0
    for (let i = 0; i < mean.length; i++) sum += mean[i] * values[i]
    return sum
  }
}
