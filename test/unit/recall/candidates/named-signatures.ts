import { Indexes } from '../../../../src/indexes/indexes.js'
import { kernel } from '../../encoding/kernel.js'

const NAMES = ['harbour', 'lantern', 'violin', 'orchard', 'granite', 'saddle', 'teapot', 'glacier']

/** A query for all names, each weighted differently. */
export const exact = kernel.quantise(
  kernel.superpose(
    NAMES,
    Int32Array.from(NAMES, (_, i) => 1 + i),
  ),
)

/** Text signatures of one or two of the names each, and of other words. */
export function memory(size: number): Indexes {
  const indexes = new Indexes(kernel)
  for (let slot = 0; slot < size; slot++) {
    const some = [...new Set([NAMES[slot % 8], NAMES[(slot * 3 + 1) % 8], `other ${slot % 97}`, `more ${slot % 89}`])]
    indexes.text.set(slot, kernel.textSignature(some, new Int32Array(some.length).fill(1)))
  }
  return indexes
}
