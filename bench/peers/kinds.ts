import type { Kind } from './data.js'
import { edgevecBits, edgevecLatents } from './edgevec.js'
import { hnswlib } from './hnswlib.js'
import { kernelBits, kernelLatents, kernelReranked } from './kernel.js'
import { pgvectorBits, pgvectorLatents } from './pgvector.js'
import { sqliteVecBits, sqliteVecLatents } from './sqlite-vec.js'
import { miniSearches, oramas, recall } from './texts.js'
import { usearchBits, usearchLatents } from './usearch.js'
import { voy } from './voy.js'

/** Who is measured on what. This library stands first. */
export const contenders = {
  /** By Hamming distance. */
  bits: [kernelBits, ...edgevecBits, ...usearchBits, sqliteVecBits, ...pgvectorBits],
  random: [kernelBits, ...edgevecBits, ...usearchBits, sqliteVecBits, ...pgvectorBits],
  /** By cosine. */
  latents: [
    kernelReranked,
    kernelLatents,
    ...edgevecLatents,
    ...hnswlib,
    voy,
    ...usearchLatents,
    sqliteVecLatents,
    ...pgvectorLatents,
  ],
  texts: [recall, ...miniSearches, ...oramas],
} satisfies Record<Kind, readonly object[]>
