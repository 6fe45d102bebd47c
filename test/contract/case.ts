import type { StorageCase, StorageContext } from '../../src/storage/contract/case.js'

/** The bytes of a journal on its place, for damaging it while the storage is closed. */
export interface JournalBytes {
  read(): Promise<Uint8Array>
  write(bytes: Uint8Array): Promise<void>
}

/** A place of this library: what the contract for authors of adapters needs, and what only these tests look at. */
export interface PlaceContext extends StorageContext {
  /** Present where the place has a journal. */
  readonly journal?: JournalBytes
  /** The content of all files of a place that is closed, by name. Present where the place has a journal. */
  readonly files?: () => Promise<ReadonlyMap<string, Uint8Array>>
  /** Whether a second copy may bring back a commit that the journal lost. */
  readonly mirrored?: boolean
  /** How many random histories to try. */
  readonly runs: number
}

/** A case that also looks at the files of a place. */
export interface PlaceCase extends Omit<StorageCase<PlaceContext>, 'needs'> {
  readonly needs?: StorageCase['needs'] | 'journal'
}
