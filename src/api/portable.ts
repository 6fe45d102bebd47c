import type { Filter } from './filter.js'
import type { Progress } from '../base/progress.js'

/** How a memory can be exported. */
export type ExportFormat = 'agidb' | 'jsonl'

/** Options of `export`. */
export interface ExportOptions {
  /**
   * `agidb`: all that the memory holds, in a file that `import` reads. `jsonl`: the episodes alone, a JSON object a
   * line, for other programs. Default `agidb`.
   */
  readonly format?: ExportFormat
  /**
   * Encrypts the file, which must be of format `agidb`. It cannot be read without this passphrase. Default: not
   * encrypted.
   */
  readonly passphrase?: string
  /**
   * Leaves each row encrypted with the keys of the memory, which must be encrypted (`AGIDB_UNSUPPORTED`), and in a file
   * of format `agidb`. Only this memory can import it, or one with the same `keys.agidb`; and what is erased after it
   * was made cannot be read in it either. With a passphrase the file is encrypted once more. Default false.
   */
  readonly sealed?: boolean
  /**
   * Only the episodes that pass this filter, and nothing that tells of others: what a consolidation derived, beliefs
   * that rest on others alone, revisions by others, aliases of names that others alone bear, and the sensory buffer are
   * left out. Audits of unlearning stay. Default: all.
   */
  readonly filter?: Filter
}

/**
 * Where the bytes of an export come from: a file of a page is one (`Blob`), the body of a response (`ReadableStream`),
 * a file stream of Node.
 */
export type ExportSource =
  | Uint8Array
  | BlobLike
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>

/** What of a `Blob` is used here. */
export interface BlobLike {
  stream(): ReadableStream<Uint8Array>
}

/** Options of `import`. */
export interface ImportOptions {
  /** Give up all that the memory holds for what is imported. Default false: a memory that holds anything refuses. */
  readonly replace?: boolean
  /** Of an encrypted export. */
  readonly passphrase?: string
  /** Called now and then with how many rows were read, of how many. */
  readonly onProgress?: (progress: Progress) => void
  /** Ends the import; then nothing has changed. */
  readonly signal?: AbortSignal
}

/** What was imported. */
export interface ImportReport {
  readonly format: ExportFormat
  readonly episodes: number
  /** Learning events and sensory frames. */
  readonly records: number
  /** Episodes whose signatures were made anew: another version made them, or there were none. */
  readonly encoded: number
  /**
   * Of a sealed export: rows that cannot be read any more, since what they tell of was erased after it was made, or
   * shared a session with what was, and rows that tell nothing without them. Absent for others.
   */
  readonly forgotten?: number
  /** The database that was exported, and when (ISO 8601, UTC). Absent for `jsonl`. */
  readonly databaseId?: string
  readonly exportedAt?: string
}
