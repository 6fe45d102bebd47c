import type { StorageEvent } from '../../api/stats.js'
import { stopwatch } from '../../base/clock.js'
import { AgidbError } from '../../base/errors.js'
import type { BlockFile } from './block-file.js'
import type { VerifyVisitor } from '../../api/storage.js'
import { unref } from '../../base/unref.js'

/** How often the name of the journal is looked up while nothing is written, in milliseconds. */
const EVERY_MS = 5000

/** Told once that the files of an open database are gone. */
export type OnDeleted = (error: AgidbError) => void

/** What a {@link FilePresence} watches, and how closely. */
export interface Watched {
  /** What is open, for messages: `folder /…`. */
  readonly name: string
  /** The journal that counts now. */
  readonly journal: () => BlockFile
  /** Takes what `stats().opening` is to say. */
  readonly report: (event: StorageEvent) => void
  /**
   * For how many milliseconds a lookup that found the journal is good enough for the next commits. 0: the journal is
   * looked up before and after each commit.
   */
  readonly freshMs: number
}

/**
 * Watches whether the name of the journal still leads to the file that is open. A file that is deleted while it is open
 * takes writes as before, and is lost when it is closed. So from the first lookup on that does not find it every write
 * is refused with `AGIDB_DELETED`.
 */
export class FilePresence {
  readonly #watched: Watched
  readonly #listeners: OnDeleted[] = []
  readonly #timer: ReturnType<typeof setInterval>
  #closed = false
  #deleted: AgidbError | undefined
  /** When the last lookup began that found the journal. */
  #foundAt = -Infinity

  constructor(watched: Watched) {
    this.#watched = watched
    this.#timer = setInterval(() => void this.isThere(), EVERY_MS)
    // A program that is done need not wait for it.
    unref(this.#timer)
  }

  /** Whether an earlier lookup did not find the journal. */
  get isDeleted(): boolean {
    return this.#deleted !== undefined
  }

  /**
   * Looks the journal up. A lookup that fails for another reason than that nothing is there counts as one that found
   * it.
   */
  async isThere(): Promise<boolean> {
    if (this.#deleted !== undefined) return false
    const file = this.#watched.journal()
    const began = stopwatch()
    const found = await isLinked(file)
    // The journal was moved to the other file meanwhile, and this one has been overwritten.
    if (!found && this.#watched.journal() !== file) return this.isThere()
    if (found) this.#foundAt = Math.max(this.#foundAt, began)
    // Nothing is to be said of a database that was closed meanwhile.
    else if (!this.#closed) this.#tell(file)
    return found
  }

  /** Says to a verification that the journal is gone. */
  addTo(findings: VerifyVisitor['findings']): void {
    if (this.#deleted === undefined) return
    findings.add('journal-missing', 'loss', this.#deleted.message, this.#deleted.details)
  }

  /** Throws `AGIDB_DELETED` when an earlier lookup did not find the journal. */
  expect(): void {
    if (this.#deleted !== undefined) throw this.#deleted
  }

  /** Looks the journal up. Rejects with `AGIDB_DELETED` when it is not there. */
  async expectNow(): Promise<void> {
    await this.isThere()
    this.expect()
  }

  /**
   * Runs a commit, and looks before and after it whether the journal is there, unless it was found a moment ago.
   * Rejects with `AGIDB_DELETED`, too.
   */
  async around(commit: () => Promise<void>): Promise<void> {
    await this.#expectRecently()
    await commit()
    await this.#expectRecently()
  }

  /** Calls `deleted` when the journal is found to be gone; at once when it is known to be. */
  onDeleted(deleted: OnDeleted): void {
    if (this.#deleted !== undefined) deleted(this.#deleted)
    else this.#listeners.push(deleted)
  }

  /** Stops looking, and calls no listener. */
  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
  }

  async #expectRecently(): Promise<void> {
    this.expect()
    const { freshMs } = this.#watched
    if (freshMs === 0 || stopwatch() - this.#foundAt > freshMs) await this.expectNow()
  }

  #tell(file: BlockFile): void {
    if (this.#deleted !== undefined) return
    clearInterval(this.#timer)
    const { name, report } = this.#watched
    const message =
      `${name} was deleted, moved or replaced while it was open: ${file.name} is another file now or none; ` +
      'nothing more is written, and what was acknowledged is read only until it is closed: close it, and open it again'
    this.#deleted = new AgidbError('AGIDB_DELETED', message, { file: file.name })
    report({ kind: 'storage-deleted', message, details: { file: file.name } })
    for (const listener of this.#listeners) listener(this.#deleted)
  }
}

/** Whether the name of a file still leads to it. */
export async function isLinked(file: BlockFile): Promise<boolean> {
  try {
    return (await file.isLinked?.()) ?? true
  } catch {
    return true // what cannot be looked up now is no proof that it is gone
  }
}

/** Throws `AGIDB_STORAGE` when the name of a file leads elsewhere: what would be moved there would be lost. */
export async function expectLinked(file: BlockFile): Promise<void> {
  if (await isLinked(file)) return
  const message =
    `${file.name} was deleted, moved or replaced while it was open, so nothing is moved into it: ` +
    'close the database and open it again'
  throw new AgidbError('AGIDB_STORAGE', message, { file: file.name })
}
