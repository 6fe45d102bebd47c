import type { Durability, StorageEvent } from '../core/agidb.js'

/**
 * The signatures that an episode can have, by the arena that they belong to. `text` and `structured` are made by the
 * encoder of the engine. `latent` and `sentence` are made with a codebook or a model, and begin with eight bytes that
 * say with which; the storage does not look into them.
 */
export type SignatureKind = 'text' | 'structured' | 'latent' | 'sentence'
export type Signatures = Partial<Record<SignatureKind, Uint8Array>>

/** Signatures, and what made them. */
export interface Signed {
  readonly signatures: Signatures
  /**
   * The version of the encoder of `text` and `structured`, 0 to 255, opaque to the storage. Default 0; without one of
   * these two it is not kept. A `sign` with one of them sets it for both.
   */
  readonly encoder?: number
}

/** A change to the store. A commit of several is applied whole or not at all. */
export type Change =
  /** A new episode. `row` is opaque to the storage. */
  | ({ readonly op: 'put'; readonly slot: number; readonly id: string; readonly row: Uint8Array } & Signed)
  /** Adds signatures to an episode that is there, or replaces those of the same kinds; its row and its other signatures stay. */
  | ({ readonly op: 'sign'; readonly slot: number; readonly id: string } & Signed)
  /** Another row for an episode that is there; its signatures stay. */
  | { readonly op: 'update'; readonly slot: number; readonly id: string; readonly row: Uint8Array }
  /** The episode is no more. Its slot is not used again. */
  | { readonly op: 'remove'; readonly slot: number; readonly id: string }

/** A live episode as `open` hands it over. The arrays may be views that are valid only during the call. */
export interface StoredEpisode extends Signed {
  readonly slot: number
  readonly id: string
  readonly row: Uint8Array
}

export interface StorageStats {
  /** A name for people: `memory`, `OPFS journal + IndexedDB`, `folder /…`. */
  readonly name: string
  readonly bytes: number
  readonly durability: Durability
  readonly durabilityReason: string
  readonly opening: readonly StorageEvent[]
}

/** What opening yields beside the episodes. */
export interface Opened {
  /** The id of the database, 32 hexadecimal digits, made when it was created. */
  readonly databaseId: string
  /** The next slot: one more than the highest ever used, removed ones included. */
  readonly nextSlot: number
}

/**
 * Where episodes are kept. Rows are opaque bytes, slots and ids are the engine's. Each place has one
 * adapter; one contract suite runs on all of them.
 */
export interface Storage {
  /**
   * Opens, recovers, and visits every live episode in ascending order of slot with its latest row and signatures.
   * Throws `AGIDB_IN_USE`, `AGIDB_NEWER_FORMAT`, `AGIDB_FOREIGN_FILE`, `AGIDB_CORRUPT`; then the
   * files are as they were, and nothing is held.
   */
  open(visit: (episode: StoredEpisode) => void): Promise<Opened>
  /**
   * Writes changes so that they survive a crash, then resolves. Rejects with `AGIDB_QUOTA` or
   * `AGIDB_STORAGE`, and with `AGIDB_INTERNAL` for a `sign` of an episode that is not there; then none of them took
   * effect. Calls must not overlap.
   */
  commit(changes: readonly Change[]): Promise<void>
  /** The rows of live slots, in the order asked for; `undefined` where there is none. */
  rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]>
  /** Resolves when all that was committed has reached every file. */
  flush(): Promise<void>
  stats(): Promise<StorageStats>
  /** Flushes and lets go. Safe to call twice. */
  close(): Promise<void>
}
