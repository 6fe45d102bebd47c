import type { EncryptionSecret } from './encryption.js'
import type { BlobLike } from './portable.js'

/** Options of `Agidb.salvage`. */
export interface SalvageOptions {
  /** The database, one of this origin's. */
  readonly name: string
  /** Encrypts {@link Salvaged.memory}, as that of `export` does. The files stay as they are. Default: not encrypted. */
  readonly passphrase?: string
  /** What opens the database, where it is encrypted with a passphrase or a key. */
  readonly encryption?: EncryptionSecret
  /**
   * Also puts what could be read in the place of the database, so that it can be opened again: under its name, with an
   * id of its own. The damaged files are kept whole in another file first, and IndexedDB keeps what it has, set aside.
   * Where nothing can be read the database is empty then. If that does not come to its end the database is as damaged
   * as it was. Default false: nothing is changed.
   */
  readonly repair?: boolean
}

/** A stretch of a journal that cannot be read. */
export interface UnreadStretch {
  readonly file: string
  readonly at: number
  readonly bytes: number
}

/** What could be read of a database, and what could not. */
export interface SalvageReport {
  readonly databaseId: string
  /** Episodes, and learning events and sensory frames, that are brought out. */
  readonly episodes: number
  readonly records: number
  /** Of both, those that the journal has lost and IndexedDB still had. */
  readonly fromCopy: number
  /** Of the episodes, those whose signatures are lost; an import makes them again. */
  readonly unsigned: number
  /** Changes to what was not found, and rows that can be read and make no sense. They are in the files alone. */
  readonly setAside: number
  /** Rows that were erased but of which an older copy was found. They cannot be read. */
  readonly erased: number
  /** In how many stretches the journal cannot be read, and the first hundred of them. */
  readonly damages: number
  readonly unread: readonly UnreadStretch[]
}

/** A `File` of the browser. */
export interface SalvagedFile extends BlobLike {
  readonly name: string
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** What is brought out of a database that cannot be opened. */
export interface Salvaged {
  readonly report: SalvageReport
  /** What could be read, as an export that `import` takes. */
  readonly memory: BlobLike
  /**
   * The files as they are, whole: nothing of what could not be read or understood is lost. They can be read until the
   * database is written to again. After a repair, the repaired ones, and the one in which the damaged ones are kept.
   */
  readonly files: readonly SalvagedFile[]
  /** After a repair, for each file that was damaged or beside one, where it is kept; for people to read. */
  readonly kept: readonly string[]
}
