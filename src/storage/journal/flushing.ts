import type { Durability } from '../../api/stats.js'
import type { Journal } from './journal.js'
import type { StorageChange } from '../../api/storage.js'
import { unref } from '../../base/unref.js'

/** How long commits wait for their flush with relaxed durability, at most: whichever comes first. */
export interface Bounds {
  readonly ms: number
  /** Of commits that are acknowledged. */
  readonly bytes: number
}

/** What is written in a tenth of a second may be lost, and no more than what takes a disk about as long to write. */
const BOUNDS: Bounds = { ms: 100, bytes: 4 * 2 ** 20 }

/** How a database is to be kept that is kept in files: the choices of `open({ durability })`. */
export type FlushRequest = 'strict' | 'relaxed'

/** The bounds of relaxed durability; strict has none, because nothing waits. */
export function boundsOf(asked: FlushRequest | undefined): Bounds | undefined {
  return asked === 'relaxed' ? BOUNDS : undefined
}

/**
 * Puts commits into a journal, and sees to their flushes: of each before it is acknowledged or, within bounds, of many
 * after. What is not flushed the operating system has, so that only a crash of the machine can take it, from some
 * commit on to the last.
 */
export class Flushing {
  readonly #journal: () => Journal
  readonly #bounds: Bounds | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param journal the one that counts now. @param bounds of relaxed durability; without, it is strict. */
  constructor(journal: () => Journal, bounds: Bounds | undefined) {
    this.#journal = journal
    this.#bounds = bounds
  }

  /** Resolves when a commit may be acknowledged. Rejects as `RowStore.commit` does. */
  async commit(changes: readonly StorageChange[]): Promise<void> {
    if (this.#bounds === undefined) return this.#journal().append(changes)
    if (this.#waiting >= this.#bounds.bytes) await this.flush()
    await this.#journal().append(changes, true)
    if (this.#waiting >= this.#bounds.bytes) this.#begin()
    else if (this.#waiting > 0) this.#arm(this.#bounds.ms)
  }

  /** Resolves when every commit so far survives a crash of the machine. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#journal().flush()
  }

  /**
   * {@link flush}, and marks in the journal that all of it was flushed. That there is no room for the mark is no
   * failure: nothing is lost.
   */
  async end(): Promise<void> {
    await this.flush()
    await this.#journal()
      .mark()
      .catch(() => {})
  }

  /** What `stats()` says of it. @param where what is written to. */
  about(where: string): { readonly durability: Durability; readonly durabilityReason: string } {
    if (this.#bounds === undefined)
      return {
        durability: 'strict',
        durabilityReason: `every commit is written and flushed to ${where} before it is acknowledged`,
      }
    const { ms, bytes } = this.#bounds
    const durabilityReason =
      `durability: 'relaxed' was asked for: every commit is written to ${where} before it is acknowledged, ` +
      `and flushed after ${ms} ms or ${bytes / 2 ** 20} MiB; ` +
      'a crash of the process loses nothing, one of the machine may lose what came after the last flush'
    return { durability: 'relaxed', durabilityReason }
  }

  /** Bytes of commits that are not flushed. */
  get #waiting(): number {
    const { end, flushed } = this.#journal()
    return end.at - flushed.at
  }

  #arm(ms: number): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#begin(), ms)
    // A program that is done need not wait for it: the operating system has everything.
    unref(this.#timer)
  }

  /** The next write is refused when it fails. */
  #begin(): void {
    void this.flush().catch(() => {})
  }
}
