import type { Model } from '../../api/ranker.js'
import { unpack } from './packed.js'
import { freeWithCodebook } from './tables/free-codebook.js'

/**
 * The model of the ranker `free` for memories with a codebook, where it is part of the program. A page fetches it with
 * the codebook.
 */
export function bundledModel(): Model {
  return unpack(freeWithCodebook)
}
