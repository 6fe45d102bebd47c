import type { Progress } from '../base/progress.js'
import type { EncoderStats } from './encoder.js'
import type { ExtractionStats } from './extractor.js'
import type { EncryptionStats } from './encryption.js'

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
  /** Earlier versions of updated episodes that are kept. */
  readonly versions: number
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
  /** Records that are forgotten and can be restored. */
  readonly tombstones: number
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
  /** How what is stored is encrypted. */
  readonly encryption: EncryptionStats
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
  /**
   * How many of the memories that the ranker was trained on are not there any more. Above 0 it is stale: `agidb train
   * --again` trains it without them. Absent for a ranker that names no memories of this database.
   */
  readonly rankerStale?: number
  /** The extractor of statements, if there is one, and how far it has come. */
  readonly extraction?: ExtractionStats
  /** The sentence encoder, if there is one, and how far it has come. */
  readonly encoder?: EncoderStats
  /** How many memories have all their signatures loaded; absent when all have: see `loading` of a recall. */
  readonly loading?: Progress
  /** What happened when the storage was opened. */
  readonly opening: readonly StorageEvent[]
}
