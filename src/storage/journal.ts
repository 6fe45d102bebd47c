import type { StorageEvent } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import { Window, type BlockFile } from './block-file.js'
import { entryChange, entryId, entryIsIntact, entrySignatures, readEntries, readEntry, type Entry } from './changes.js'
import { corrupt, decodeHeader, encodeFrame, encodeHeader, FRAME_HEADER_BYTES, HEADER_BYTES } from './frame.js'
import type { JournalHeader } from './frame.js'
import { pace } from './pace.js'
import type { Change, StoredEpisode } from './port.js'
import { READ_AHEAD_BYTES, readFrame, scan, startOf, type Cursor } from './scan.js'
import { SlotTable } from './slot-table.js'
import { cutTail, type KeepTail } from './tail.js'

/** The latest that a journal says of a live slot. */
interface Latest {
  readonly id: string
  readonly row: Uint8Array
}

/** Rows that are no further apart than this are read at once: it is what the signatures between two rows take. */
const GAP_BYTES = 4096

/** The header of a journal; `undefined` when the file is empty or its creation was cut short. See {@link decodeHeader}. */
export async function readHeader(file: BlockFile): Promise<JournalHeader | undefined> {
  const bytes = new Uint8Array(HEADER_BYTES)
  const read = await file.read(0, bytes)
  return decodeHeader(bytes.subarray(0, read), file.name)
}

/** Begins a journal anew: whatever is in the file is gone. */
export async function writeHeader(file: BlockFile, header: JournalHeader): Promise<void> {
  await file.truncate(0)
  await file.write(0, encodeHeader(header))
  await file.flush()
}

/**
 * The log-structured store of one database over a file: a header, then one frame a commit, only ever
 * appended. It holds no rows in memory, only where they are.
 */
export class Journal {
  private readonly table: SlotTable
  private last: Cursor
  private failure: unknown

  private constructor(
    private readonly file: BlockFile,
    readonly header: JournalHeader,
  ) {
    this.table = new SlotTable(header.nextSlot)
    this.last = startOf(header)
  }

  /**
   * Scans a file that has this header. A tail that cannot be read is handed to `keep`, cut off, and reported to `report`.
   * Throws `AGIDB_CORRUPT`, with the file as it was.
   */
  static async open(
    file: BlockFile,
    header: JournalHeader,
    keep: KeepTail,
    report: (event: StorageEvent) => void,
  ): Promise<Journal> {
    const journal = new Journal(file, header)
    const extent = await scan(file, header, ({ at, bytes }) => journal.enter(bytes, at))
    journal.last = { lsn: extent.lsn, at: extent.end }
    if (extent.end < extent.size) await cutTail(file, extent, keep, report)
    return journal
  }

  /**
   * Begins a journal anew: whatever is in the file is gone. Until `finish` its header says that it is not done, so that
   * a crash leaves nothing that looks like a journal.
   */
  static async begin(file: BlockFile, header: JournalHeader): Promise<Journal> {
    await writeHeader(file, { ...header, unfinished: true })
    return new Journal(file, header)
  }

  /** Says that all is in it that it was begun with. */
  async finish(): Promise<void> {
    await this.file.write(0, encodeHeader(this.header))
    await this.file.flush()
  }

  get nextSlot(): number {
    return this.table.nextSlot
  }

  /** The place after the last commit. */
  get end(): Cursor {
    return this.last
  }

  /** Length of the file in bytes. */
  get bytes(): number {
    return this.last.at
  }

  /** Visits the live episodes in ascending order of slot. */
  async visit(visit: (episode: StoredEpisode) => void): Promise<void> {
    const puts = new Window(this.file, this.bytes, READ_AHEAD_BYTES)
    const updates = new Window(this.file, this.bytes, 0)
    const rest = pace()
    for (let slot = 0; slot < this.table.nextSlot; slot++) {
      if (!this.table.isLive(slot)) continue
      await rest()
      const at = this.table.putAt(slot)
      const bytes = await puts.bytes(at, this.table.putBytes(slot))
      const put = readEntry(bytes, 0)
      const rowAt = this.table.rowAt(slot)
      const latest = rowAt === at ? bytes : await updates.bytes(rowAt, this.table.rowSpan(slot))
      const row = rowOf(latest, readEntry(latest, 0, true))
      visit({ slot, id: entryId(bytes, put), row, ...entrySignatures(bytes, put) })
    }
  }

  /**
   * Appends one commit: one write, one flush. If either fails the file is put back; if that fails
   * too, the journal takes no more commits until it is opened again.
   */
  async append(changes: readonly Change[]): Promise<void> {
    if (this.failure !== undefined) {
      const message = `${this.file.name} could not be put back after a failed commit: close the database and open it again`
      throw new AgidbError('AGIDB_STORAGE', message, { file: this.file.name }, { cause: this.failure })
    }
    if (changes.length === 0) return
    this.check(changes)
    const { lsn, at } = this.last
    const { bytes, entries } = encodeFrame(this.header, lsn + 1, changes)
    try {
      await this.file.write(at, bytes)
      await this.file.flush()
    } catch (error) {
      await this.putBack(at)
      throw error
    }
    for (const entry of entries) this.apply(entry, at)
    this.last = { lsn: lsn + 1, at: at + bytes.length }
  }

  /** The rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT` where a row is no longer what was written. */
  async rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return (await this.latest(slots)).map((latest) => latest?.row)
  }

  /** The ids and rows of live slots, in the order asked for. Throws `AGIDB_CORRUPT`, as `rows` does. */
  async latest(slots: readonly number[]): Promise<(Latest | undefined)[]> {
    const found = new Array<Latest | undefined>(slots.length).fill(undefined)
    const wanted = slots.map((slot, index) => ({ slot, index, at: this.table.rowAt(slot), span: this.table.rowSpan(slot) }))
    const live = wanted.filter(({ slot }) => this.table.isLive(slot)).sort((a, b) => a.at - b.at)
    // What lies close together is read at once: a call to the file may cost more than what lies between.
    const window = new Window(this.file, this.bytes, 0)
    for (let first = 0; first < live.length; ) {
      const start = live[first].at
      let end = start
      let next = first
      for (; next < live.length; next++) {
        const { at, span } = live[next]
        if (next > first && (at > end + GAP_BYTES || at + span > start + READ_AHEAD_BYTES)) break
        end = Math.max(end, at + span)
      }
      const bytes = await window.bytes(start, end - start)
      for (const { slot, index, at, span } of live.slice(first, next)) {
        found[index] = this.decode(bytes.subarray(at - start, at - start + span), slot, at, span)
      }
      first = next
    }
    return found
  }

  /** Whether a slot had an episode that is no more. */
  isRemoved(slot: number): boolean {
    return this.table.isRemoved(slot)
  }

  /** The live slots from `from` to `end`, exclusive, ascending. */
  liveSlots(from: number, end: number): number[] {
    const slots: number[] = []
    for (let slot = from; slot < end; slot++) if (this.table.isLive(slot)) slots.push(slot)
    return slots
  }

  /** Whether a frame, or the end, stands where this cursor points, with the right sequence number. */
  async has(cursor: Cursor): Promise<boolean> {
    if (cursor.at === this.last.at) return cursor.lsn === this.last.lsn
    if (cursor.at < HEADER_BYTES || cursor.at > this.last.at) return false
    const frame = await readFrame(new Window(this.file, this.bytes, 0), this.header, cursor.at, this.last.at)
    return frame?.lsn === cursor.lsn + 1
  }

  /** The place before the first frame. */
  get start(): Cursor {
    return startOf(this.header)
  }

  /**
   * The changes of whole commits from a cursor on, at least `count` changes where there are so many,
   * and the cursor after them.
   */
  async changesFrom(cursor: Cursor, count: number): Promise<{ changes: Change[]; next: Cursor }> {
    const { at: end } = this.last
    const changes: Change[] = []
    let next = cursor
    while (next.at < end && changes.length < count) {
      // Each frame has a buffer of its own, because the changes are views of it.
      const frame = await readFrame(new Window(this.file, this.bytes, 0), this.header, next.at, end)
      if (!frame) throw corrupt(this.file.name, next.at, 'the frame there can no longer be read')
      for (const entry of readEntries(frame.bytes, FRAME_HEADER_BYTES)) changes.push(entryChange(frame.bytes, entry))
      next = { lsn: frame.lsn, at: next.at + frame.bytes.length }
    }
    return { changes, next }
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
  private enter(bytes: Uint8Array, at: number): void {
    for (const entry of readEntries(bytes, FRAME_HEADER_BYTES)) {
      const fits = entry.op === 'put' ? this.table.isFree(entry.slot) : this.table.isLive(entry.slot)
      if (!fits) throw corrupt(this.file.name, at + entry.at, `${entry.op} of slot ${entry.slot} does not fit what is before it`)
      this.apply(entry, at)
    }
  }

  private apply({ op, slot, at, signaturesAt, end }: Entry, frameAt: number): void {
    if (op === 'put') this.table.put(slot, frameAt + at, signaturesAt - at, end - at)
    else if (op === 'update') this.table.update(slot, frameAt + at, signaturesAt - at)
    else this.table.remove(slot)
  }

  /** Refuses a commit that could not be read again. */
  private check(changes: readonly Change[]): void {
    const put = new Set<number>()
    const removed = new Set<number>()
    let { nextSlot } = this.table
    for (const { op, slot } of changes) {
      const live = (this.table.isLive(slot) || put.has(slot)) && !removed.has(slot)
      const fits = op === 'put' ? this.table.isFree(slot, nextSlot) && !put.has(slot) : live
      if (!fits) {
        const state = live ? 'taken' : 'not live, or may not be used'
        throw new AgidbError('AGIDB_INTERNAL', `a commit has a ${op} of slot ${slot}, which is ${state}`, { op, slot })
      }
      if (op === 'put') {
        put.add(slot)
        nextSlot = Math.max(nextSlot, slot + 1)
      }
      if (op === 'remove') removed.add(slot)
    }
  }

  private async putBack(end: number): Promise<void> {
    try {
      await this.file.truncate(end)
      await this.file.flush()
    } catch (failure) {
      this.failure = failure
    }
  }
}

function rowOf(bytes: Uint8Array, entry: Entry): Uint8Array {
  return bytes.subarray(entry.rowAt, entry.signaturesAt)
}
