// A journal file as a whole: docs/format.md, "The journal".
import type { StorageEvent } from '../../api/stats.js'
import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import type { BlockFile } from '../block/block-file.js'
import {
  corrupt,
  frameChecksum,
  FRAME_HEADER_BYTES,
  readFrameHeader,
  SEALED_VERSION,
  type JournalHeader,
} from './frame.js'
import type { CheckpointBase, CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { writeHeader } from './journal-header.js'
import { JournalIndex } from './journal-index.js'
import { Log } from './log.js'
import type { CheckpointPart, Garbage, StorageChange, StoredEpisode } from '../../api/storage.js'
import { scan, type Cursor } from './scan.js'
import type { VisitPacked } from './signature-reader.js'
import { MAX_SLOTS } from './slot-table.js'
import { cutTail, reportTail, type KeepDamagedTail } from './tail.js'
import { walk, type Damage } from './walk.js'

/** Something in a journal that cannot be read or makes no sense. */
export interface Unread extends Damage {
  readonly kind: 'damage' | 'tail' | 'gap' | 'misfit'
  /** How many are missing in a gap. */
  readonly commits?: number
}

/** What the parts of a checkpoint are called that say where everything lies. */
const TABLE = 'journal'

/**
 * The log-structured store of one database in one file: a header, then one frame for each commit. It is a log of frames
 * and an index of what they hold.
 */
export class Journal {
  readonly #file: BlockFile
  readonly #index: JournalIndex
  readonly #log: Log
  /** The checkpoint from which it was opened. */
  #openedFrom: CheckpointFile | undefined

  private constructor(file: BlockFile, header: JournalHeader) {
    this.#file = file
    this.#index = new JournalIndex(file, header.nextSlot)
    this.#log = new Log(file, header, this.#index)
  }

  /**
   * Scans a file that has this header, from the end of what is in a checkpoint of it on. A tail that cannot be read is
   * handed to `keep`, cut off, and reported to `report`. Throws `AGIDB_CORRUPT`, with the file as it was.
   *
   * @param keep absent where nothing may be changed: then the tail stays, is reported, and does not count.
   */
  static async open(
    file: BlockFile,
    header: JournalHeader,
    keep: KeepDamagedTail | undefined,
    report: (event: StorageEvent) => void,
    checkpoint?: CheckpointFile,
  ): Promise<Journal> {
    if (header.nextSlot > MAX_SLOTS) throw corrupt(file.name, 48, `${header.nextSlot} slots are more than there can be`)
    const journal = new Journal(file, header)
    if (checkpoint !== undefined) await journal.#load(checkpoint)
    const extent = await scan(file, header, ({ at, bytes }) => journal.#follow(bytes, at), journal.end)
    journal.#log.resume({ lsn: extent.lsn, at: extent.end }, journal.#log.anchor)
    if (keep === undefined) reportTail(file, extent, report)
    else if (extent.end < extent.size) await cutTail(file, extent, keep, report)
    // The process that wrote the last commits may have ended before it flushed them, and later commits state that
    // they are flushed.
    else await file.flush()
    journal.#log.markFlushed()
    return journal
  }

  /**
   * Reads what can be read of a file that has this header, and changes nothing. `damaged` is told of the rest. The
   * journal is for reading only, as it was at the end.
   *
   * @param pass called with the journal as it was after each frame.
   */
  static async read(
    file: BlockFile,
    header: JournalHeader,
    damaged: (found: Unread) => void,
    pass: (journal: Journal) => void = () => {},
  ): Promise<Journal> {
    const journal = new Journal(file, header)
    for await (const piece of walk(file, header)) {
      if (!('lsn' in piece)) {
        damaged({ ...piece, kind: piece.tail === undefined ? 'damage' : 'tail' })
        continue
      }
      const { at, bytes, lsn } = piece
      if (lsn !== journal.end.lsn + 1) damaged({ kind: 'gap', at, bytes: 0, commits: lsn - journal.end.lsn - 1 })
      try {
        journal.#follow(bytes, at, () => damaged({ kind: 'misfit', at, bytes: bytes.length }))
      } catch {
        damaged({ kind: 'misfit', at, bytes: bytes.length })
      }
      journal.#log.resume({ lsn, at: at + bytes.length }, journal.#log.anchor)
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

  /** See {@link Log}. */
  get header(): JournalHeader {
    return this.#log.header
  }

  /** The file that it is in. */
  get place(): BlockFile {
    return this.#file
  }

  /** The place before the first frame. */
  get start(): Cursor {
    return this.#log.start
  }

  /** The place after the last commit. */
  get end(): Cursor {
    return this.#log.end
  }

  /** The place after the last commit that a crash of the machine cannot take. */
  get flushed(): Cursor {
    return this.#log.flushed
  }

  /** Length of the file in bytes. */
  get bytes(): number {
    return this.#log.bytes
  }

  /** Bytes of main memory. */
  get memoryBytes(): number {
    return this.#index.memoryBytes + this.#log.memoryBytes
  }

  get nextSlot(): number {
    return this.#index.nextSlot
  }

  // What is written and flushed: see Log.

  append(changes: readonly StorageChange[], relaxed?: boolean): Promise<void> {
    return this.#log.append(changes, relaxed)
  }

  flush(): Promise<void> {
    return this.#log.flush()
  }

  mark(): Promise<void> {
    return this.#log.mark()
  }

  build(changes: readonly StorageChange[]): Promise<void> {
    return this.#log.build(changes)
  }

  finish(of: number): Promise<void> {
    return this.#log.seal(of)
  }

  refuse(failure: unknown): void {
    this.#log.refuse(failure)
  }

  has(cursor: Cursor): Promise<boolean> {
    return this.#log.has(cursor)
  }

  changesFrom(...range: Parameters<Log['changesFrom']>): ReturnType<Log['changesFrom']> {
    return this.#log.changesFrom(...range)
  }

  expectIntact(end: Cursor, stopped: () => boolean): Promise<void> {
    return this.#log.expectIntact(end, stopped)
  }

  // What is read by slot: see JournalIndex.

  isLive(slot: number): boolean {
    return this.#index.isLive(slot)
  }

  isRemoved(slot: number): boolean {
    return this.#index.isRemoved(slot)
  }

  isFree(slot: number): boolean {
    return this.#index.isFree(slot)
  }

  liveSlots(from: number, end: number): number[] {
    return this.#index.liveSlots(from, end)
  }

  visit(...what: Parameters<JournalIndex['visit']>): Promise<void> {
    return this.#index.visit(...what)
  }

  signatures(visit: VisitPacked, slots: ArrayLike<number>): Promise<void> {
    return this.#index.signatures(visit, slots)
  }

  read(slots: readonly number[]): Promise<StoredEpisode[]> {
    return this.#index.read(slots)
  }

  pages(slots: readonly number[]): AsyncGenerator<StoredEpisode[]> {
    return this.#index.pages(slots)
  }

  rows(slots: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return this.#index.rows(slots)
  }

  lastRow(slot: number): Promise<Uint8Array> {
    return this.#index.lastRow(slot)
  }

  latest(slots: readonly number[]): ReturnType<JournalIndex['latest']> {
    return this.#index.latest(slots)
  }

  /**
   * A journal of the same database in another file, to take the place of this one with another content. It does not
   * count before it is finished; nothing follows from this one to it, so its commits have later numbers.
   */
  successor(file: BlockFile): Promise<Journal> {
    const { databaseId, createdAt, epoch } = this.header
    const start = { nextSlot: 0, baseLsn: this.end.lsn + 1, epoch: epoch + 1 }
    return Journal.begin(file, { version: SEALED_VERSION, databaseId, createdAt, ...start, checked: true })
  }

  /** The checkpoint from which it was opened, if there was one that fits. */
  get checkpoint(): CheckpointFile | undefined {
    return this.#openedFrom
  }

  /** The parts of a checkpoint that say where everything lies. */
  tableParts(): CheckpointParts {
    const own: CheckpointParts = new Map()
    this.#index.table.save(own, TABLE)
    return own
  }

  /** Whether the last frame is the one at which a checkpoint was made. */
  isAt({ databaseId, epoch, lsn, at, anchorAt, anchor }: CheckpointBase): boolean {
    const { header, end, anchor: own } = this.#log
    return (
      header.databaseId === databaseId &&
      header.epoch === epoch &&
      end.lsn === lsn &&
      end.at === at &&
      own.at === anchorAt &&
      own.checksum === anchor
    )
  }

  /**
   * Whether a checkpoint was made of this database with commits that its journal no longer has. A journal is flushed
   * before a checkpoint of it is written, and is only ever shortened by commits that were not acknowledged. So such
   * commits were acknowledged and are lost.
   */
  async lacksPartOf(base: CheckpointBase): Promise<boolean> {
    const { databaseId, epoch, baseLsn } = this.header
    if (base.databaseId !== databaseId || base.epoch < epoch) return false
    // This journal is one from before a compaction, which can only have been put in the place of the later one.
    if (base.epoch > epoch) return true
    return base.lsn > baseLsn && (base.at > this.end.at || !(await this.#hasAnchor(base)))
  }

  /** Reports as `commits-lost` what {@link Journal.lacksPartOf} finds. Answers whether it found anything. */
  async reportLost({ base }: CheckpointFile, report: (event: StorageEvent) => void): Promise<boolean> {
    if (base === undefined || !(await this.lacksPartOf(base))) return false
    const file = this.#file.name
    const message =
      `${file} no longer has commits that it once had, ` + 'as the checkpoint of the indexes shows: they are lost'
    report({ kind: 'commits-lost', message, details: { file, lsn: base.lsn, journalLsn: this.end.lsn } })
    return true
  }

  /** Keeps a checkpoint of the journal as it is now, and of what was made of it. */
  async keep(checkpoint: CheckpointFile, parts: Iterable<CheckpointPart>): Promise<void> {
    await this.flush() // a checkpoint must not outlive what it is of
    const own = this.tableParts()
    const { databaseId, epoch } = this.header
    const base: CheckpointBase = {
      databaseId,
      epoch,
      ...this.end,
      anchorAt: this.#log.anchor.at,
      anchor: this.#log.anchor.checksum,
    }
    await checkpoint.keep(base, [...Array.from(own, ([name, array]) => ({ name, array: () => array })), ...parts])
  }

  /**
   * Bytes that a compaction would leave out, but for rows that were replaced since they came with their signatures.
   * Adds up all slots.
   */
  get garbage(): Garbage {
    return { bytes: this.bytes - this.start.at - this.#index.table.liveBytes, of: this.bytes }
  }

  /** Takes in a scanned frame. */
  #follow(bytes: Uint8Array, at: number, misfit?: () => void): void {
    this.#log.resume(this.end, { at, checksum: frameChecksum(bytes) })
    this.#index.enter(bytes, at, misfit)
  }

  /** Whether the last commit of a checkpoint stands where it stood when the checkpoint was made. */
  async #hasAnchor({ lsn, at, anchorAt, anchor }: CheckpointBase): Promise<boolean> {
    const bytes = new Uint8Array(FRAME_HEADER_BYTES)
    const frame = readFrameHeader(bytes.subarray(0, await this.#file.read(anchorAt, bytes)), this.header)
    return frame?.lsn === lsn && anchorAt + frame.bytes === at && frameChecksum(bytes) === anchor
  }

  /** Takes over where everything lies, if the checkpoint is of the history that is in the file. */
  async #load(checkpoint: CheckpointFile): Promise<void> {
    const { base } = checkpoint
    if (
      base?.databaseId !== this.header.databaseId ||
      base.epoch !== this.header.epoch ||
      base.lsn <= this.header.baseLsn
    )
      return
    if (base.at > (await this.#file.size()) || !(await this.#hasAnchor(base))) return
    try {
      this.#index.table.load(await checkpoint.parts(TABLE), TABLE, base.at)
    } catch {
      return // It is scanned from the start, as without a checkpoint.
    }
    this.#log.resume({ lsn: base.lsn, at: base.at }, { at: base.anchorAt, checksum: base.anchor })
    this.#openedFrom = checkpoint
  }
}
