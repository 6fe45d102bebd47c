import { erase } from '../recovery/erase.js'
import { HEADER_BYTES, SEALED_VERSION, type JournalHeader } from './frame.js'
import type { BlockFile } from '../block/block-file.js'
import { Journal } from './journal.js'
import { writeHeader } from './journal-header.js'
import { ownCopy } from '../mirror/own-copy.js'
import type { StorageChange } from '../../api/storage.js'
import type { Cursor } from './scan.js'

/** Episodes in one frame. */
const ROWS_PER_BATCH = 256
/** Commits that are left for the end, while nothing is written. */
const REST = 16

/**
 * A journal on its way into another file: all that is live, and nothing of what was replaced or removed. Commits go on
 * meanwhile; those that come after the beginning are followed, so that only the last few must wait for the end.
 *
 * An episode is copied as it is when its turn comes, which may be later than a change that is followed after it.
 * Following comes to the end of the journal all the same, and so to the same state.
 */
export class Compaction {
  readonly #from: Journal
  readonly #into: Journal
  /** What was live at the beginning. */
  readonly #slots: readonly number[]
  readonly #since: number
  #copied = Infinity
  #followed: Cursor
  /** Where the new journal has come to with each commit of the old one, from the last one before the beginning on. */
  readonly #places: Cursor[] = []

  private constructor(from: Journal, into: Journal) {
    this.#from = from
    this.#into = into
    this.#slots = from.liveSlots(0, from.nextSlot)
    this.#followed = from.end
    this.#since = from.end.lsn
  }

  /** Begins in a file whose content is not needed. */
  static async begin(from: Journal, file: BlockFile): Promise<Compaction> {
    await erase(file, HEADER_BYTES)
    // No commit may come between the header, which says what has been used up, and the list of what is live.
    const { databaseId, createdAt, epoch } = from.header
    const header = { version: SEALED_VERSION, databaseId, createdAt, epoch: epoch + 1, compacted: true, checked: true }
    const start = { nextSlot: from.nextSlot, baseLsn: from.end.lsn }
    const compaction = new Compaction(from, Journal.empty(file, { ...header, ...start }))
    await writeHeader(file, { ...header, ...start })
    return compaction
  }

  /**
   * Copies what was live at the beginning, then what has come since, but for a few. `stopped` ends it early. A row is
   * copied only after its checksum matched, and its signatures after theirs did; in journals of earlier versions these
   * have none, so the frames that they are in are checked first.
   *
   * @throws AgidbError `AGIDB_CORRUPT`
   */
  async copy(stopped: () => boolean): Promise<void> {
    if (!this.#from.header.checked) await this.#from.expectIntact(this.#followed, stopped)
    for (let at = 0; at < this.#slots.length && !stopped(); at += ROWS_PER_BATCH) {
      const page: StorageChange[] = []
      await this.#from.visit(
        (episode) => page.push({ op: 'put', ...ownCopy(episode) }),
        this.#slots.slice(at, at + ROWS_PER_BATCH),
      )
      await this.#into.build(page)
    }
    this.#copied = this.#from.end.lsn
    this.#places.push(this.#into.end)
    while (this.#from.end.lsn - this.#followed.lsn > REST && !stopped()) await this.#follow()
  }

  /** The last commit of the old journal at the beginning. */
  get since(): number {
    return this.#since
  }

  /** The last commit of the old journal when the last of what was live at the beginning was copied. */
  get copied(): number {
    return this.#copied
  }

  /**
   * The place in the new journal at which all is in it that the old one had after a commit. Known from {@link copied}
   * on: what a commit before removed before its turn came is not in the new journal, and neither is its removal.
   */
  placeOf(lsn: number): Cursor | undefined {
    return lsn < this.#copied ? undefined : this.#places[lsn - this.#since]
  }

  /** The rest, and the seal. Nothing may be committed meanwhile. Answers the journal that counts from now on. */
  async finish(): Promise<Journal> {
    while (this.#followed.at < this.#from.end.at) await this.#follow()
    await this.#into.finish(this.#followed.lsn)
    return this.#into
  }

  /** One commit, as one frame: so that numbers of commits never go back. */
  async #follow(): Promise<void> {
    const { changes, next } = await this.#from.changesFrom(this.#followed, 1)
    const gone = new Set<number>()
    const put = new Set<number>()
    const fitting = changes.filter(({ op, slot }) => {
      if (op === 'put') put.add(slot)
      const fits = put.has(slot) || (this.#into.isLive(slot) && !gone.has(slot))
      if (op === 'remove') {
        gone.add(slot)
        put.delete(slot)
      }
      // What was removed before its turn came was not copied, and has nothing to be changed.
      return fits
    })
    await this.#into.build(fitting)
    this.#places.push(this.#into.end)
    this.#followed = next
  }
}

/** Leaves of a journal that was moved to the other file no more than a header that says so. */
export async function retire(file: BlockFile, header: JournalHeader): Promise<void> {
  await erase(file, HEADER_BYTES)
  await vacate(file, header)
}

/**
 * The same of one whose bytes are kept elsewhere, at once: it may be damaged, and in the midst of being overwritten
 * nothing could be read of it any more.
 */
export async function vacate(
  file: BlockFile,
  { databaseId, createdAt, baseLsn, nextSlot, epoch }: JournalHeader,
): Promise<void> {
  await writeHeader(file, { version: SEALED_VERSION, databaseId, createdAt, baseLsn, nextSlot, epoch })
}
