import { readFileSync } from 'node:fs'
import type { Comparison } from '../../../src/bams/index.js'

/** One comparison of a case. `p` only where all orders were tried; `drawn` where SciPy has the comparison. */
export interface GoldenComparison {
  readonly similarity: number
  readonly ceiling: { readonly lower: number; readonly upper: number }
  readonly p?: number
  readonly drawn?: number
}

interface GoldenFile {
  readonly file: string
  readonly shape: readonly number[]
  readonly values: readonly number[] | number
}

interface Golden {
  readonly cases: readonly {
    readonly stimuli: number
    readonly patterns: readonly (readonly number[])[]
    readonly dissimilarities: Readonly<Record<'correlation' | 'cosine' | 'euclidean', readonly number[]>>
    readonly model: readonly number[]
    readonly other: readonly number[]
    readonly responses: readonly (readonly number[])[]
    readonly drawn: readonly number[]
    readonly comparisons: Readonly<Record<Comparison, GoldenComparison>>
    readonly attribution: {
      readonly total: number
      readonly unique: readonly number[]
      readonly alone: readonly number[]
    }
  }[]
  readonly signatures: readonly (readonly number[])[]
  readonly hamming: readonly number[]
  readonly surprises: readonly (readonly number[])[]
  readonly external: readonly number[]
  readonly weights: readonly number[]
  readonly files: readonly GoldenFile[]
}

/** What `tools/bams/golden.py` wrote. */
export const golden: Golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8'))
