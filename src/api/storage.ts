// The storage port: what a place where memories are stored implements. docs/storage-adapters.md shows how to write one,
// and `agidb/storage-contract` checks it.
import type { CheckpointArray, CheckpointParts } from '../base/checkpoint-parts.js'
import type { AgidbError } from '../base/errors.js'
import type { EncryptionStats } from './encryption.js'
import type { Durability, Room, StorageEvent } from './stats.js'
import type { Checked, ProblemCode, Severity } from './verify.js'

export type { CheckpointArray, CheckpointParts }

/**
 * The name of a signature space, such as `text`, `structured`, `latent` or `sentence`: the spaces are registered in
 * `src/encoding/spaces`. Signatures that are made with a codebook or a model begin with eight bytes that name it. An
 * adapter stores all of them without looking into them.
 */
export type SignatureKind = string

/** Signatures of one episode, by kind: a kind is absent where the episode has none. At most 65,535 bytes each. */
export type Signatures = Partial<Record<SignatureKind, Uint8Array>>

/** Signatures of one episode, with the version of the encoder that made them. */
export interface EncodedSignatures {
  readonly signatures: Signatures
  /**
   * The version of the encoder of `text` and `structured`, 0 to 255; storage does not interpret it. Default 0. An
   * episode that has neither of these two kinds has no version. A `setSignatures` with one of them sets it for both.
   */
  readonly encoder?: number
}

/** Signatures of one slot inside a longer array, so that reading thousands of them allocates nothing for each. */
export interface PackedSignatures extends Pick<EncodedSignatures, 'encoder'> {
  readonly bytes: Uint8Array
  /** The position in `bytes` at which the signature of this kind begins; −1 where there is none. */
  start(kind: SignatureKind): number
  /** Its length in bytes. */
  length(kind: SignatureKind): number
}

/**
 * What can be erased by itself: the session of an episode, or its source where it has none. A row that belongs to
 * several units is encrypted with the keys of all of them. An adapter does not look at them.
 */
export interface OfUnits {
  /** Default: what the row itself says. */
  readonly units?: readonly string[]
}

/** One change of a commit. A commit of several changes is applied as a whole or not at all. */
export type StorageChange =
  /** A new episode in a slot that was never used. `row` holds the episode; storage does not interpret it. */
  | ({ readonly op: 'put'; readonly slot: number; readonly id: string; readonly row: Uint8Array } & EncodedSignatures &
      OfUnits)
  /**
   * Gives signatures to a live episode. They replace its signatures of the same kinds; its row and its signatures of
   * other kinds stay.
   */
  | ({ readonly op: 'setSignatures'; readonly slot: number; readonly id: string } & EncodedSignatures)
  /** A new row for a live episode; its signatures stay. */
  | ({ readonly op: 'update'; readonly slot: number; readonly id: string; readonly row: Uint8Array } & OfUnits)
  /** Removes a live episode with its signatures. Its slot is never used again. */
  | { readonly op: 'remove'; readonly slot: number; readonly id: string }

/** A live episode as it is stored. Where it is given to a visitor, its arrays may be valid only during the call. */
export interface StoredEpisode extends EncodedSignatures, OfUnits {
  readonly slot: number
  readonly id: string
  readonly row: Uint8Array
}

/** Called with one live episode after the other. What it throws ends the visit and is passed on. */
export type VisitEpisode = (episode: StoredEpisode) => void

/** One part of a checkpoint that is to be written. */
export interface CheckpointPart {
  readonly name: string
  /**
   * Answers the content. Called again for each piece that is written: a view of WebAssembly memory can be detached. A
   * promise of it only where the storage gave a {@link KeyFile}, because then it is encrypted.
   */
  readonly array: () => CheckpointArray | Promise<CheckpointArray>
  /** Identifies the content. A stored part with the same name and mark need not be written again. */
  readonly mark?: string
}

/** A checkpoint as it was stored. */
export interface StoredCheckpoint {
  /**
   * All unmarked parts whose names begin with `prefix`, after their checksums matched.
   *
   * @param isAuthenticated whether the caller will find out by itself if a part with these bytes is not what was
   * written; then its checksum need not be compared.
   * @throws AgidbError `AGIDB_CORRUPT`
   */
  parts(prefix: string, isAuthenticated?: (bytes: Uint8Array) => boolean): Promise<CheckpointParts>
  /** The length and the mark of a marked part. */
  marked(name: string): { readonly bytes: number; readonly mark: string } | undefined
  /** Fills `into` with bytes of a marked part, from position `from` on. The caller checks them against the mark. */
  fill(name: string, into: Uint8Array, from: number): Promise<void>
}

/** Takes a checkpoint over while a storage is opened. The engine implements it. */
export interface CheckpointLoader {
  /**
   * Loads a checkpoint. When it answers false, the checkpoint does not fit, and all episodes are visited. Marked parts
   * may still be read afterwards, until the checkpoint is overwritten.
   */
  load(checkpoint: StoredCheckpoint): Promise<boolean>
  /** Drops what was loaded, because the checkpoint turned out to be damaged. All episodes are visited then. */
  reset(error: unknown): void
  /** Applies a change that was committed after the checkpoint. `row`: the last row of an episode that is removed. */
  change(change: StorageChange, row: Uint8Array | undefined): void
  /** Whether a slot is in the checkpoint or came with a change. All other live slots are visited. */
  has(slot: number): boolean
}

/** What `stats()` of the memory says of its storage. */
export interface StorageStats {
  /** A name for people: `memory`, `OPFS journal + IndexedDB`, `folder /…`. */
  readonly name: string
  /** Bytes of everything that is stored. */
  readonly bytes: number
  /** Bytes of main memory that the storage uses. Default 0. */
  readonly memory?: number
  /** How much room there is; absent where it is unknown. */
  readonly room?: Room
  readonly durability: Durability
  /** A sentence that says why the durability is what it is. */
  readonly durabilityReason: string
  /** What happened when the storage was opened. */
  readonly opening: readonly StorageEvent[]
  /** How it is encrypted. Default: not. */
  readonly encryption?: EncryptionStats
}

/** Takes what {@link StorageMaintenance.verify} reads and finds. */
export interface VerifyVisitor {
  readonly findings: {
    readonly checked: { -readonly [N in keyof Checked]: number }
    add(
      code: ProblemCode,
      severity: Severity,
      message: string,
      details?: Readonly<Record<string, unknown>>,
      count?: number,
    ): void
  }
  /** The mark of a part of a checkpoint: a digest of its bytes. */
  readonly digest: (bytes: Uint8Array) => string
  /** Called with every live episode that can be read. */
  readonly visit: VisitEpisode
}

/** How many bytes a compaction would free. */
export interface Garbage {
  readonly bytes: number
  /** Bytes of everything that would be compacted. */
  readonly of: number
}

/** Adds episodes while the content is replaced; called once for each batch. */
export type AddEpisodes = (episodes: readonly StoredEpisode[]) => Promise<void>

/** The required part of a storage: the rows of live episodes by slot. */
export interface RowStore {
  /**
   * Writes changes so that they survive a crash, then resolves. When it rejects, none of them took effect: with
   * `AGIDB_QUOTA` where there is no room, `AGIDB_STORAGE` where writing fails, `AGIDB_INTERNAL` where a change does not
   * fit (a `put` into a slot that was used, another change of a slot that is not live). The arrays belong to the caller
   * and may change once the call has resolved. The engine never overlaps two calls.
   */
  commit(changes: readonly StorageChange[]): Promise<void>
  /** The rows of slots, in the order asked for; `undefined` for a slot that is not live. Runs beside commits. */
  get(slots: readonly number[]): Promise<(Uint8Array | undefined)[]>
  /** The live slots, ascending. */
  slots(): Promise<number[]>
  /**
   * The live episodes of slots, in the order asked for, with their signatures, in arrays that belong to the caller. A
   * storage without a {@link OpenedStorage.signatures | signatures part} may leave out those that have an `encoder`,
   * but for the kinds `image` and `audio`, which cannot be made of the row again.
   * Rejects with `AGIDB_CORRUPT` where the stored bytes are damaged. Never overlaps a commit.
   */
  read(slots: readonly number[]): Promise<StoredEpisode[]>
  /**
   * Replaces the whole content: `fill` calls `add` with batches of episodes, and the new content becomes valid at once
   * when `fill` has resolved. When `fill` rejects, `replace` rejects with the same error and nothing has changed. Slots
   * start again at 0. Never overlaps a commit.
   */
  replace(fill: (add: AddEpisodes) => Promise<void>): Promise<void>
}

/** What stored signatures of 8,192 bits are compared with. */
export interface NearestQuery {
  readonly kind: SignatureKind
  /**
   * The eight bytes with which the signatures begin that count: those of 1,032 bytes. Absent: those of 1,024 bytes,
   * which have no mark.
   */
  readonly mark?: Uint8Array
  /** 1,024 bytes. */
  readonly signs: Uint8Array
  /** The weight of each bit, 0 to 15, as four bit planes of 1,024 bytes, the least first. Default: all are 1. */
  readonly planes?: Uint8Array
}

/** A slot, and how far its signature is from a query: the sum of the weights of the bits in which they differ. */
export interface NearestSlot {
  readonly slot: number
  readonly distance: number
}

/** The part that reads stored signatures. Without it they live in main memory alone, and large memories need more. */
export interface SignatureStore {
  /** Visits the live episodes of slots with their signatures, in any order. Rejects with `AGIDB_CORRUPT`. */
  visitEpisodes(slots: readonly number[], visit: VisitEpisode): Promise<void>
  /**
   * Visits the signatures alone of the live episodes of slots, in ascending order of slot. `signatures` is valid only
   * during the call. Rejects with `AGIDB_CORRUPT`.
   */
  visitPacked(slots: ArrayLike<number>, visit: (slot: number, signatures: PackedSignatures) => void): Promise<void>
  /**
   * The `k` live slots whose signatures are nearest to a query, nearest first, ties by slot ascending; all that there
   * are where these are fewer. Distances are exact. An index that finds nearly all of the nearest may choose which
   * slots are looked at. Required where {@link StorageAdapter.searches} is true.
   *
   * @param slots a bit set of the slots that count: bit `slot & 31` of word `slot >> 5`. Absent: all.
   */
  nearest?(query: NearestQuery, k: number, slots?: Uint32Array): Promise<readonly NearestSlot[]>
}

/** The part that stores checkpoints of the indexes. Without it the indexes are built again at every opening. */
export interface CheckpointStore {
  /**
   * Stores a checkpoint of all that is committed; {@link StorageAdapter.open} offers it to its loader. Rejects as
   * {@link RowStore.commit} does; then the previous checkpoint is still there. Never overlaps a commit.
   */
  write(parts: Iterable<CheckpointPart>): Promise<void>
}

/** The part for storages that leave removed bytes behind, or that can check and repair what they store. */
export interface StorageMaintenance {
  /**
   * Writes all live episodes anew and overwrites the bytes of those that were removed or replaced before it began; the
   * checkpoint is dropped. Commits go on meanwhile, except during its last step. Rejects as {@link RowStore.commit}
   * does; then nothing has changed.
   */
  compact(): Promise<void>
  /** About how many bytes `compact` would free; `undefined` where nothing is left behind. */
  garbage(): Garbage | undefined
  /** Reads everything that is stored, reports problems to the visitor, and changes nothing. */
  verify(visitor: VerifyVisitor): Promise<void>
  /** Repairs problems that `verify` found, as far as another copy or the episodes themselves have what is missing. */
  repair(codes: readonly ProblemCode[]): Promise<void>
}

/**
 * A file for the keys with which everything else is encrypted. It must never be copied to where it cannot be
 * overwritten. Errors are `AGIDB_QUOTA` where there is no room, else `AGIDB_STORAGE`.
 */
export interface KeyFile {
  /** Length in bytes; 0 where there is no file. */
  size(): number | Promise<number>
  /** Fills `into` from position `at`. Answers how many bytes were read: fewer only where the file ends. */
  read(at: number, into: Uint8Array): number | Promise<number>
  /** Writes all of `bytes` at position `at`, over what is there; makes the file where there is none. */
  write(at: number, bytes: Uint8Array): void | Promise<void>
  /** Resolves when all that was written survives a crash of the machine. */
  flush(): void | Promise<void>
}

/** The part of a storage that is encrypted by units. */
export interface ErasureStore {
  /** Says that live rows are about to be removed for good: {@link erase} makes them unreadable, after a crash too. */
  retire(slots: readonly number[]): Promise<void>
  /**
   * Makes the rows that were retired unreadable, wherever copies of them are left: what is live of their units is
   * written anew with other keys, then the keys and that of the checkpoint are overwritten. After a crash it is
   * finished when the storage is next opened. Commits may go on meanwhile.
   */
  erase(): Promise<void>
}

/**
 * The part of an encrypted storage that gives its rows as ciphertext and takes such rows in: for backups that can be
 * read with the keys of this storage alone, and no more once these are dropped.
 */
export interface SealedRows {
  /** Names the keys, 32 hexadecimal digits: it stays when the passphrase is changed. */
  readonly ring: string
  /** How often keys were dropped since the storage was opened. */
  readonly dropped: number
  /** The numbers of the keys that are there, ascending. */
  keys(): number[]
  /** The live episodes of slots, as {@link RowStore.read} has them, but encrypted: rows, their ids, signatures. */
  read(slots: readonly number[]): Promise<StoredEpisode[]>
  /** The numbers of the keys that it takes to read an encrypted row. */
  keysOf(row: Uint8Array): readonly number[]
  /**
   * Another row in the place of an encrypted one, with the same keys; what is encrypted itself where nothing changes.
   *
   * @param change answers what the row is to be, or the row itself where that is to stay.
   */
  change(stored: StoredEpisode, change: (row: Uint8Array) => Uint8Array): StoredEpisode
  /**
   * Decrypts what {@link SealedRows.read} gave, now or long ago; `undefined` where one of its keys was dropped. Throws
   * `AGIDB_CORRUPT` for what is not encrypted, or is damaged.
   */
  open(stored: StoredEpisode): StoredEpisode | undefined
  /** Said while {@link RowStore.replace} runs: the keys of what is replaced are kept, for other backups of it. */
  keepKeys(): void
}

/** An open storage: the rows, and the optional parts that this place offers. */
export interface OpenedStorage {
  /** The id of the database, 32 hexadecimal digits, made when it was created. */
  readonly databaseId: string
  /** The next slot: one more than the highest that was ever used, those of removed episodes included. */
  readonly nextSlot: number
  readonly rows: RowStore
  readonly signatures?: SignatureStore
  readonly checkpoint?: CheckpointStore
  readonly maintenance?: StorageMaintenance
  /** Present where what is stored is encrypted. */
  readonly erasure?: ErasureStore
  /** Present likewise. */
  readonly sealed?: SealedRows
  /**
   * Present where a memory that is only read can hear of its writer: calls back after commits of another program, until
   * it is closed. The engine then closes the storage and opens it again.
   */
  onCommit?(told: () => void): void
  /** Resolves when all that was committed has reached every file. */
  flush(): Promise<void>
  stats(): Promise<StorageStats>
  /**
   * Flushes, closes, and releases the place. Safe to call twice. From then on every method rejects (`AGIDB_CLOSED`).
   */
  close(): Promise<void>
}

/**
 * A place where one memory is stored: pass it as `Agidb.open({ storage })`. Only `rows` is required of what it opens;
 * each further part makes large memories faster or safer. `storageContract` of `agidb/storage-contract` checks all of
 * them.
 */
export interface StorageAdapter {
  /**
   * Opens the place, recovers it after a crash, and visits every live episode in ascending order of slot. When it
   * rejects, nothing is held and the stored bytes are as they were: with `AGIDB_IN_USE`, `AGIDB_NEWER_FORMAT`,
   * `AGIDB_FOREIGN_FILE`, `AGIDB_CORRUPT` or `AGIDB_STORAGE`, or with what `visit` threw.
   *
   * @param visit called with each live episode.
   * @param checkpoint takes over the checkpoint that {@link CheckpointStore.write} stored; then only those episodes are
   * visited that it lacks. A storage without checkpoints ignores it.
   * @param onDeleted called at most once, with `AGIDB_DELETED`, when the place is found to be deleted, moved or
   * replaced while it is open. From then on everything that writes rejects with that error.
   * @param onKeys called at most once, before anything is read or changed, with the file for keys of this place, which
   * stays open until the storage is closed. What it rejects with ends the opening. A place that has no such file does
   * not call it; then nothing is encrypted.
   */
  open(
    visit: VisitEpisode,
    checkpoint?: CheckpointLoader,
    onDeleted?: (error: AgidbError) => void,
    onKeys?: (keys: KeyFile) => Promise<void>,
  ): Promise<OpenedStorage>
  /**
   * The place of another memory within this one, for `scope()`. Absent where there is room for one memory only.
   *
   * @param key 32 hexadecimal digits; the same key is the same place.
   */
  scope?(key: string): StorageAdapter
  /**
   * Whether recall is to search signatures by {@link SignatureStore.nearest}. Then the engine keeps those of texts in
   * main memory no more, but for what it has read last. Node, Bun, Deno and the edge heed it; a page does not. Default
   * false.
   */
  readonly searches?: boolean
}
