/**
 * The height of a curve at a place: linear between its points, whose places ascend, and level beyond them.
 */
export function curveAt(places: readonly number[], heights: readonly number[], at: number): number {
  const after = places.findIndex((place) => place > at)
  if (after === 0) return heights[0]
  if (after < 0) return heights[heights.length - 1]
  const share = (at - places[after - 1]) / (places[after] - places[after - 1])
  return heights[after - 1] + share * (heights[after] - heights[after - 1])
}
