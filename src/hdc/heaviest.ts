import { DIMENSION, SIGNATURE_BYTES, type Query } from '../kernel/port.js'

const MAGNITUDES = 16

/**
 * A query that asks at its heaviest dimensions alone, all of them with the same weight. A bit-sliced scan reads the columns
 * of these and no others, so it takes as long as they are few; and they say most: of a query whose sums are normally
 * distributed the heaviest eighth of the dimensions has half of the squared length.
 *
 * @param count dimensions at most; of equally heavy ones the first.
 */
export function heaviest(query: Query, count: number): Query {
  const magnitudes = magnitudesOf(query)
  const ofEach = new Uint32Array(MAGNITUDES)
  for (const magnitude of magnitudes) ofEach[magnitude]++
  let least = MAGNITUDES
  let kept = 0
  while (least > 1 && kept + ofEach[least - 1] <= count) kept += ofEach[--least]
  // Of the next magnitude there is room for some.
  let some = least > 1 ? count - kept : 0
  const planes = new Uint8Array(4 * SIGNATURE_BYTES)
  let chosen = 0
  for (let d = 0; d < DIMENSION; d++) {
    if (magnitudes[d] < least && !(magnitudes[d] === least - 1 && some-- > 0)) continue
    planes[d >> 3] |= 1 << (d & 7)
    chosen++
  }
  return { signs: query.signs, planes, norm: Math.sqrt(chosen) }
}

function magnitudesOf({ planes }: Query): Uint8Array {
  const magnitudes = new Uint8Array(DIMENSION)
  if (planes === undefined) return magnitudes.fill(1)
  for (let plane = 0; plane < 4; plane++) {
    for (let d = 0; d < DIMENSION; d++) magnitudes[d] |= ((planes[plane * SIGNATURE_BYTES + (d >> 3)] >> (d & 7)) & 1) << plane
  }
  return magnitudes
}
