import type { Storage } from '../../src/storage/port.js'

/** The bytes of a journal on its place, for damaging it while the storage is closed. */
export interface JournalBytes {
  read(): Promise<Uint8Array>
  write(bytes: Uint8Array): Promise<void>
}

/** Where one case of the contract runs. */
export interface StorageContext {
  /** Another storage on this case's own place, which starts out empty. */
  storage(): Storage
  /** Whether what was committed is there when opened again. */
  readonly durable: boolean
  /** Present where the place has a journal. */
  readonly journal?: JournalBytes
  /** The content of all files of a place that is closed, by name. Present where the place has a journal. */
  readonly files?: () => Promise<ReadonlyMap<string, Uint8Array>>
  /** Whether a second copy may bring back a commit that the journal lost. */
  readonly mirrored?: boolean
  /** How many random histories to try. */
  readonly runs: number
}

/** One clause of the contract. `run` rejects when it is broken. */
export interface StorageCase {
  readonly name: string
  /** What the place must offer for this case; it does not apply elsewhere. */
  readonly needs?: 'durable' | 'journal'
  run(context: StorageContext): Promise<void>
}
