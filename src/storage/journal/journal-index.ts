// The index of a journal in memory: docs/format.md, "Frame".
import { AgidbError } from '../../base/errors.js'
import { pace } from '../../base/pace.js'
import {
  entryId,
  entryIsIntact,
  entryKinds,
  entrySignatures,
  readEntries,
  readEntry,
  mergeSignatures,
  signaturesAreIntact,
  type Entry,
} from './changes.js'
import type { BlockFile } from '../block/block-file.js'
import { corrupt, FRAME_HEADER_BYTES } from './frame.js'
import { ownCopy } from '../mirror/own-copy.js'
import { PIECES_BYTES, readPieces, type Piece } from './pieces.js'
import type { StoredEpisode } from '../../api/storage.js'
import { SignatureReader, type VisitPacked } from './signature-reader.js'
import { SlotTable } from './slot-table.js'

/** Episodes that are read at a time where all are. */
const PAGE = 256

/** The latest that a journal says of a live slot. */
interface Latest {
  readonly id: string
  readonly row: Uint8Array
}

/** A live slot and where its entries lie: `row` is `put` where it has no later one. */
interface Located {
  readonly slot: number
  readonly put: Piece
  row: Piece
  readonly signs: readonly Piece[]
}

/**
 * Where the entries that count lie in a journal, by slot, and how they are read. It holds no rows in memory, only their
 * positions.
 */
export class JournalIndex {
  /** The positions, and which slots are live. */
  readonly table: SlotTable
  private readonly signed: SignatureReader

  /** @param nextSlot of the header of the journal in this file. */
  constructor(
    private readonly file: BlockFile,
    nextSlot: number,
  ) {
    this.table = new SlotTable(nextSlot)
    this.signed = new SignatureReader(file)
  }

  get nextSlot(): number {
    return this.table.nextSlot
  }

  /** Bytes of main memory. */
  get memoryBytes(): number {
    return this.table.memoryBytes
  }

  /** Whether a slot has an episode. */
  isLive(slot: number): boolean {
    return this.table.isLive(slot)
  }

  /** Whether a slot had an episode that is no more. */
  isRemoved(slot: number): boolean {
    return this.table.isRemoved(slot)
  }

  /** Whether an episode may be put into a slot: no slot is used twice. */
  isFree(slot: number): boolean {
    return this.table.isFree(slot)
  }

  /** The live slots from `from` to `end`, exclusive, ascending. */
  liveSlots(from: number, end: number): number[] {
    return this.table.liveSlots(from, end)
  }

  /**
   * Visits the live ones of `slots` in their order; by default all, ascending. Reads the entries that count, once, and
   * visits an episode only after their checksums matched, so that no damaged signature is copied.
   *
   * @param damaged called with what cannot be read, instead of throwing
   * @throws AgidbError `AGIDB_CORRUPT`
   */
  async visit(
    visit: (episode: StoredEpisode) => void,
    slots: readonly number[] = this.liveSlots(0, this.nextSlot),
    damaged: (slot: number, error: AgidbError) => void = (_, error) => {
      throw error
    },
  ): Promise<void> {
    const rest = pace()
    for (const batch of this.batches(slots)) {
      const entries = new Map<number, Uint8Array>()
      for await (const found of readPieces(
        this.file,
        batch.flatMap(({ put, row, signs }) => [put, row, ...signs]),
      )) {
        await rest()
        for (const [{ at }, bytes] of found) entries.set(at, bytes)
      }
      for (const located of batch) {
        await rest()
        let episode: StoredEpisode
        try {
          episode = this.episode(located, entries)
        } catch (error) {
          if (!(error instanceof AgidbError)) throw error
          damaged(located.slot, error)
          continue
        }
        visit(episode)
      }
    }
  }

  /**
   * Visits the signatures of the live ones of `slots`, ascending, and reads nothing else of them. Throws
   * `AGIDB_CORRUPT`.
   */
  signatures(visit: VisitPacked, slots: ArrayLike<number>): Promise<void> {
    const live = Uint32Array.from(slots)
      .sort()
      .filter((slot) => this.table.isLive(slot))
    return this.signed.read(
      Array.from(live, (slot) => ({ slot, put: this.table.putOf(slot), signs: this.table.signsOf(slot) })),
      visit,
    )
  }

  /** The live ones of `slots`, in their order, in arrays of the caller's. Throws `AGIDB_CORRUPT`, as `visit` does. */
  async read(slots: readonly number[]): Promise<StoredEpisode[]> {
    const found: StoredEpisode[] = []
    await this.visit((episode) => found.push(ownCopy(episode)), slots)
    return found
  }

  /** What `read` answers, some at a time. */
  async *pages(slots: readonly number[]): AsyncGenerator<StoredEpisode[]> {
    for (let at = 0; at < slots.length; at += PAGE) yield await this.read(slots.slice(at, at + PAGE))
  }

  /**
   * The rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT` where a row is no longer what was written.
   */
  async rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return (await this.latest(slots)).map((latest) => latest?.row)
  }

  /** The last row that a removed slot had. Throws `AGIDB_CORRUPT`. */
  async lastRow(slot: number): Promise<Uint8Array> {
    const piece = this.table.rowOf(slot)
    const bytes = new Uint8Array(piece.bytes)
    return this.decode(bytes.subarray(0, await this.file.read(piece.at, bytes)), slot, piece).row
  }

  /** The ids and rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT`, as `rows` does. */
  async latest(slots: readonly number[]): Promise<(Latest | undefined)[]> {
    const found = new Array<Latest | undefined>(slots.length).fill(undefined)
    const wanted = slots.map((slot, index) => ({ slot, index, ...this.table.rowOf(slot) }))
    const live = wanted.filter(({ slot }) => this.table.isLive(slot))
    for await (const rows of readPieces(this.file, live)) {
      for (const [piece, bytes] of rows) found[piece.index] = this.decode(bytes, piece.slot, piece)
    }
    return found
  }

  /** Live slots whose entries can be read together, and where these lie: whatever is committed while they are read. */
  private *batches(slots: readonly number[]): Generator<Located[]> {
    for (let next = 0; next < slots.length; ) {
      const batch: Located[] = []
      for (let bytes = 0; next < slots.length && bytes < PIECES_BYTES; next++) {
        const slot = slots[next]
        if (!this.table.isLive(slot)) continue
        const located = {
          slot,
          put: this.table.putOf(slot),
          row: this.table.rowOf(slot),
          signs: this.table.signsOf(slot),
        }
        if (located.row.at === located.put.at) located.row = located.put
        bytes +=
          located.put.bytes +
          located.signs.reduce((sum, { bytes }) => sum + bytes, located.row === located.put ? 0 : located.row.bytes)
        batch.push(located)
      }
      yield batch
    }
  }

  /** A live episode, out of the entries at these positions. */
  private episode({ slot, put: piece, row, signs }: Located, entries: ReadonlyMap<number, Uint8Array>): StoredEpisode {
    const bytes = entries.get(piece.at)!
    const put = this.entry(bytes, slot, piece)
    const latest = entries.get(row.at)!
    const last = row === piece ? put : this.entry(latest, slot, row, true)
    let signed = entrySignatures(bytes, put)
    for (const sign of signs) {
      const bytes = entries.get(sign.at)!
      signed = mergeSignatures(signed, entrySignatures(bytes, this.entry(bytes, slot, sign)))
    }
    // The id of the newest row: encrypted rows get another one when they are first encrypted.
    return { slot, id: entryId(latest, last), row: rowOf(latest, last), ...signed }
  }

  /** A copy of what an entry of a live slot says. */
  private decode(bytes: Uint8Array, slot: number, piece: Piece): Latest {
    const entry = this.entry(bytes, slot, piece, true)
    return { id: entryId(bytes, entry), row: rowOf(bytes, entry).slice() }
  }

  /**
   * The entry of a slot that fills a piece of the file, checked; with `partial` the piece ends after the row. Throws
   * `AGIDB_CORRUPT`.
   */
  private entry(bytes: Uint8Array, slot: number, { at, bytes: span }: Piece, partial = false): Entry {
    const changed = (what: string, cause?: unknown): AgidbError =>
      corrupt(this.file.name, at, `${what} no longer what was written in slot ${slot}`, cause)
    let entry: Entry
    try {
      entry = readEntry(bytes, 0, partial)
    } catch (cause) {
      throw changed('the row there is', cause)
    }
    if (entry.slot !== slot || entry.end !== span || !entryIsIntact(bytes, entry)) throw changed('the row there is')
    if (!partial && signaturesAreIntact(bytes, entry) === false) throw changed('the signatures there are')
    return entry
  }

  /**
   * Takes in the entries of a scanned frame. One that does not fit its slot is passed to `misfit`, or throws
   * `AGIDB_CORRUPT` where that is absent.
   */
  enter(bytes: Uint8Array, at: number, misfit?: () => void): void {
    for (const entry of readEntries(bytes, FRAME_HEADER_BYTES)) {
      const fits = entry.op === 'put' ? this.table.isFree(entry.slot) : this.table.isLive(entry.slot)
      if (fits) this.apply(bytes, entry, at)
      else if (misfit) misfit()
      else
        throw corrupt(this.file.name, at + entry.at, `${entry.op} of slot ${entry.slot} does not fit what is before it`)
    }
  }

  /** Takes in an entry of the frame at `frameAt`. */
  apply(bytes: Uint8Array, entry: Entry, frameAt: number): void {
    const { op, slot, at, signaturesAt, end } = entry
    if (op === 'put') this.put(slot, frameAt + at, signaturesAt - at, end - at)
    else if (op === 'update') this.table.update(slot, frameAt + at, signaturesAt - at)
    else if (op === 'setSignatures') this.table.setSignatures(slot, entryKinds(bytes, entry), frameAt + at, end - at)
    else this.table.remove(slot)
  }

  private put(slot: number, at: number, span: number, bytes: number): void {
    try {
      this.table.put(slot, at, span, bytes)
    } catch (cause) {
      // A header that is damaged, and has a right checksum all the same, can name any slot as the next.
      throw cause instanceof RangeError
        ? corrupt(this.file.name, at, `there is no room for a table of ${slot} slots`, cause)
        : cause
    }
  }
}

function rowOf(bytes: Uint8Array, entry: Entry): Uint8Array {
  return bytes.subarray(entry.rowAt, entry.signaturesAt)
}
