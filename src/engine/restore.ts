import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import { tombstoneKind } from '../records/kinds/tombstone.js'
import type { RecordKinds } from '../records/record-kind.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { Indexes } from '../indexes/indexes.js'
import type { StorageChange, CheckpointLoader, StoredEpisode, StoredCheckpoint } from '../api/storage.js'

/** Makes the indexes from what the storage replays at opening, and keeps the other records for their owners. */
export class Restorer implements CheckpointLoader {
  readonly #make: () => Indexes
  readonly #kinds: RecordKinds
  readonly #lateFrom: number | undefined
  #indexes: Indexes
  #records: StoredRecord[] = []
  #encoded = 0
  #followed = 0
  #damage: unknown

  /** @param lateFrom see `Indexes.load`. */
  constructor(make: () => Indexes, kinds: RecordKinds, lateFrom?: number) {
    this.#make = make
    this.#kinds = kinds
    this.#lateFrom = lateFrom
    this.#indexes = make()
  }

  get indexes(): Indexes {
    return this.#indexes
  }

  /** The records that are no episodes, in ascending order of slot. */
  get records(): readonly StoredRecord[] {
    return this.#records
  }

  /** Episodes whose signatures were made again. */
  get encoded(): number {
    return this.#encoded
  }

  /** Rows visited so far: those after the checkpoint, or all where none was loaded. */
  get followed(): number {
    return this.#followed
  }

  /** Why a checkpoint could not be used. */
  get damage(): unknown {
    return this.#damage
  }

  visit(stored: StoredEpisode): void {
    this.#followed++
    if (this.#isEpisode(stored.row)) this.#put(stored)
    else this.#records.push(this.#copied(stored))
  }

  load(checkpoint: StoredCheckpoint): Promise<boolean> {
    return this.#indexes.load(checkpoint, this.#lateFrom)
  }

  reset(error: unknown): void {
    this.#damage = error
    this.release()
    this.#indexes = this.#make()
    this.#records = []
    this.#encoded = 0
    this.#followed = 0
  }

  change(change: StorageChange, row: Uint8Array | undefined): void {
    this.#followed++
    const { op, slot } = change
    const { catalog } = this.#indexes
    if (op === 'put') {
      if (this.#isEpisode(change.row)) this.#put(change)
    } else if (!catalog.has(slot)) {
      return // no episode: such records are visited, as they are now
    } else if (op === 'update' && this.#kinds.find(change.row) === tombstoneKind) {
      // It is visited as what it is now.
      this.#indexes.remove(slot, decodeEpisode(tombstoneKind.decode(change.row).row))
    } else if (op === 'update') {
      this.#indexes.update(slot, decodeEpisode(change.row))
    } else if (op === 'setSignatures') {
      this.#indexes.setSignatures(slot, change.signatures)
    } else if (row !== undefined) {
      this.#indexes.remove(slot, decodeEpisode(row))
    }
  }

  has(slot: number): boolean {
    return this.#indexes.catalog.has(slot)
  }

  /** Gives the memory back that it takes. */
  release(): void {
    this.#indexes.free()
  }

  #isEpisode(row: Uint8Array): boolean {
    return this.#kinds.find(row) === episodeKind
  }

  /** Views of the storage are valid only while it is visited. */
  #copied({ slot, id, row, signatures: { text } }: StoredEpisode): StoredRecord {
    const read = this.#kinds.find(row)?.about?.(row) ?? row
    return { slot, id, row: read.slice(), signature: text?.slice() }
  }

  #put(stored: Pick<StoredEpisode, 'slot' | 'row' | 'signatures' | 'encoder'>): void {
    if (this.#indexes.restore(stored.slot, decodeEpisode(stored.row), stored)) this.#encoded++
  }
}
