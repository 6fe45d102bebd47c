/** Options of `Agidb.salvage`. */
export interface SalvageOptions {
  /** The database, one of this origin's. */
  readonly name: string
  /** Encrypts {@link Salvaged.memory}, as that of `export` does. The files stay as they are. Default: not encrypted. */
  readonly passphrase?: string
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
  /** In how many stretches the journal cannot be read, and the first hundred of them. */
  readonly damages: number
  readonly unread: readonly UnreadStretch[]
}

/** What is brought out of a database that cannot be opened. */
export interface Salvaged {
  readonly report: SalvageReport
  /** What could be read, as an export that `import` takes. */
  readonly memory: Blob
  /** The files as they are, whole: nothing of what could not be read or understood is lost. They can be read until the database is written to again. */
  readonly files: readonly File[]
}
