import { unpack } from './packed.js'
import type { LateModels } from './rankers.js'
import { freeWithCodebook } from './tables/free-codebook.js'
import { freeWithEncoder } from './tables/free-encoder.js'

/** The models of the ranker `free` that a page fetches with the codebook, where they are part of the program. */
export const bundledModels: LateModels = (equipment) =>
  unpack(equipment === 'encoder' ? freeWithEncoder : freeWithCodebook)
