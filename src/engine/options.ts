import type { Codebook } from '../encoding/codebook/codebook.js'
import type { OpenOptions } from '../api/agidb.js'
import type { Model } from '../api/ranker.js'
import type { Kernel } from '../kernel/port.js'
import type { ScanThreads } from '../pools/scan/pool.js'
import type { EncodeThreads } from '../pools/encode/pool.js'
import type { Storage } from '../storage/port.js'

/** What the engine needs of the place where it runs, and the options that are the same in all of them. */
export interface EngineOptions extends Pick<OpenOptions, (typeof ENGINE_OPTIONS)[number]> {
  readonly storage: Storage
  readonly kernel: Kernel
  readonly codebook?: Codebook
  /** Under which changes say that they came from the program that opened the engine. Default: a new one. */
  readonly handle?: string
  /** Write nothing for the program that opened the engine. Default false. */
  readonly readOnly?: boolean
  /** Threads for shards; absent where there are none. */
  readonly shardThreads?: ScanThreads
  /** A thread that makes signatures; absent where there is none. */
  readonly signerThreads?: EncodeThreads
  /** Changes after which an image of the indexes is kept when the engine pauses or closes. Default 1,024. */
  readonly keepAfter?: number
  /**
   * Episodes from which on recall answers while the signatures of older ones are still being loaded. Default 262,144.
   */
  readonly lateFrom?: number
  /**
   * Fetches a codebook that is not there yet; opening does not wait for it. Called at most once, after opening. Rejects
   * when it cannot be had.
   */
  readonly codebookComing?: () => Promise<Codebook>
  /**
   * The model of the ranker `free` for memories with a codebook, asked for when there is one. Absent, or `undefined`:
   * its other model ranks those, too, a little less well.
   */
  readonly codebookModel?: () => Model | undefined
}

/** Options of `open` that every runtime hands on to the engine. */
export const ENGINE_OPTIONS = [
  'clock',
  'seed',
  'writer',
  'limits',
  'headroom',
  'shards',
  'memoryBudget',
  'ranker',
  'encoder',
  'onEncoded',
  'surpriseThreshold',
  'surpriseProfile',
  'sourceTrust',
  'decideRevision',
] as const
