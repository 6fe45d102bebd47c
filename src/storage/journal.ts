import type { StorageEvent } from '../core/agidb.js'
import { AgidbError } from '../core/errors.js'
import type { ImageParts } from '../core/image.js'
import { admit } from './admission.js'
import { Window, type BlockFile } from './block-file.js'
import { entryChange, entryId, entryIsIntact, entryKinds, entrySignatures, formatOf, readEntries, readEntry, resign, type Entry } from './changes.js'
import {
  corrupt, decodeHeader, encodeFrame, encodeHeader, encodeSeal, frameChecksum, FRAME_HEADER_BYTES, HEADER_BYTES, readFrameHeader,
  SEALED_HEADER_BYTES, SEALED_VERSION,
} from './frame.js'
import type { JournalHeader } from './frame.js'
import type { ImageBase, ImageFile } from './image-file.js'
import { pace } from './pace.js'
import { PIECES_BYTES, readPieces, type Piece } from './pieces.js'
import type { Change, Garbage, ImagePart, Signatures, StoredEpisode } from './port.js'
import { readFrame, scan, startOf, type Cursor } from './scan.js'
import { SignatureReader, type VisitPacked } from './signatures.js'
import { MAX_SLOTS, SlotTable } from './slot-table.js'
import { cutTail, type KeepTail } from './tail.js'
import { walk, type Damage } from './walk.js'

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

/** Something in a journal that cannot be read or makes no sense. */
export interface Unread extends Damage {
  readonly kind: 'damage' | 'tail' | 'gap' | 'misfit'
  /** How many are missing in a gap. */
  readonly commits?: number
}

/** What the parts of an image are called that say where everything lies. */
const TABLE = 'journal'

/** The header of a journal; `undefined` when the file is empty or its creation was cut short. See {@link decodeHeader}. */
export async function readHeader(file: BlockFile): Promise<JournalHeader | undefined> {
  const bytes = new Uint8Array(SEALED_HEADER_BYTES + 1)
  const head = bytes.subarray(0, await file.read(0, bytes))
  const isEmpty = head.length <= SEALED_HEADER_BYTES && head.subarray(HEADER_BYTES).every((byte) => byte === 0)
  if (!isEmpty) return decodeHeader(head.subarray(0, SEALED_HEADER_BYTES), file.name)
  // A crash of the machine may leave the length of a new file, and zeros in place of what was not written.
  const written = head.findLastIndex((byte) => byte !== 0) + 1
  try {
    return decodeHeader(head, file.name)
  } catch (error) {
    if (written < HEADER_BYTES) return decodeHeader(head.subarray(0, written), file.name)
    throw error
  }
}

/** Begins a journal anew: whatever is in the file is gone. */
export async function writeHeader(file: BlockFile, header: JournalHeader): Promise<void> {
  // Flushed in between, so that a crash never leaves the new header over the old frames, or a mixture of two headers.
  if ((await file.size()) > 0) {
    await file.truncate(0)
    await file.flush()
  }
  await file.write(0, encodeHeader(header))
  await file.flush()
}

/**
 * The log-structured store of one database over a file: a header, then one frame a commit, only ever
 * appended. It holds no rows in memory, only where they are.
 */
export class Journal {
  private readonly table: SlotTable
  private readonly signed: SignatureReader
  private last: Cursor
  /** Where the last frame begins, and its checksum. */
  private anchor = { at: 0, checksum: 0 }
  private failure: unknown
  /** The image of the indexes from which it was opened. */
  private opened: ImageFile | undefined

  private constructor(
    private readonly file: BlockFile,
    private stamped: JournalHeader,
  ) {
    this.table = new SlotTable(stamped.nextSlot)
    this.signed = new SignatureReader(file)
    this.last = startOf(stamped)
  }

  get header(): JournalHeader {
    return this.stamped
  }

  /**
   * Scans a file that has this header, from the end of what is in an image of it on. A tail that cannot be read is handed to
   * `keep`, cut off, and reported to `report`. Throws `AGIDB_CORRUPT`, with the file as it was.
   */
  static async open(
    file: BlockFile,
    header: JournalHeader,
    keep: KeepTail,
    report: (event: StorageEvent) => void,
    image?: ImageFile,
  ): Promise<Journal> {
    if (header.nextSlot > MAX_SLOTS) throw corrupt(file.name, 48, `${header.nextSlot} slots are more than there can be`)
    const journal = new Journal(file, header)
    if (image !== undefined) await journal.load(image)
    const extent = await scan(file, header, ({ at, bytes }) => journal.enter(bytes, at), journal.last)
    journal.last = { lsn: extent.lsn, at: extent.end }
    if (extent.end < extent.size) await cutTail(file, extent, keep, report)
    return journal
  }

  /**
   * Reads what can be read of a file that has this header, and changes nothing. `damaged` is told of the rest. The journal is for
   * reading only, as it was at the end.
   *
   * @param pass called with the journal as it was after each frame.
   */
  static async read(file: BlockFile, header: JournalHeader, damaged: (found: Unread) => void, pass: (journal: Journal) => void = () => {}): Promise<Journal> {
    const journal = new Journal(file, header)
    for await (const piece of walk(file, header)) {
      if (!('lsn' in piece)) {
        damaged({ ...piece, kind: piece.tail === undefined ? 'damage' : 'tail' })
        continue
      }
      const { at, bytes, lsn } = piece
      if (lsn !== journal.last.lsn + 1) damaged({ kind: 'gap', at, bytes: 0, commits: lsn - journal.last.lsn - 1 })
      try {
        journal.enter(bytes, at, () => damaged({ kind: 'misfit', at, bytes: bytes.length }))
      } catch {
        damaged({ kind: 'misfit', at, bytes: bytes.length })
      }
      journal.last = { lsn, at: at + bytes.length }
      pass(journal)
    }
    return journal
  }

  /**
   * Begins a journal anew, of version 3: whatever is in the file is gone. Until `finish` it has no seal, so that
   * a crash leaves nothing that counts as a journal.
   */
  static async begin(file: BlockFile, header: JournalHeader): Promise<Journal> {
    await writeHeader(file, header)
    return Journal.empty(file, header)
  }

  /** A journal whose header is yet to be written. */
  static empty(file: BlockFile, header: JournalHeader): Journal {
    return new Journal(file, header)
  }

  /** Appends a frame, even one without changes, to a journal that is not finished, without a flush. */
  async build(changes: readonly Change[]): Promise<void> {
    await this.write(changes, async () => {})
  }

  /** Says that all is in it that it was begun with, up to this commit of the journal before it. */
  async finish(of: number): Promise<void> {
    await this.file.flush()
    const seal = { ...this.last, of }
    await this.file.write(HEADER_BYTES, encodeSeal(this.header, seal))
    await this.file.flush()
    this.stamped = { ...this.header, seal }
  }

  get nextSlot(): number {
    return this.table.nextSlot
  }

  /** The image from which it was opened, if there was one that fits. */
  get image(): ImageFile | undefined {
    return this.opened
  }

  /** The parts of an image that say where everything lies. */
  imageParts(): ImageParts {
    const own: ImageParts = new Map()
    this.table.save(own, TABLE)
    return own
  }

  /** Whether the last frame is the one at which an image was made. */
  isAt({ databaseId, epoch, lsn, at, anchorAt, anchor }: ImageBase): boolean {
    const { header, last } = this
    return header.databaseId === databaseId && header.epoch === epoch && last.lsn === lsn && last.at === at && this.anchor.at === anchorAt && this.anchor.checksum === anchor
  }

  /** Keeps an image of the journal as it is now, and of what was made of it. */
  async keep(image: ImageFile, parts: Iterable<ImagePart>): Promise<void> {
    const own = this.imageParts()
    const { databaseId, epoch } = this.header
    const base: ImageBase = { databaseId, epoch, ...this.last, anchorAt: this.anchor.at, anchor: this.anchor.checksum }
    await image.keep(base, [...Array.from(own, ([name, array]) => ({ name, array: () => array })), ...parts])
  }

  /** The file that it is in. */
  get place(): BlockFile {
    return this.file
  }

  /** The place after the last commit. */
  get end(): Cursor {
    return this.last
  }

  /** Length of the file in bytes. */
  get bytes(): number {
    return this.last.at
  }

  /** Bytes of main memory. */
  get memoryBytes(): number {
    return this.table.memoryBytes
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
    return found.map((episode, i) => ({ ...episode, row: latest[i]!.row, signatures: copied(episode.signatures) }))
  }

  /**
   * A journal of the same database in another file, to take the place of this one with another content. It does not count before it is
   * finished; nothing follows from this one to it, so its commits have later numbers.
   */
  successor(file: BlockFile): Promise<Journal> {
    const { databaseId, createdAt, epoch } = this.header
    return Journal.begin(file, { version: SEALED_VERSION, databaseId, createdAt, nextSlot: 0, baseLsn: this.last.lsn + 1, epoch: epoch + 1 })
  }

  /**
   * Appends one commit: one write, one flush. The first that a reader of version 1 would not know raises the version in
   * the header before that. If either fails the file is put back; if that fails
   * too, the journal takes no more commits until it is opened again.
   */
  async append(changes: readonly Change[]): Promise<void> {
    if (this.failure !== undefined) {
      const message = `${this.file.name} could not be put back after a failed write: close the database and open it again`
      throw new AgidbError('AGIDB_STORAGE', message, { file: this.file.name }, { cause: this.failure })
    }
    if (changes.length > 0) await this.write(changes, () => this.file.flush())
  }

  private async write(changes: readonly Change[], flush: () => void | Promise<void>): Promise<void> {
    admit(changes, this.table)
    const { lsn, at } = this.last
    const { bytes, entries } = encodeFrame(this.header, lsn + 1, changes)
    // Flushed before the frame is written, so that no older version ever finds what it cannot read.
    const version = formatOf(changes)
    if (version > this.header.version) await this.stamp({ ...this.header, version })
    try {
      await this.file.write(at, bytes)
      await flush()
    } catch (error) {
      await this.putBack(at)
      throw error
    }
    for (const entry of entries) this.apply(bytes, entry, at)
    this.anchor = { at, checksum: frameChecksum(bytes) }
    this.last = { lsn: lsn + 1, at: at + bytes.length }
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

  /** Whether a slot has an episode. */
  isLive(slot: number): boolean {
    return this.table.isLive(slot)
  }

  /** Bytes that a compaction would leave out, but for rows that were replaced since they came with their signatures. Adds up all slots. */
  get garbage(): Garbage {
    return { bytes: this.bytes - this.start.at - this.table.liveBytes, of: this.bytes }
  }

  /** Takes no more commits from now on, because the file may not be what it should. */
  refuse(failure: unknown): void {
    this.failure = failure
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
    if (cursor.at < this.start.at || cursor.at > this.last.at) return false
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
  private enter(bytes: Uint8Array, at: number, misfit?: () => void): void {
    this.anchor = { at, checksum: frameChecksum(bytes) }
    for (const entry of readEntries(bytes, FRAME_HEADER_BYTES)) {
      const fits = entry.op === 'put' ? this.table.isFree(entry.slot) : this.table.isLive(entry.slot)
      if (fits) this.apply(bytes, entry, at)
      else if (misfit) misfit()
      else throw corrupt(this.file.name, at + entry.at, `${entry.op} of slot ${entry.slot} does not fit what is before it`)
    }
  }

  private apply(bytes: Uint8Array, entry: Entry, frameAt: number): void {
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

  /** Takes over where everything lies, if the image is of the history that is in the file. */
  private async load(image: ImageFile): Promise<void> {
    const { base } = image
    if (base?.databaseId !== this.header.databaseId || base.epoch !== this.header.epoch || base.lsn <= this.header.baseLsn) return
    const bytes = new Uint8Array(FRAME_HEADER_BYTES)
    const frame = readFrameHeader(bytes.subarray(0, await this.file.read(base.anchorAt, bytes)), this.header)
    const fits = frame?.lsn === base.lsn && base.anchorAt + frame.bytes === base.at && frameChecksum(bytes) === base.anchor
    if (!fits || base.at > (await this.file.size())) return
    try {
      this.table.load(await image.parts(TABLE), TABLE)
    } catch {
      return // It is scanned from the start, as without an image.
    }
    this.anchor = { at: base.anchorAt, checksum: base.anchor }
    this.last = { lsn: base.lsn, at: base.at }
    this.opened = image
  }

  /** Gives the file this header. */
  private async stamp(header: JournalHeader): Promise<void> {
    await this.file.write(0, encodeHeader(header))
    await this.file.flush()
    this.stamped = header
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

function copied(signatures: Signatures): Signatures {
  return Object.fromEntries(Object.entries(signatures).map(([kind, bytes]) => [kind, bytes.slice()]))
}
