import type { Durability, Room, StorageEvent } from '../api/stats.js'
import type { AgidbError } from '../base/errors.js'
import type { CheckpointArray, CheckpointParts } from '../base/image.js'
import type { Checked, Harm, ProblemCode } from '../api/verify.js'

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

/** Signatures of a slot in a longer piece of bytes, and what made them. */
export interface PackedSignatures extends Pick<Signed, 'encoder'> {
  readonly bytes: Uint8Array
  /** Where that of a kind begins; −1 without one. */
  start(kind: SignatureKind): number
  /** How many bytes it has. */
  length(kind: SignatureKind): number
}

/** A change to the store. A commit of several is applied whole or not at all. */
export type Change =
  /** A new episode. `row` is opaque to the storage. */
  | ({ readonly op: 'put'; readonly slot: number; readonly id: string; readonly row: Uint8Array } & Signed)
  /**
   * Adds signatures to an episode that is there, or replaces those of the same kinds; its row and its other signatures
   * stay.
   */
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

/** A part of an image that is to be kept. */
export interface CheckpointPart {
  readonly name: string
  /** Asked for again and again while it is written: a view of WebAssembly memory does not last. */
  readonly array: () => CheckpointArray
  /**
   * By what the content is recognised: a part that is there already under the same name and mark is not written again.
   */
  readonly mark?: string
}

/** An image of the indexes as it was kept. */
export interface StoredCheckpoint {
  /** All parts whose names begin so, but for those with a mark, checked. Throws `AGIDB_CORRUPT`. */
  parts(prefix: string): Promise<CheckpointParts>
  /** A marked part. */
  marked(name: string): { readonly bytes: number; readonly mark: string } | undefined
  /**
   * Fills `into` with bytes of a marked part, from a place in it on. Whether they are right is for the caller to check.
   */
  fill(name: string, into: Uint8Array, from: number): Promise<void>
}

/** What opening does with an image. */
export interface CheckpointLoader {
  /**
   * Takes an image over. False when it does not fit: then all episodes are visited, as without one. Marked parts may
   * still be read from it afterwards, until it is written over.
   */
  load(image: StoredCheckpoint): Promise<boolean>
  /** Lets go of what was taken over, because it turned out to be damaged. */
  reset(error: unknown): void
  /** Follows a change that came after the image. `row`: of a removed episode, the last one that it had. */
  change(change: Change, row: Uint8Array | undefined): void
  /** Whether a slot is in the image or came with a change; the other live ones are visited. */
  has(slot: number): boolean
}

export interface StorageStats {
  /** A name for people: `memory`, `OPFS journal + IndexedDB`, `folder /…`. */
  readonly name: string
  readonly bytes: number
  /** Bytes of main memory; 0 where nothing is known of it. */
  readonly memory?: number
  readonly room?: Room
  readonly durability: Durability
  readonly durabilityReason: string
  readonly opening: readonly StorageEvent[]
}

/** How to look at all that is stored. */
export interface VerifyVisitor {
  readonly findings: {
    readonly checked: { -readonly [N in keyof Checked]: number }
    add(
      code: ProblemCode,
      harm: Harm,
      message: string,
      details?: Readonly<Record<string, unknown>>,
      count?: number,
    ): void
  }
  /** The mark of a part of an image: a digest of its bytes. */
  readonly digest: (bytes: Uint8Array) => string
  /** Called with what is live, as far as it can be read. */
  readonly visit: (episode: StoredEpisode) => void
}

/** How much of a journal a compaction would free. */
export interface Garbage {
  readonly bytes: number
  /** All bytes of it. */
  readonly of: number
}

/** What opening yields beside the episodes. */
export interface OpenedStorage {
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
   *
   * @param use what to do with an image that {@link Storage.writeCheckpoint} kept: then only those episodes are visited
   * that it lacks.
   */
  open(visit: (episode: StoredEpisode) => void, use?: CheckpointLoader): Promise<OpenedStorage>
  /**
   * Writes changes so that they survive a crash, then resolves. Rejects with `AGIDB_QUOTA` or
   * `AGIDB_STORAGE`, and with `AGIDB_INTERNAL` for a `sign` of an episode that is not there; then none of them took
   * effect. Calls must not overlap.
   */
  commit(changes: readonly Change[]): Promise<void>
  /** The rows of live slots, in the order asked for; `undefined` where there is none. */
  rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]>
  /**
   * Keeps what was made of all that is committed, so that opening need not make it again; must not overlap with a
   * commit. Rejects as `commit` does; then the image before is still there. Absent where nothing can be kept.
   */
  writeCheckpoint?(parts: Iterable<CheckpointPart>): Promise<void>
  /** Visits the live ones of some slots. Absent where signatures are not kept. Rejects with `AGIDB_CORRUPT`. */
  visit?(slots: readonly number[], visit: (episode: StoredEpisode) => void): Promise<void>
  /**
   * Visits the signatures alone of the live ones of some slots, ascending; they are valid only during the call. Absent,
   * and rejects, as `visit`.
   */
  signatures?(slots: ArrayLike<number>, visit: (slot: number, signatures: PackedSignatures) => void): Promise<void>
  /** The live slots, ascending. */
  slots(): Promise<number[]>
  /**
   * The live ones of some slots with all that is kept of them, in the order asked for; the arrays are the caller's.
   * Main memory keeps no signatures that the encoder can make again. Rejects with `AGIDB_CORRUPT`. Must not overlap
   * with a commit.
   */
  read(slots: readonly number[]): Promise<StoredEpisode[]>
  /**
   * Puts others in the place of all that is there: `fill` adds them, batch after batch, beside it, and they take its
   * place at once when `fill` is done. Whatever `fill` rejects with, `replace` does; then, and after a crash before its
   * end, nothing changed. Slots begin anew at 0. Must not overlap with a commit.
   */
  replace(fill: (add: (episodes: readonly StoredEpisode[]) => Promise<void>) => Promise<void>): Promise<void>
  /**
   * Writes anew all that is live, and overwrites the bytes of what was replaced or removed before it began; the image
   * is gone after it. Commits go on meanwhile, but for the last step. Rejects as `commit` does; then everything is
   * there as before. Absent where nothing is left behind.
   */
  compact?(): Promise<void>
  /** What `compact` would free, about: adds up all slots. */
  garbage?(): Garbage | undefined
  /**
   * Reads all files from beginning to end, compares them with each other, and changes nothing; writing waits meanwhile.
   * Absent where there are none.
   */
  verify?(look: VerifyVisitor): Promise<void>
  /** Makes again what `verify` found, where another copy has it: the image is let go, a second copy is filled anew. */
  repair?(codes: readonly ProblemCode[]): Promise<void>
  /**
   * Calls `deleted` once, when the files of the open database are found to be deleted, moved or replaced; at once when
   * they are known to be. From then on everything that writes rejects with that error, `AGIDB_DELETED`. Absent where
   * nothing can be deleted behind its back.
   */
  onDeleted?(deleted: (error: AgidbError) => void): void
  /** Resolves when all that was committed has reached every file. */
  flush(): Promise<void>
  stats(): Promise<StorageStats>
  /** Flushes and lets go. Safe to call twice. */
  close(): Promise<void>
}
