import { decodeRow, isEpisode } from '../records/episode.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Change, CheckpointLoader, StoredEpisode, StoredCheckpoint } from '../storage/port.js'

/** Makes the indexes from what the storage hands over when it is opened. */
export class Restorer implements CheckpointLoader {
  readonly #make: () => Indexes
  readonly #lateFrom: number | undefined
  #indexes: Indexes
  #records: StoredRecord[] = []
  #encoded = 0
  #followed = 0
  #damage: unknown

  /** @param lateFrom see `Indexes.load`. */
  constructor(make: () => Indexes, lateFrom?: number) {
    this.#make = make
    this.#lateFrom = lateFrom
    this.#indexes = make()
  }

  get indexes(): Indexes {
    return this.#indexes
  }

  /** What belongs to other floors, in ascending order of slot. */
  get records(): readonly StoredRecord[] {
    return this.#records
  }

  /** Episodes whose signatures were made again. */
  get encoded(): number {
    return this.#encoded
  }

  /** Changes that an image lacks that is kept now. */
  get followed(): number {
    return this.#followed
  }

  /** Why an image could not be used. */
  get damage(): unknown {
    return this.#damage
  }

  visit(stored: StoredEpisode): void {
    this.#followed++
    if (isEpisode(stored.row)) this.#put(stored)
    else this.#records.push(copied(stored))
  }

  load(image: StoredCheckpoint): Promise<boolean> {
    return this.#indexes.load(image, this.#lateFrom)
  }

  reset(error: unknown): void {
    this.#damage = error
    this.free()
    this.#indexes = this.#make()
    this.#records = []
    this.#encoded = 0
    this.#followed = 0
  }

  change(change: Change, row: Uint8Array | undefined): void {
    this.#followed++
    const { op, slot } = change
    const { catalog, sentences } = this.#indexes
    if (op === 'put') {
      if (isEpisode(change.row)) this.#put(change)
    } else if (!catalog.has(slot)) {
      return // of another floor: these are visited, as they are now
    } else if (op === 'update') {
      catalog.supersede(slot, decodeRow(change.row))
    } else if (op === 'sign') {
      if (change.signatures.sentence !== undefined) sentences?.add(slot, change.signatures.sentence)
    } else if (row !== undefined) {
      this.#indexes.remove(slot, decodeRow(row))
    }
  }

  has(slot: number): boolean {
    return this.#indexes.catalog.has(slot)
  }

  free(): void {
    this.#indexes.free()
  }

  #put(stored: Pick<StoredEpisode, 'slot' | 'row' | 'signatures' | 'encoder'>): void {
    if (this.#indexes.restore(stored.slot, decodeRow(stored.row), stored)) this.#encoded++
  }
}

/** Views of the storage are valid only while it is visited. */
function copied({ slot, id, row, signatures: { text } }: StoredEpisode): StoredRecord {
  return { slot, id, row: row.slice(), signature: text?.slice() }
}
