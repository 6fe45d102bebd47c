// Rows of an export that are encrypted with the keys of the memory into which it comes, of which some may be gone.
import type { SealedRows, StoredEpisode } from '../api/storage.js'
import { AgidbError } from '../base/errors.js'
import type { RecordKinds } from '../records/record-kind.js'
import { episodeKind } from '../records/kinds/episode.js'
import type { ExportKeys } from '../transfer/export-keys.js'
import { countThrough } from '../transfer/export.js'
import { damaged } from '../transfer/header.js'
import { unsuperseded } from './export.js'
import { Remaining } from './remaining.js'

/** The rows of a sealed export that can be read, as they were before they were encrypted. */
export class UnsealedRows {
  readonly #keys: ExportKeys
  readonly #sealed: SealedRows
  readonly #kinds: RecordKinds
  readonly #isThere: ReadonlySet<number>
  /** Slots in the export of what is left out, ascending. */
  readonly #left: number[] = []

  /** @throws AgidbError `AGIDB_FOREIGN_FILE` where the memory has other keys. */
  constructor(keys: ExportKeys, sealed: SealedRows | undefined, kinds: RecordKinds) {
    if (sealed?.ring !== keys.ring) throw otherKeys(sealed !== undefined)
    this.#keys = keys
    this.#sealed = sealed
    this.#kinds = kinds
    this.#isThere = new Set(sealed.keys())
    // Other backups of what is replaced are to be readable as this one is.
    sealed.keepKeys()
  }

  /** Rows that were left out so far: keys of them are gone, or of what they tell of. */
  get forgotten(): number {
    return this.#left.length
  }

  /**
   * The rows, with slots without gaps.
   *
   * @throws AgidbError `AGIDB_CORRUPT`
   */
  async *read(rows: AsyncIterable<StoredEpisode>): AsyncGenerator<StoredEpisode> {
    const isPartial = !this.#areThere(this.#keys.numbers)
    const remaining = isPartial ? new Remaining(this.#kinds) : undefined
    for await (const stored of rows) {
      const row = this.#open(stored)
      if (row === undefined && !isPartial)
        throw damaged(`the keys of row ${stored.slot} are none of those that it says it has`, { row: stored.slot })
      const kept = row === undefined || remaining === undefined ? row : remaining.keep(this.#unsuperseded(row))
      if (kept === undefined) this.#left.push(stored.slot)
      else yield this.#left.length === 0 ? kept : this.#moved(kept)
    }
  }

  #open(stored: StoredEpisode): StoredEpisode | undefined {
    try {
      return this.#sealed.open(stored)
    } catch (cause) {
      throw damaged(`row ${stored.slot} does not decrypt with its keys`, { row: stored.slot }, cause)
    }
  }

  #areThere(numbers: readonly number[]): boolean {
    return numbers.every((number) => this.#isThere.has(number))
  }

  /** The episode itself where what supersedes it can be read. */
  #unsuperseded(stored: StoredEpisode): StoredEpisode {
    const keys = this.#keys.supersededBy.get(stored.slot)
    if (keys === undefined || this.#areThere(keys) || this.#kinds.find(stored.row) !== episodeKind) return stored
    return { ...stored, row: unsuperseded(stored.row) }
  }

  /** The row in the slot that it has without those that are left out before it. */
  #moved(stored: StoredEpisode): StoredEpisode {
    const slotOf = (slot: number) => slot - countThrough(this.#left, slot)
    const row = this.#kinds.find(stored.row)?.moved?.(stored.row, slotOf) ?? stored.row
    return { ...stored, row, slot: slotOf(stored.slot) }
  }
}

function otherKeys(isEncrypted: boolean): AgidbError {
  const why = isEncrypted ? 'it has the keys of another memory' : 'this memory is not encrypted'
  const message =
    `the export is sealed, and ${why}: import it into the memory that it was made of, or into a new one beside whose ` +
    'files lies the keys.agidb of that; nothing was imported'
  return new AgidbError('AGIDB_FOREIGN_FILE', message)
}
