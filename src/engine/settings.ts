import type { Codebook } from '../encoding/codebook/codebook.js'
import type { OpenOptions } from '../api/open-options.js'
import type { EngineOptionName } from '../api/option-table.js'
import type { MethodTable } from '../api/methods/method.js'
import type { LateModels } from '../recall/ranking/rankers.js'
import type { MethodService } from '../memory/methods.js'
import type { Indexes } from '../indexes/indexes.js'
import type { MakeArena } from '../indexes/signature-arena.js'
import type { Kernel } from '../kernel/port.js'
import type { VectorSearch } from '../recall/candidates/vector-search.js'
import type { Extension } from '../memory/projection.js'
import type { ScanThreads } from '../pools/scan/pool.js'
import type { EncodeThreads } from '../pools/encode/pool.js'
import type { OpenedStorage, StorageAdapter } from '../api/storage.js'

/** A floor beside those of agidb, with its public methods. */
export interface EngineExtension extends Extension {
  readonly methods?: MethodService
}

/** Options that no runtime takes from a program: of the tabs, of tests, and of libraries that build on this one. */
export interface EngineInternals {
  /** The handle under which changes say that the program that opened the engine made them. Default: a new one. */
  readonly handle?: string
  /** Changes after which a checkpoint of the indexes is written when the engine pauses or closes. Default 1,024. */
  readonly keepAfter?: number
  /**
   * Episodes from which on recall answers while the signatures of older ones are still being loaded. Default 262,144.
   */
  readonly lateFrom?: number
  /** How long a memory must be idle before it consolidates by itself, in milliseconds. Default 30,000. */
  readonly idleMs?: number
  /** How long nobody must have used the memory before it is warmed up, in milliseconds. Default 1,000. */
  readonly warmUpAfterMs?: number
  /** Resolves when the parts are here that a page fetches ahead. Default: all parts are here, or need no network. */
  readonly partsFetched?: Promise<unknown>
  /**
   * Whether no timer looks every minute whether something has expired: it would keep a Durable Object in memory.
   * Default false; true on the edge.
   */
  readonly expiresByAlarm?: boolean
  /** What the engine has beside its own kinds of records, floors and methods. Default: none. */
  readonly extensions?: readonly EngineExtension[]
  /** How the methods are carried, those of extensions among them. Default: the registry of public methods. */
  readonly methods?: MethodTable
}

/**
 * What the engine needs of the place where it runs, and the options that are the same everywhere, without the parts.
 */
export interface EngineSettings extends Pick<OpenOptions, EngineOptionName>, EngineInternals {
  readonly storage: StorageAdapter
  readonly kernel: Kernel
  readonly codebook?: Codebook
  /** Write nothing for the program that opened the engine. Default false. */
  readonly readOnly?: boolean
  /** Threads for shards; absent where there are none. */
  readonly shardThreads?: ScanThreads
  /** A thread that makes signatures; absent where there is none. */
  readonly signerThreads?: EncodeThreads
  /** How signatures are searched that the storage keeps alone; absent where they are in main memory. */
  readonly stored?: {
    readonly search: (opened: { readonly indexes: Indexes; readonly storage: OpenedStorage }) => VectorSearch
    readonly arena: MakeArena
  }
  /**
   * Fetches a codebook that is not there yet; opening does not wait for it. Called at most once, after opening. Rejects
   * when it cannot be had.
   */
  readonly codebookComing?: () => Promise<Codebook>
  /**
   * The models of the ranker `free` that come with a codebook, asked for when there is one. Where one cannot be had,
   * the model that needs less ranks, a little less well.
   */
  readonly lateModels?: LateModels
}
