import { AgidbError } from '../../base/errors.js'
import { SerialQueue } from '../../base/serial-queue.js'
import type { BlockFile } from '../block/block-file.js'
import type { CheckFiles } from '../recovery/check.js'
import { Compaction, retire } from './compaction.js'
import { erase } from '../recovery/erase.js'
import { Flushing, type Bounds } from './flushing.js'
import { HEADER_BYTES, SEALED_HEADER_BYTES, SEALED_VERSION } from './frame.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import type { Journal } from './journal.js'
import { readJournalHeader } from './journal-header.js'
import type { Follower } from './journal-pair.js'
import { expectLinked } from '../block/file-presence.js'
import { inPlaceOf, isFull } from './out-of-space.js'
import type { RowStore, StorageChange, VerifyVisitor } from '../../api/storage.js'
import type { Cursor } from './scan.js'

/** Runs work during which nothing else is written to the store. */
type Exclusively = (work: () => Promise<void>) => Promise<void>

/** Something that follows a journal commit by commit. */
export interface JournalFollower {
  /** Resolves when it has come to a commit, or cannot, or is stopped. */
  reach(lsn: number, stopped: () => boolean): Promise<void>
  /**
   * Goes on with another journal, in which `placeOf` knows where each commit is, from the last to be reached on.
   * Nothing is committed meanwhile.
   */
  moveTo(journal: Journal, placeOf: (lsn: number) => Cursor | undefined): Promise<void>
}

/** The journal that counts, and who reads it. */
interface Current {
  readonly journal: Journal
  readers: number
  /** Called when the last reader has gone. */
  left?: () => void
}

/**
 * What an open database has in block files: a journal in one of two files, the other of them, and a checkpoint of the
 * indexes. A compaction moves the journal to the other file.
 */
export class JournalStore {
  readonly #checkpoint: CheckpointFile
  readonly #flushing: Flushing
  #current: Current
  #other: BlockFile
  /** What uses both files. */
  readonly #queue = new SerialQueue()
  /** The compaction that has not begun. */
  #next: Promise<void> | undefined
  #stopped = false

  /** @param bounds of relaxed durability; without, it is strict. */
  constructor(journal: Journal, other: BlockFile, checkpoint: CheckpointFile, bounds?: Bounds) {
    this.#flushing = new Flushing(() => this.journal, bounds)
    this.#current = { journal, readers: 0 }
    this.#other = other
    this.#checkpoint = checkpoint
  }

  get journal(): Journal {
    return this.#current.journal
  }

  get checkpoint(): CheckpointFile {
    return this.#checkpoint
  }

  /** Commits to it, and their flushes. */
  get flushing(): Flushing {
    return this.#flushing
  }

  /**
   * Removes what earlier compactions and rebuildings that a crash cut short have left behind. To be called when the
   * journal has been read: until then the files of before may be the better copy.
   */
  async tidy(): Promise<void> {
    const { databaseId, epoch, compacted } = this.journal.header
    const header = await readJournalHeader(this.#other).catch(() => undefined) // a damaged one is left as it is
    const begun = header !== undefined && header.version >= SEALED_VERSION && header.seal === undefined
    if (begun && (await this.#other.size()) > SEALED_HEADER_BYTES) await retire(this.#other, header)
    else if (!begun && compacted && header?.databaseId === databaseId && header.epoch < epoch)
      await retire(this.#other, header)
    const { base } = this.#checkpoint
    // It can be loaded no more, and may have what was removed.
    if (base?.databaseId !== databaseId || base.epoch !== epoch) await this.#checkpoint.clear()
  }

  /**
   * Resolves when a commit may be acknowledged. Where there is no room for it, the checkpoint gives way. Rejects as
   * `RowStore.commit` does.
   */
  commit(changes: readonly StorageChange[]): Promise<void> {
    return inPlaceOf(this.#checkpoint, () => this.#flushing.commit(changes))
  }

  /** Runs work that reads the journal over several turns: its file stays what it is until the work is done. */
  async read<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
    const current = this.#current
    current.readers++
    try {
      return await work(current.journal)
    } finally {
      if (--current.readers === 0) current.left?.()
    }
  }

  /**
   * Moves what is live to the other file, then overwrites the file that it was in, and the checkpoint. Commits go on
   * meanwhile but for the last step. If it fails the journal is where it was, or, when only the overwriting failed,
   * where it should be. Calls share a compaction that has not begun, and no other: one that runs may have copied what
   * was removed since.
   *
   * @param expectThere rejects when the journal is no longer there; then nothing is written.
   * @param follower follows the journal, and must go on with the new one.
   */
  compact(exclusively: Exclusively, expectThere: () => Promise<void>, follower?: JournalFollower): Promise<void> {
    return (this.#next ??= this.alone(() => {
      this.#next = undefined
      return this.#compactInRoom(exclusively, expectThere, follower)
    }))
  }

  /** Runs work on both files, during which nothing is compacted. It may wait for writes, and these not for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work)
  }

  /**
   * Fills the other file with new content and makes it the journal, then overwrites the old file and the checkpoint.
   * To be called {@link alone}, while nothing is written. If `fill` rejects, or the process ends before the new journal
   * is sealed, nothing has changed.
   *
   * @param moved called with the new journal as soon as it is the valid one.
   */
  async replace(fill: Parameters<RowStore['replace']>[0], moved?: (to: Journal) => Promise<void>): Promise<void> {
    const from = this.#current
    const into = this.#other
    const journal = await from.journal.successor(into)
    try {
      await fill((episodes) => journal.build(episodes.map((episode) => ({ op: 'put', ...episode }))))
      await expectLinked(into)
      await journal.finish(from.journal.end.lsn)
    } catch (error) {
      // A seal that may have been written although it failed must not count later.
      await erase(into, HEADER_BYTES).catch((failure: unknown) => from.journal.refuse(failure))
      throw error
    }
    this.#current = { journal, readers: 0 }
    this.#other = from.journal.place
    await moved?.(journal)
    await this.#checkpoint.clear().catch(() => {}) // it is of another epoch, and counts no more
    // Readers of the old one read it to the end. If it is not overwritten now, the next compaction of the memory
    // does so.
    if (from.readers === 0) await retire(from.journal.place, from.journal.header).catch(() => {})
  }

  /**
   * Reads all files again, and changes nothing. To be called {@link alone}, while nothing is written.
   *
   * @param checkFiles what reads them, which a page loads for it.
   */
  async verify(checkFiles: CheckFiles, visitor: VerifyVisitor, follower?: Follower): Promise<void> {
    const { journal } = this
    const read = await checkFiles(
      { journals: [journal.place, this.#other], checkpoint: this.#checkpoint, follower },
      visitor,
    )
    if (read !== undefined && read.end.lsn >= journal.end.lsn) return
    const details = { file: journal.place.name, lsn: read?.end.lsn, committed: journal.end.lsn }
    visitor.findings.add(
      'journal-damaged',
      'loss',
      `${journal.place.name} no longer has the last commits that were written to it`,
      details,
    )
  }

  /** Ends the compactions so far, and waits for that. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.#queue.run(() => {})
  }

  /**
   * Compacts; where there is no room for that, once more with the room of the checkpoint, which goes at the end of it
   * anyway.
   */
  async #compactInRoom(
    exclusively: Exclusively,
    expectThere: () => Promise<void>,
    follower: JournalFollower | undefined,
  ): Promise<void> {
    try {
      await this.#compact(exclusively, expectThere, follower)
    } catch (error) {
      let gaveWay = false
      if (isFull(error)) await exclusively(async () => void (gaveWay = await this.#checkpoint.giveWay()))
      if (!gaveWay) throw error
      await this.#compact(exclusively, expectThere, follower)
    }
  }

  async #compact(
    exclusively: Exclusively,
    expectThere: () => Promise<void>,
    follower: JournalFollower | undefined,
  ): Promise<void> {
    await expectThere()
    this.#expectGoing()
    const from = this.#current
    const into = this.#other
    try {
      const compaction = await Compaction.begin(from.journal, into)
      const stopped = (): boolean => this.#stopped
      await Promise.all([compaction.copy(stopped), follower?.reach(compaction.since, stopped)])
      await follower?.reach(compaction.copied, stopped)
      this.#expectGoing()
      await exclusively(async () => {
        this.#expectGoing()
        await expectLinked(into)
        const journal = await this.#seal(compaction, from.journal, into)
        this.#current = { journal, readers: 0 }
        this.#other = from.journal.place
        await follower?.moveTo(journal, (lsn) => compaction.placeOf(lsn))
        await this.#checkpoint.clear()
      })
    } catch (error) {
      // it has no seal, and is tidied when the database is opened
      if (this.#other === into) await erase(into, HEADER_BYTES).catch(() => {})
      throw error
    }
    if (from.readers > 0) await new Promise<void>((resolve) => (from.left = resolve))
    await retire(from.journal.place, from.journal.header)
  }

  /**
   * A seal that may have been written although it failed must not count later, when commits have gone on in the old
   * journal.
   */
  async #seal(compaction: Compaction, journal: Journal, into: BlockFile): Promise<Journal> {
    try {
      return await compaction.finish()
    } catch (error) {
      await erase(into, HEADER_BYTES).catch((failure: unknown) => journal.refuse(failure))
      throw error
    }
  }

  #expectGoing(): void {
    if (this.#stopped)
      throw new AgidbError('AGIDB_CLOSED', 'the database was closed before its compaction was done; nothing is lost')
  }
}
