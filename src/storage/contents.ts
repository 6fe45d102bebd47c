import { pace } from '../core/pace.js'
import { entryId, entryIsIntact, entryKinds, entrySignatures, readEntries, readEntry, resign, type Entry } from './changes.js'
import type { BlockFile } from './block-file.js'
import { corrupt, FRAME_HEADER_BYTES } from './frame.js'
import { ownSignatures } from './own-copy.js'
import { PIECES_BYTES, readPieces, type Piece } from './pieces.js'
import type { StoredEpisode } from './port.js'
import { SignatureReader, type VisitPacked } from './signatures.js'
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

/** What the frames of a journal say in the end: where the entries of each slot lie, and how they are read. It holds no rows in memory, only where they are. */
export abstract class Contents {
  protected readonly table: SlotTable
  private readonly signed: SignatureReader

  /** @param nextSlot of the header of the journal in this file. */
  protected constructor(
    protected readonly file: BlockFile,
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

  /** Visits the live ones of `slots` in their order; by default all, ascending. Reads the entries that count, once. */
  async visit(visit: (episode: StoredEpisode) => void, slots: readonly number[] = this.liveSlots(0, this.nextSlot)): Promise<void> {
    const rest = pace()
    for (const batch of this.batches(slots)) {
      const entries = new Map<number, Uint8Array>()
      for await (const found of readPieces(this.file, batch.flatMap(({ put, row, signs }) => [put, row, ...signs]))) {
        await rest()
        for (const [{ at }, bytes] of found) entries.set(at, bytes)
      }
      for (const located of batch) {
        await rest()
        visit(this.episode(located, entries))
      }
    }
  }

  /** Visits the signatures of the live ones of `slots`, ascending, and reads nothing else of them. Throws `AGIDB_CORRUPT`. */
  signatures(visit: VisitPacked, slots: ArrayLike<number>): Promise<void> {
    const live = Uint32Array.from(slots).sort().filter((slot) => this.table.isLive(slot))
    return this.signed.read(Array.from(live, (slot) => ({ slot, put: this.table.putOf(slot), signs: this.table.signsOf(slot) })), visit)
  }

  /** The live ones of `slots`, in their order, in arrays of the caller's. Throws `AGIDB_CORRUPT`, as `rows` does. */
  async read(slots: readonly number[]): Promise<StoredEpisode[]> {
    const found: StoredEpisode[] = []
    await this.visit((episode) => found.push(episode), slots)
    // What `visit` hands over are views of longer pieces, and only here is a row checked.
    const latest = await this.latest(found.map(({ slot }) => slot))
    return found.map((episode, i) => ({ ...episode, row: latest[i]!.row, signatures: ownSignatures(episode.signatures) }))
  }

  /** What `read` answers, some at a time. */
  async *pages(slots: readonly number[]): AsyncGenerator<StoredEpisode[]> {
    for (let at = 0; at < slots.length; at += PAGE) yield await this.read(slots.slice(at, at + PAGE))
  }

  /** The rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT` where a row is no longer what was written. */
  async rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return (await this.latest(slots)).map((latest) => latest?.row)
  }

  /** The last row that a removed slot had. Throws `AGIDB_CORRUPT`. */
  async lastRow(slot: number): Promise<Uint8Array> {
    const { at, bytes: span } = this.table.rowOf(slot)
    const bytes = new Uint8Array(span)
    return this.decode(bytes.subarray(0, await this.file.read(at, bytes)), slot, at, span).row
  }

  /** The ids and rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT`, as `rows` does. */
  async latest(slots: readonly number[]): Promise<(Latest | undefined)[]> {
    const found = new Array<Latest | undefined>(slots.length).fill(undefined)
    const wanted = slots.map((slot, index) => ({ slot, index, ...this.table.rowOf(slot) }))
    const live = wanted.filter(({ slot }) => this.table.isLive(slot))
    for await (const rows of readPieces(this.file, live)) {
      for (const [{ slot, index, at, bytes: span }, bytes] of rows) found[index] = this.decode(bytes, slot, at, span)
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
        const located = { slot, put: this.table.putOf(slot), row: this.table.rowOf(slot), signs: this.table.signsOf(slot) }
        if (located.row.at === located.put.at) located.row = located.put
        bytes += located.put.bytes + located.signs.reduce((sum, { bytes }) => sum + bytes, located.row === located.put ? 0 : located.row.bytes)
        batch.push(located)
      }
      yield batch
    }
  }

  /** A live episode, out of the entries at these positions. */
  private episode({ slot, put: { at }, row, signs }: Located, entries: ReadonlyMap<number, Uint8Array>): StoredEpisode {
    const bytes = entries.get(at)!
    const put = readEntry(bytes, 0)
    const latest = entries.get(row.at)!
    let signed = entrySignatures(bytes, put)
    for (const { at } of signs) {
      const sign = entries.get(at)!
      signed = resign(signed, entrySignatures(sign, readEntry(sign, 0)))
    }
    return { slot, id: entryId(bytes, put), row: rowOf(latest, readEntry(latest, 0, true)), ...signed }
  }

  /** A copy of what an entry of a live slot says. */
  private decode(bytes: Uint8Array, slot: number, at: number, span: number): Latest {
    const entry = bytes.length === span ? readEntry(bytes, 0, true) : undefined
    if (!entry || entry.slot !== slot || !entryIsIntact(bytes, entry)) {
      throw corrupt(this.file.name, at, `the row of slot ${slot} is no longer what was written`)
    }
    return { id: entryId(bytes, entry), row: rowOf(bytes, entry).slice() }
  }

  /** Takes the entries of a scanned frame into the table. */
  protected enter(bytes: Uint8Array, at: number, misfit?: () => void): void {
    for (const entry of readEntries(bytes, FRAME_HEADER_BYTES)) {
      const fits = entry.op === 'put' ? this.table.isFree(entry.slot) : this.table.isLive(entry.slot)
      if (fits) this.apply(bytes, entry, at)
      else if (misfit) misfit()
      else throw corrupt(this.file.name, at + entry.at, `${entry.op} of slot ${entry.slot} does not fit what is before it`)
    }
  }

  protected apply(bytes: Uint8Array, entry: Entry, frameAt: number): void {
    const { op, slot, at, signaturesAt, end } = entry
    if (op === 'put') this.put(slot, frameAt + at, signaturesAt - at, end - at)
    else if (op === 'update') this.table.update(slot, frameAt + at, signaturesAt - at)
    else if (op === 'sign') this.table.sign(slot, entryKinds(bytes, entry), frameAt + at, end - at)
    else this.table.remove(slot)
  }

  private put(slot: number, at: number, span: number, bytes: number): void {
    try {
      this.table.put(slot, at, span, bytes)
    } catch (cause) {
      // A header that is damaged, and has a right checksum all the same, can name any slot as the next.
      throw cause instanceof RangeError ? corrupt(this.file.name, at, `there is no room for a table of ${slot} slots`, cause) : cause
    }
  }
}

function rowOf(bytes: Uint8Array, entry: Entry): Uint8Array {
  return bytes.subarray(entry.rowAt, entry.signaturesAt)
}
