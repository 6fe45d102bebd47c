// The frames of a journal file: docs/format.md, "Frame".
import { AgidbError } from '../../base/errors.js'
import { pace } from '../../base/pace.js'
import { admit } from './admission.js'
import { Window, type BlockFile } from '../block/block-file.js'
import { entryChange, formatOf, readEntries } from './changes.js'
import type { JournalIndex } from './journal-index.js'
import {
  corrupt,
  encodeFrame,
  encodeHeader,
  encodeSeal,
  frameChecksum,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  MAX_UNFLUSHED,
  type JournalHeader,
} from './frame.js'
import type { StorageChange } from '../../api/storage.js'
import { READ_AHEAD_BYTES, readFrame, startOf, type Cursor } from './scan.js'

/** Frames up to so many bytes are encoded into memory that is used again; few calls make longer ones. */
const REUSED_BYTES = 1 << 20

/** A frame by which a checkpoint recognises the journal that it was made of: its position and its checksum. */
export interface Anchor {
  readonly at: number
  readonly checksum: number
}

/**
 * The frames of a journal, which are only ever appended: where they end, and up to where they are flushed. Each frame
 * that is written is taken into the index.
 */
export class Log {
  readonly #file: BlockFile
  readonly #index: JournalIndex
  #header: JournalHeader
  #last: Cursor
  #flushed: Cursor
  #anchor: Anchor = { at: 0, checksum: 0 }
  #flushing: Promise<void> | undefined
  /** Memory for the frame that is being written: to allocate it for each would cost more than to fill it. */
  #room = new Uint8Array(0)
  #failure: unknown
  /** Why a flush failed. */
  #flushFailure: unknown
  /** Nothing stands after the last commit that shows that it was flushed. */
  #isUnmarked = false

  constructor(file: BlockFile, header: JournalHeader, index: JournalIndex) {
    this.#file = file
    this.#index = index
    this.#header = header
    this.#last = startOf(header)
    this.#flushed = this.#last
  }

  get header(): JournalHeader {
    return this.#header
  }

  /** The file that it is in. */
  get place(): BlockFile {
    return this.#file
  }

  /** The place before the first frame. */
  get start(): Cursor {
    return startOf(this.header)
  }

  /** The place after the last commit. */
  get end(): Cursor {
    return this.#last
  }

  /** The place after the last commit that a crash of the machine cannot take. */
  get flushed(): Cursor {
    return this.#flushed
  }

  /** Where the last frame begins, and its checksum. */
  get anchor(): Anchor {
    return this.#anchor
  }

  /** Bytes of main memory, without the index. */
  get memoryBytes(): number {
    return this.#room.length
  }

  /** Says that the log ends here, and with which frame: it was read from the file, or from a checkpoint. */
  resume(last: Cursor, anchor: Anchor): void {
    this.#last = last
    this.#anchor = anchor
  }

  /** Says that every frame up to the end is known to be flushed. */
  markFlushed(): void {
    this.#flushed = this.#last
  }

  /**
   * Appends a frame, even one without changes, to a journal that is not sealed yet, without a flush. Sealing flushes
   * the whole journal first, and the frame counts only from then on.
   */
  async build(changes: readonly StorageChange[]): Promise<void> {
    await this.#write(changes)
    this.#flushed = this.#last
  }

  /** Seals a journal that was built: it has everything up to commit `of` of the journal before it. */
  async seal(of: number): Promise<void> {
    await this.#file.flush()
    const seal = { ...this.#last, of }
    await this.#file.write(HEADER_BYTES, encodeSeal(this.#header, seal))
    await this.#file.flush()
    this.#header = { ...this.#header, seal }
  }

  /** Length of the file in bytes. */
  get bytes(): number {
    return this.#last.at
  }

  /**
   * Appends one commit: one write, one flush, unless it is `relaxed`: then it is flushed when {@link flush} is called.
   * The first that a reader of an older version would not know raises the version in the header before that. If either
   * fails the file is put back; if that fails too, the journal takes no more commits until it is opened again.
   */
  async append(changes: readonly StorageChange[], relaxed = false): Promise<void> {
    this.#expectWhole()
    if (changes.length === 0) return
    await this.#write(changes, relaxed ? undefined : () => this.#file.flush())
    this.#isUnmarked = true
    if (!relaxed) this.#flushed = this.#last
  }

  /**
   * Flushes what was appended, and appends a frame without changes after it: it shows that all before it was flushed,
   * so that damage to the last commit is not taken for what a crash left of one that was never acknowledged. Does
   * nothing where nothing was appended.
   */
  async mark(): Promise<void> {
    await this.flush()
    if (!this.#isUnmarked) return
    await this.#write([], () => this.#file.flush())
    this.#flushed = this.#last
    this.#isUnmarked = false
  }

  /**
   * Resolves when every commit so far survives a crash of the machine. If it rejects, those that were not flushed may
   * be lost in one, and the journal takes no more until it is opened again: a second flush would say nothing of what
   * the first one did not write.
   */
  async flush(): Promise<void> {
    const { lsn } = this.#last
    while (this.#flushed.lsn < lsn) {
      if (this.#flushFailure !== undefined) this.#expectWhole()
      await (this.#flushing ??= this.#flushOnce().finally(() => (this.#flushing = undefined)))
    }
  }

  /** Takes no more commits from now on, because the file may not be what it should. */
  refuse(failure: unknown): void {
    this.#failure = failure
  }

  /** Whether a frame, or the end, stands where this cursor points, with the right sequence number. */
  async has(cursor: Cursor): Promise<boolean> {
    if (cursor.at === this.#last.at) return cursor.lsn === this.#last.lsn
    if (cursor.at < this.start.at || cursor.at > this.#last.at) return false
    const frame = await readFrame(new Window(this.#file, this.bytes, 0), this.header, cursor.at, this.#last.at)
    return frame?.lsn === cursor.lsn + 1
  }

  /**
   * The changes of whole commits from a cursor on, up to `to`, at least `count` changes where there are so many,
   * and the cursor after them.
   */
  async changesFrom(
    cursor: Cursor,
    count: number,
    to = this.#last,
  ): Promise<{ changes: StorageChange[]; next: Cursor }> {
    const changes: StorageChange[] = []
    let next = cursor
    while (next.at < to.at && changes.length < count) {
      // Each frame has a buffer of its own, because the changes are views of it.
      const frame = await readFrame(new Window(this.#file, this.bytes, 0), this.header, next.at, to.at)
      if (!frame) throw unreadable(this.#file, next.at)
      for (const entry of readEntries(frame.bytes, FRAME_HEADER_BYTES)) changes.push(entryChange(frame.bytes, entry))
      next = { lsn: frame.lsn, at: next.at + frame.bytes.length }
    }
    return { changes, next }
  }

  /**
   * Reads every frame up to a place, until `stopped`. Throws `AGIDB_CORRUPT` at the first that is no longer what was
   * written.
   */
  async expectIntact({ at: end }: Cursor, stopped: () => boolean): Promise<void> {
    const rest = pace()
    const window = new Window(this.#file, end, READ_AHEAD_BYTES)
    for (let at = this.start.at; at < end && !stopped(); ) {
      await rest()
      const frame = await readFrame(window, this.header, at, end)
      if (!frame) throw unreadable(this.#file, at)
      at += frame.bytes.length
    }
  }

  /** Appends a frame. */
  async #write(changes: readonly StorageChange[], flush?: () => void | Promise<void>): Promise<void> {
    admit(changes, this.#index.table)
    // Flushed before the frame is written, so that no older version ever finds what it cannot read.
    const version = formatOf(changes)
    if (version > this.header.version) await this.#stamp({ ...this.header, version })
    const unflushed = await this.#unflushed()
    const { lsn, at } = this.#last
    const { bytes, entries } = encodeFrame(this.header, lsn + 1, changes, unflushed, (size) => this.#roomOf(size))
    try {
      await this.#file.write(at, bytes)
      await flush?.()
    } catch (error) {
      await this.#putBack(at)
      throw error
    }
    for (const entry of entries) this.#index.apply(bytes, entry, at)
    this.#anchor = { at, checksum: frameChecksum(bytes) }
    this.#last = { lsn: lsn + 1, at: at + bytes.length }
  }

  #roomOf(bytes: number): Uint8Array {
    if (bytes > REUSED_BYTES) return new Uint8Array(bytes)
    if (bytes > this.#room.length) this.#room = new Uint8Array(Math.min(REUSED_BYTES, 2 * bytes))
    return this.#room.subarray(0, bytes)
  }

  /** How many commits right before the next one are not known to be flushed. */
  async #unflushed(): Promise<number> {
    const isKnown = this.header.relaxed || this.header.checked
    if (this.#flushed.lsn < this.#last.lsn && !isKnown) await this.#stamp({ ...this.header, relaxed: true })
    if (this.#last.lsn - this.#flushed.lsn > MAX_UNFLUSHED) await this.flush()
    return this.#last.lsn - this.#flushed.lsn
  }

  async #flushOnce(): Promise<void> {
    const last = this.#last
    try {
      await this.#file.flush()
    } catch (failure) {
      this.#failure = this.#flushFailure = failure
      throw failure
    }
    if (last.lsn > this.#flushed.lsn) this.#flushed = last
  }

  /** Gives the file this header; its seal stays. */
  async #stamp(header: JournalHeader): Promise<void> {
    await this.#file.write(0, encodeHeader(header).subarray(0, HEADER_BYTES))
    await this.#file.flush()
    this.#header = header
    this.#flushed = this.#last
  }

  async #putBack(end: number): Promise<void> {
    try {
      await this.#file.truncate(end)
      await this.#file.flush()
      this.#flushed = this.#last
    } catch (failure) {
      this.#failure = failure
    }
  }

  #expectWhole(): void {
    if (this.#failure === undefined) return
    const message =
      `${this.#file.name} could not be put back after a failed write, or could not be flushed: ` +
      'close the database and open it again'
    throw new AgidbError('AGIDB_STORAGE', message, { file: this.#file.name }, { cause: this.#failure })
  }
}

/** A frame that was whole when the journal was opened. */
function unreadable(file: BlockFile, at: number): AgidbError {
  return corrupt(file.name, at, 'the frame there can no longer be read')
}
