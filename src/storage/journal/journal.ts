import type { StorageEvent } from '../../api/stats.js'
import type { CheckpointParts } from '../../base/checkpoint-parts.js'
import type { BlockFile } from '../block/block-file.js'
import {
  corrupt,
  encodeSeal,
  frameChecksum,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  readFrameHeader,
  SEALED_VERSION,
  type JournalHeader,
} from './frame.js'
import type { CheckpointBase, CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { writeHeader } from './journal-header.js'
import { Log } from './log.js'
import type { StorageChange, Garbage, CheckpointPart } from '../../api/storage.js'
import { scan } from './scan.js'
import { MAX_SLOTS } from './slot-table.js'
import { cutTail, reportTail, type KeepDamagedTail } from './tail.js'
import { walk, type Damage } from './walk.js'

/** Something in a journal that cannot be read or makes no sense. */
export interface Unread extends Damage {
  readonly kind: 'damage' | 'tail' | 'gap' | 'misfit'
  /** How many are missing in a gap. */
  readonly commits?: number
}

/** What the parts of an image are called that say where everything lies. */
const TABLE = 'journal'

/** The log-structured store of one database over a file: a header, then one frame a commit. */
export class Journal extends Log {
  /** The image of the indexes from which it was opened. */
  private opened: CheckpointFile | undefined

  /**
   * Scans a file that has this header, from the end of what is in an image of it on. A tail that cannot be read is
   * handed to `keep`, cut off, and reported to `report`. Throws `AGIDB_CORRUPT`, with the file as it was.
   *
   * @param keep absent where nothing may be changed: then the tail stays, is reported, and does not count.
   */
  static async open(
    file: BlockFile,
    header: JournalHeader,
    keep: KeepDamagedTail | undefined,
    report: (event: StorageEvent) => void,
    image?: CheckpointFile,
  ): Promise<Journal> {
    if (header.nextSlot > MAX_SLOTS) throw corrupt(file.name, 48, `${header.nextSlot} slots are more than there can be`)
    const journal = new Journal(file, header)
    if (image !== undefined) await journal.load(image)
    const extent = await scan(file, header, ({ at, bytes }) => journal.follow(bytes, at), journal.last)
    journal.last = { lsn: extent.lsn, at: extent.end }
    if (keep === undefined) reportTail(file, extent, report)
    else if (extent.end < extent.size) await cutTail(file, extent, keep, report)
    // The process that wrote the last commits may have ended before it flushed them, and what comes after says that
    // they are.
    else await file.flush()
    journal.safe = journal.last
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
      if (lsn !== journal.last.lsn + 1) damaged({ kind: 'gap', at, bytes: 0, commits: lsn - journal.last.lsn - 1 })
      try {
        journal.follow(bytes, at, () => damaged({ kind: 'misfit', at, bytes: bytes.length }))
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
  async build(changes: readonly StorageChange[]): Promise<void> {
    await this.write(changes)
    // It counts from its seal on, before which all of it is flushed.
    this.safe = this.last
  }

  /** Says that all is in it that it was begun with, up to this commit of the journal before it. */
  async finish(of: number): Promise<void> {
    await this.file.flush()
    const seal = { ...this.last, of }
    await this.file.write(HEADER_BYTES, encodeSeal(this.header, seal))
    await this.file.flush()
    this.stamped = { ...this.header, seal }
  }

  /**
   * A journal of the same database in another file, to take the place of this one with another content. It does not
   * count before it is finished; nothing follows from this one to it, so its commits have later numbers.
   */
  successor(file: BlockFile): Promise<Journal> {
    const { databaseId, createdAt, epoch } = this.header
    const start = { nextSlot: 0, baseLsn: this.last.lsn + 1, epoch: epoch + 1 }
    return Journal.begin(file, { version: SEALED_VERSION, databaseId, createdAt, ...start, checked: true })
  }

  /** The image from which it was opened, if there was one that fits. */
  get image(): CheckpointFile | undefined {
    return this.opened
  }

  /** The parts of an image that say where everything lies. */
  imageParts(): CheckpointParts {
    const own: CheckpointParts = new Map()
    this.table.save(own, TABLE)
    return own
  }

  /** Whether the last frame is the one at which an image was made. */
  isAt({ databaseId, epoch, lsn, at, anchorAt, anchor }: CheckpointBase): boolean {
    const { header, last } = this
    return (
      header.databaseId === databaseId &&
      header.epoch === epoch &&
      last.lsn === lsn &&
      last.at === at &&
      this.anchor.at === anchorAt &&
      this.anchor.checksum === anchor
    )
  }

  /**
   * Whether an image was made of this database with commits that its journal no longer has. A journal is flushed before
   * an image of it is kept, and is never shortened by more than what was not acknowledged, so such commits were
   * acknowledged and are lost.
   */
  async lacksPartOf(base: CheckpointBase): Promise<boolean> {
    const { databaseId, epoch, baseLsn } = this.header
    if (base.databaseId !== databaseId || base.epoch < epoch) return false
    // This journal is one from before a compaction, which can only have been put in the place of the later one.
    if (base.epoch > epoch) return true
    return base.lsn > baseLsn && (base.at > this.last.at || !(await this.hasAnchor(base)))
  }

  /** Reports as `commits-lost` what {@link Journal.lacksPartOf} finds. Answers whether it found anything. */
  async reportLost({ base }: CheckpointFile, report: (event: StorageEvent) => void): Promise<boolean> {
    if (base === undefined || !(await this.lacksPartOf(base))) return false
    const file = this.file.name
    const message = `${file} no longer has commits that it once had, as the image of the indexes shows: they are lost`
    report({ kind: 'commits-lost', message, details: { file, lsn: base.lsn, journalLsn: this.last.lsn } })
    return true
  }

  /** Keeps an image of the journal as it is now, and of what was made of it. */
  async keep(image: CheckpointFile, parts: Iterable<CheckpointPart>): Promise<void> {
    await this.flush() // an image must not outlive what it is of
    const own = this.imageParts()
    const { databaseId, epoch } = this.header
    const base: CheckpointBase = {
      databaseId,
      epoch,
      ...this.last,
      anchorAt: this.anchor.at,
      anchor: this.anchor.checksum,
    }
    await image.keep(base, [...Array.from(own, ([name, array]) => ({ name, array: () => array })), ...parts])
  }

  /**
   * Bytes that a compaction would leave out, but for rows that were replaced since they came with their signatures.
   * Adds up all slots.
   */
  get garbage(): Garbage {
    return { bytes: this.bytes - this.start.at - this.table.liveBytes, of: this.bytes }
  }

  /** Takes in a scanned frame. */
  private follow(bytes: Uint8Array, at: number, misfit?: () => void): void {
    this.anchor = { at, checksum: frameChecksum(bytes) }
    this.enter(bytes, at, misfit)
  }

  /** Whether the last commit of an image stands where it stood when the image was made. */
  private async hasAnchor({ lsn, at, anchorAt, anchor }: CheckpointBase): Promise<boolean> {
    const bytes = new Uint8Array(FRAME_HEADER_BYTES)
    const frame = readFrameHeader(bytes.subarray(0, await this.file.read(anchorAt, bytes)), this.header)
    return frame?.lsn === lsn && anchorAt + frame.bytes === at && frameChecksum(bytes) === anchor
  }

  /** Takes over where everything lies, if the image is of the history that is in the file. */
  private async load(image: CheckpointFile): Promise<void> {
    const { base } = image
    if (
      base?.databaseId !== this.header.databaseId ||
      base.epoch !== this.header.epoch ||
      base.lsn <= this.header.baseLsn
    )
      return
    if (base.at > (await this.file.size()) || !(await this.hasAnchor(base))) return
    try {
      this.table.load(await image.parts(TABLE), TABLE, base.at)
    } catch {
      return // It is scanned from the start, as without an image.
    }
    this.anchor = { at: base.anchorAt, checksum: base.anchor }
    this.last = { lsn: base.lsn, at: base.at }
    this.opened = image
  }
}
