/** How deep in a ranking a mistake counts. */
const TRUNCATION = 20

const DISCOUNTS = Float64Array.from({ length: 4096 }, (_, rank) => 1 / Math.log2(rank + 2))

/**
 * Adds the derivatives of the LambdaMART loss of one question (Burges 2010): each pair of a right and a wrong candidate
 * pulls apart by what swapping them would change in NDCG. Normalised as LightGBM does, so that questions with many
 * right answers do not drown the others.
 *
 * @param start first row of the question's candidates; `end` one after the last.
 */
export function addLambdas(
  scores: Float64Array,
  right: Uint8Array,
  start: number,
  end: number,
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  const order = Array.from({ length: end - start }, (_, i) => start + i).sort((a, b) => scores[b] - scores[a] || a - b)
  const rightCount = order.reduce((sum, row) => sum + right[row], 0)
  if (rightCount === 0 || rightCount === order.length) return
  let ideal = 0
  for (let rank = 0; rank < Math.min(TRUNCATION, rightCount); rank++) ideal += DISCOUNTS[rank]
  const spread = scores[order[0]] !== scores[order[order.length - 1]]
  let sum = 0
  for (let i = 0; i < Math.min(TRUNCATION, order.length); i++) {
    for (let j = i + 1; j < order.length; j++) {
      if (right[order[i]] === right[order[j]]) continue
      const [good, bad] = right[order[i]] ? [order[i], order[j]] : [order[j], order[i]]
      const apart = scores[good] - scores[bad]
      let change = (DISCOUNTS[i] - DISCOUNTS[j]) / ideal
      if (spread) change /= 0.01 + Math.abs(apart)
      const wrongness = 1 / (1 + Math.exp(apart))
      const pull = change * wrongness
      const curvature = pull * (1 - wrongness)
      gradients[good] -= pull
      gradients[bad] += pull
      hessians[good] += curvature
      hessians[bad] += curvature
      sum += 2 * pull
    }
  }
  if (sum <= 0) return
  const factor = Math.log2(1 + sum) / sum
  for (const row of order) {
    gradients[row] *= factor
    hessians[row] *= factor
  }
}
