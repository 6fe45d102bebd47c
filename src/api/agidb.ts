import type { SemanticMethods } from './atom.js'
import type { BeliefMethods, DecideRevision } from './belief.js'
import type { SubscribeMethods } from './change.js'
import type { EncoderStats, SentenceEncoder } from './encoder.js'
import type { Episode, EpisodeId, Observation, ObserveContext, TimeInput, TimeRange } from './episode.js'
import type { GoalMethods } from './goal.js'
import type { SelfMethods } from './introspection.js'
import type { PortableMethods } from './portable.js'
import type { ProcedureMethods } from './procedure.js'
import type { Progress } from '../base/progress.js'
import type { Ranker } from './ranker.js'
import type { AttentionTrace, Recall, RecallId, RecallOptions, RecallWithPrompt } from './recall.js'
import type { SensoryMethods, SurpriseProfile } from './sensory.js'
import type { VerifyOptions, VerifyReport } from './verify.js'
import type { WorkingMethods } from './working.js'

declare global {
  // As in TypeScript's own `esnext.disposable`, for programs that are compiled without that library.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol
  }
}

/** Options of `observeMany`. */
export interface ObserveManyOptions {
  /** Called after each durable batch. */
  readonly onProgress?: (progress: Progress) => void
  /** Stops before the next batch; batches that were acknowledged stay. */
  readonly signal?: AbortSignal
}

/** A page request of `episodes`. */
export interface EpisodesOptions {
  /** Start after this episode. Default: at the first. */
  readonly after?: EpisodeId
  /** Episodes a page, 1 to 10,000. Default 100. */
  readonly limit?: number
  readonly session?: string
  readonly speaker?: string
  readonly source?: string
  /** Only those that began in this stretch of valid time, by their `at`. Default: all. */
  readonly at?: TimeRange
}

/** Something that the storage found and mended when it was opened. */
export interface StorageEvent {
  /** `created`, `torn-tail`, `mirror-behind`, `mirror-wiped`, `journal-rebuilt` … */
  readonly kind: string
  /** What happened, in a sentence. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** What a compaction did, in bytes on disk or in the origin's storage. */
export interface Compaction {
  readonly before: number
  readonly after: number
}

/**
 * How durable an acknowledged observation is. `strict`: it survives a crash of the process and of the machine.
 * `relaxed`: it survives a crash of the process; one of the machine (a power cut) may take the last ones, within a
 * tenth of a second or 4 MiB, never an earlier one without all later. `idb-only`: as durable as the IndexedDB of the
 * browser. `memory`: not at all.
 */
export type Durability = 'strict' | 'relaxed' | 'idb-only' | 'memory'

/**
 * Room for storage, in bytes. What a browser says of it is a guess on purpose: a write may be refused before, or fit
 * after.
 */
export interface Room {
  /** Used by this origin or, in a folder, by all that is on its disk. */
  readonly used: number
  /** There is, used and free. */
  readonly of: number
  /** Whether it stays when room is short: a browser may otherwise delete it. */
  readonly persisted: boolean
}

/** A codebook that is on its way: it is being fetched, then the episodes that are there get their latent signatures. */
export interface CodebookPending {
  readonly phase: 'fetching' | 'signing'
  /** Episodes that have their latent, of all that are there. */
  readonly done: number
  readonly total: number
}

/** What the database holds and how it runs. */
export interface Stats {
  readonly episodes: number
  readonly sessions: number
  readonly speakers: number
  readonly concepts: number
  /** Distinct index terms. */
  readonly terms: number
  /**
   * Semantic atoms, procedures, goals (ended ones included), beliefs that are held, and learning events that are stored
   * as such.
   */
  readonly atoms: number
  readonly procedures: number
  readonly goals: number
  readonly beliefs: number
  readonly events: number
  /** Bytes on disk or in the origin's storage. */
  readonly bytes: number
  /**
   * Bytes of main memory that it takes, code left aside: the sum of {@link Stats.memoryParts}. What JavaScript's
   * objects take is an estimate for Node; the sum is right to about a twentieth there. Recalls that are under way take
   * more for a moment.
   */
  readonly memory: number
  /** What takes the main memory, in bytes. */
  readonly memoryParts: {
    /** WebAssembly memory: signatures in columns and rows, and hypervectors of words that are known. */
    readonly kernel: number
    /** Posting lists, catalog and the other indexes, in JavaScript. */
    readonly indexes: number
    readonly codebook: number
    /** The trees of the learned ranker. */
    readonly ranker: number
    /**
     * Goals, beliefs, atoms, procedures, sensory frames, the self-vector, learning events and attention traces, in
     * JavaScript, and the indexes by which they are found.
     */
    readonly floors: number
    /**
     * Where each memory lies in the journal, and room for what is being written; with `storage: 'memory'` all that is
     * stored.
     */
    readonly storage: number
    /** Copies of signatures in the threads that help to scan. */
    readonly shards: number
    /** The thread that makes signatures, while very many episodes come. */
    readonly signers: number
  }
  /** Threads beside the engine's that share the scan now, and the episodes that they answer for. */
  readonly shards: { readonly threads: number; readonly episodes: number }
  /** Absent where it is not known, and in memory. */
  readonly room?: Room
  /** What is in force, for every tab that has the database open. */
  readonly durability: Durability
  /** Why that durability. */
  readonly durabilityReason: string
  readonly storage: string
  /** Whether the engine runs for this handle itself, or another tab's answers it. */
  readonly role: 'owner' | 'client'
  /** `wasm-simd` or `reference` (pure TypeScript). */
  readonly kernel: string
  /** The id of the semantic codebook, or `none`. */
  readonly codebook: string
  /**
   * Present while the codebook is on its way: recall answers without it until then, and `recall({ whole: true })` waits
   * for it.
   */
  readonly codebookPending?: CodebookPending
  /** The name of the learned ranker, or `fusion`. */
  readonly ranker: string
  /** The sentence encoder, if there is one, and how far it has come. */
  readonly encoder?: EncoderStats
  /** How many memories have all their signatures loaded; absent when all have: see {@link Recall.loading}. */
  readonly loading?: Progress
  /** What happened when the storage was opened. */
  readonly opening: readonly StorageEvent[]
}

/** A memory that keeps nothing: it is gone when it is closed, or with the isolate on the edge. */
export interface MemoryPlace {
  readonly storage: 'memory'
  readonly path?: undefined
  readonly name?: undefined
}

/** Options that every runtime takes. */
export interface OpenOptions {
  /** The built kernel, `agidb/kernel.wasm`. Default: loaded from beside the library where the runtime allows it. */
  readonly kernel?: WebAssembly.Module | BufferSource | URL
  /** Use the pure TypeScript kernel even where WebAssembly SIMD is there. Default false. */
  readonly referenceKernel?: boolean
  /**
   * The clock, in epoch milliseconds. Not in a browser page: functions do not cross to the worker. Default: the
   * system's.
   */
  readonly clock?: () => number
  /**
   * The semantic codebook, by which words are found that mean the same: `static` is `agidb/codebook.bin` (8 MB), loaded
   * from beside the library; or another's bytes or URL. Default: `static`, and `none` on the edge or where it cannot be
   * loaded.
   */
  readonly codebook?: 'static' | 'none' | BufferSource | URL
  /**
   * What ranks: a learned table (`free`, trained on conversations that are free for any use; `locomo` of
   * `agidb/rankers/locomo`, trained on LoCoMo (CC BY-NC 4.0) as well; or your own, the JSON that `agidb train` wrote,
   * parsed) or `fusion`, the unlearned sum of signals. Default `free`.
   */
  readonly ranker?: 'free' | 'fusion' | Ranker
  /** Makes ids a function of this number, for tests; those of a client tab stay random. Default: random ids. */
  readonly seed?: number
  /** Who writes, for the provenance of what is observed. Default `agidb`. */
  readonly writer?: string
  /**
   * Bytes that are to stay free, of the disk or of what the browser says: what would write more is refused with
   * `AGIDB_QUOTA` when less is left, and what removes is not. Looked at from time to time, so that a little less may be
   * left; not kept where the room is not known (`stats().room`). Default 0.
   */
  readonly headroom?: number
  /**
   * Refuse every call that would change the memory, with `AGIDB_READ_ONLY`: `compact` and `verify({ repair: true })`
   * among them, `verify()` not. A memory that is not there is not made: `AGIDB_NOT_FOUND`. What a crash left is mended
   * as at any opening, but for a folder that may not be written to: that is opened without a lock and stays as it is
   * (`stats().opening` says `not-writable`). In a browser other tabs may write meanwhile. Default false.
   */
  readonly readOnly?: boolean
  /**
   * When an observation counts as kept. `strict`: once it is flushed. `relaxed`: once the operating system has it; it
   * is flushed within a tenth of a second or 4 MiB, and at `flush` and `close`, so that a power cut may take the last
   * ones. Where there is nothing to keep it in but IndexedDB, that is told the same. `stats().durability` says what is
   * in force: of several tabs, what the owner asked for. Default `strict`.
   */
  readonly durability?: 'strict' | 'relaxed'
  /** Upper bounds of what is accepted. */
  readonly limits?: Partial<Limits>
  /**
   * Threads beside the engine's that share the scan of a large memory (262,144 episodes or more). They hold copies of
   * parts of the signatures, as far as {@link memoryBudget} allows; answers are the same with any number of them.
   * Default: one for each core but one; none on the edge. Where it is 0, in Node none makes signatures either while
   * very many episodes come.
   */
  readonly shards?: number
  /**
   * Bytes of main memory up to which copies are kept that save time: signatures in rows beside the columns, shards.
   * What the memory itself needs, about 2.7 KB an episode, it takes in any case. Default 2.5 GiB.
   */
  readonly memoryBudget?: number
  /**
   * Finds memories by what their sentences mean, too: `await sentenceEncoder(…)` of `agidb/onnx`. Memories are encoded
   * in the background; neither `observe`, `recall`, `flush` nor `close` waits for that. Default: none.
   */
  readonly encoder?: SentenceEncoder
  /**
   * Called after each batch that was encoded and stored; when `done` is `total`, all memories are. What it throws ends
   * the encoding, and stands in `stats().encoder.error`.
   */
  readonly onEncoded?: (progress: Progress) => void
  /** The surprise over which a sensory frame is remembered, 0 to 1. Default 0.6, see `docs/floors.md`. */
  readonly surpriseThreshold?: number
  /**
   * What `fitSurpriseProfile` made: frames are then judged by the calibrated surprise and its threshold. Default: none.
   */
  readonly surpriseProfile?: SurpriseProfile
  /**
   * How far what a source says is right, 0.5 (worth nothing) to 0.99, by its name; `*` is for all others. Default `{
   * '*': 0.75 }`.
   */
  readonly sourceTrust?: Readonly<Record<string, number>>
  /** Decides what an episode says of a belief where its triples do not. Default: then it says nothing. */
  readonly decideRevision?: DecideRevision
}

/** Upper bounds of inputs, over which: `AGIDB_TOO_LARGE`; and of what is kept. */
export interface Limits {
  /** UTF-8 bytes of one text. Default 65,536. */
  readonly textBytes: number
  /** UTF-8 bytes of one cue: a question takes time for each of its words. Default 8,192. */
  readonly cueBytes: number
  /** Triples of one episode. Default 64. */
  readonly triples: number
  /** UTF-8 bytes of a speaker, session, source, id or a part of a triple. Default 1,024. */
  readonly nameBytes: number
  /** Items of one `observeMany`. Default 1,000,000. */
  readonly batch: number
  /** Attention traces kept in main memory, the newest. Default 64. */
  readonly traces: number
}

/**
 * A memory. The in-process engine and the client of an engine worker both implement it; all that
 * crosses is structured-cloneable.
 */
export interface Agidb
  extends SensoryMethods,
    WorkingMethods,
    SemanticMethods,
    ProcedureMethods,
    GoalMethods,
    BeliefMethods,
    SelfMethods,
    SubscribeMethods,
    PortableMethods {
  /** Remembers a text. Resolves to its id once it is durable. */
  observe(text: string, context?: ObserveContext): Promise<EpisodeId>
  /** Remembers many texts, in order, one journal flush a batch. All are checked before the first is written. */
  observeMany(items: readonly Observation[], options?: ObserveManyOptions): Promise<EpisodeId[]>
  /** The episode with this id, or `undefined`. */
  getEpisode(id: EpisodeId): Promise<Episode | undefined>
  /** All episodes in the order in which they were observed, in pages. */
  episodes(options?: EpisodesOptions): AsyncIterable<Episode[]>
  /** Says that `byId` replaces `id` from the valid time `at` on (default: when `byId` began). */
  supersede(id: EpisodeId, byId: EpisodeId, at?: TimeInput): Promise<void>
  /**
   * The memories that answer a cue, best first. To look for a statement alone, give an empty cue and `structured`.
   *
   * @throws AgidbError `AGIDB_INVALID_TEXT` for an empty cue without `structured`, `AGIDB_INVALID_ARGUMENT`,
   * `AGIDB_INVALID_TIME` or `AGIDB_UNKNOWN_OPTION` for wrong options, `AGIDB_TOO_LARGE`, `AGIDB_ABORTED`.
   */
  recall(cue: string | undefined, options: RecallOptions & { readonly budgetTokens: number }): Promise<RecallWithPrompt>
  recall(cue: string | undefined, options?: RecallOptions): Promise<Recall>
  /**
   * What a recall with `traceAttention` considered, without the episodes that were forgotten since. Kept in main memory
   * for the last `limits.traces` of them (default 64), until the database is closed; `undefined` for any other.
   */
  attentionTrace(recallId: RecallId): Promise<AttentionTrace | undefined>
  stats(): Promise<Stats>
  /** Resolves when every acknowledged observation has reached every file. */
  flush(): Promise<void>
  /**
   * Writes anew all that is live, so that what was replaced or removed before takes no room and stands in no file any
   * more: its bytes are overwritten. Starts by itself when more than half of what is stored is garbage. Writing goes on
   * meanwhile, and waits for the last step; as much room as the memory takes must be free.
   *
   * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`; then everything is there as before. `AGIDB_READ_ONLY`
   */
  compact(): Promise<Compaction>
  /**
   * Reads all that is stored from beginning to end, compares the copies with each other and with what recall searches,
   * and says what is wrong. Changes nothing unless `repair` is set; writing waits meanwhile. A memory that cannot be
   * opened is looked at with `agidb verify --db`.
   */
  verify(options?: VerifyOptions): Promise<VerifyReport>
  /** Flushes and lets go of the storage. Calls after it are refused with `AGIDB_CLOSED`. */
  close(): Promise<void>
  /** The same as {@link close}, for `await using db = await Agidb.open(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}
