import type { StorageEvent } from '../../api/stats.js'
import type { VerifyVisitor } from '../../api/storage.js'
import { AgidbError, toWire } from '../../base/errors.js'
import type { Journal } from '../journal/journal.js'
import type { SecondCopy } from './second-copy.js'

/** How long after the first commit the mirror is loaded, in milliseconds: what a page waits for is loaded first. */
const LOAD_AFTER_MS = 1000
/** How long closing waits for it to be loaded, in milliseconds. */
const CLOSE_MS = 1000

/** Begins a mirror at the start of a journal. */
export type BeginMirror = (journal: Journal) => SecondCopy

/**
 * The mirror of a database that has just been created: IndexedDB has nothing of it, so what mirrors it is loaded after
 * the first commit. Until then the journal in OPFS is the only copy, as it is whenever a mirror is behind.
 */
export class LateMirror implements SecondCopy {
  readonly #load: () => Promise<BeginMirror>
  readonly #report: (event: StorageEvent) => void
  #journal: Journal
  #mirror: SecondCopy | undefined
  #loading: Promise<SecondCopy> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Changes that were committed before it was loaded. */
  #waiting = 0
  #hasFailed = false
  #isClosed = false

  /** @param load loads what mirrors journals; called again if it rejects. */
  constructor(load: () => Promise<BeginMirror>, journal: Journal, report: (event: StorageEvent) => void) {
    this.#load = load
    this.#journal = journal
    this.#report = report
  }

  follow(changes: number): void {
    if (this.#mirror !== undefined) {
      this.#mirror.follow(changes)
      return
    }
    this.#waiting += changes
    // A failure is reported, and the next commit tries again.
    if (this.#waiting > 0) this.#timer ??= setTimeout(() => void this.#loaded().catch(() => {}), LOAD_AFTER_MS)
  }

  async catchUp(): Promise<void> {
    await (await this.#loaded()).catchUp()
  }

  async reach(lsn: number, stopped: () => boolean): Promise<void> {
    const mirror = await this.#loaded().catch(() => undefined)
    await mirror?.reach(lsn, stopped)
  }

  async moveTo(...to: Parameters<SecondCopy['moveTo']>): Promise<void> {
    if (this.#mirror === undefined) this.#journal = to[0]
    else await this.#mirror.moveTo(...to)
  }

  async startOverWith(journal: Journal): Promise<void> {
    if (this.#mirror === undefined) this.#journal = journal
    else await this.#mirror.startOverWith(journal)
  }

  async startOver(): Promise<void> {
    await (await this.#loaded()).startOver()
  }

  async verify(findings: VerifyVisitor['findings']): Promise<void> {
    await (await this.#loaded()).verify(findings)
  }

  async close(): Promise<void> {
    if (this.#mirror === undefined && this.#waiting > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))
      // What it lacks it gets at the next opening.
      await Promise.race([this.#loaded().catch(() => {}), late])
      clearTimeout(timer)
    }
    clearTimeout(this.#timer)
    this.#isClosed = true
    await this.#mirror?.close()
  }

  #loaded(): Promise<SecondCopy> {
    this.#loading ??= this.#begin().catch((error: unknown) => {
      this.#loading = undefined
      this.#timer = undefined
      if (!this.#hasFailed && !this.#isClosed) {
        const message = 'what copies the journal to IndexedDB could not be loaded; the next commit tries it again'
        this.#report({ kind: 'mirror-failed', message, details: { reason: toWire(error).message } })
      }
      this.#hasFailed = true
      throw error
    })
    return this.#loading
  }

  async #begin(): Promise<SecondCopy> {
    const begin = await this.#load()
    if (this.#isClosed) throw new AgidbError('AGIDB_CLOSED', 'the storage was closed before its mirror was loaded')
    const mirror = begin(this.#journal)
    this.#mirror = mirror
    mirror.follow(this.#waiting)
    return mirror
  }
}
