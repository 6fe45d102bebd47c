import type { StorageEvent } from '../api/stats.js'
import type { OnOpenProgress } from '../api/open-progress.js'
import { pace } from '../base/pace.js'
import type { Progress } from '../base/progress.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import type { Indexes } from '../indexes/indexes.js'
import type { AwaitedPart } from '../indexes/kept-arenas.js'
import type { SignatureStore } from '../api/storage.js'

/** Episodes whose signatures are read from the storage at a time. */
const SLOTS_PER_READ = 256

/**
 * Loads the signatures that opening left for later, the newest first, between other work. What is damaged in the
 * checkpoint is read from the storage.
 */
export class SignatureLoader {
  readonly #indexes: Indexes
  readonly #stored: SignatureStore | undefined
  readonly #onProgress: OnOpenProgress | undefined
  #work: Promise<void> | undefined
  #stopped = false
  #damage: unknown
  #repaired = 0
  #failure: unknown

  /** @param onProgress told after each block of them. */
  constructor(indexes: Indexes, stored: SignatureStore | undefined, onProgress?: OnOpenProgress) {
    this.#indexes = indexes
    this.#stored = stored
    this.#onProgress = onProgress
  }

  /** How many episodes have all their signatures; `undefined` when all have. */
  get progress(): Progress | undefined {
    if (this.#indexes.arenas.isWhole) return undefined
    const {
      arenas: { awaiting },
      catalog,
    } = this.#indexes
    return { done: catalog.size - awaiting, total: catalog.size }
  }

  /** Signatures that were damaged in the checkpoint. */
  get repaired(): number {
    return this.#repaired
  }

  /** What went wrong meanwhile. */
  get events(): StorageEvent[] {
    const reason = (error: unknown) => ({ reason: error instanceof Error ? error.message : String(error) })
    if (this.#failure !== undefined) {
      const message =
        'signatures of older memories can be read neither from what was kept of the indexes nor from the ' +
        'journal; they are found by their words alone: see verify()'
      return [{ kind: 'index-damaged', message, details: reason(this.#failure) }]
    }
    if (this.#damage === undefined) return []
    const message =
      'what was kept of the indexes is damaged; that part was made again from the episodes, and nothing is lost'
    return [{ kind: 'index-damaged', message, details: reason(this.#damage) }]
  }

  /**
   * Loads what is not there yet. Resolves when nothing is left to do: all is there, it could not be read, or {@link
   * stop} was called.
   */
  finish(): Promise<void> {
    return (this.#work ??= this.#load().catch((error: unknown) => void (this.#failure = error)))
  }

  /** Loads no more. The indexes are left alone once it resolves. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#work
  }

  async #load(): Promise<void> {
    const paced = pace()
    const rest = async (): Promise<void> => {
      await paced()
      if (this.#stopped) throw new Stopped()
    }
    try {
      for (let next = this.#indexes.arenas.awaited; next !== undefined; next = this.#indexes.arenas.awaited) {
        await rest()
        await next.kept.load(next.block, rest).catch((error: unknown) => this.#mend(next!, error, rest))
        const of = this.#indexes.catalog.size
        this.#onProgress?.({ what: 'signatures', done: of - this.#indexes.arenas.awaiting, of })
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
  }

  /** Takes what a damaged block should have from the episodes as they are stored. */
  async #mend({ kept: { arena, kind }, block }: AwaitedPart, error: unknown, rest: () => Promise<void>): Promise<void> {
    if (error instanceof Stopped || this.#stored === undefined) throw error
    this.#damage ??= error
    const slots = arena.awaitedSlots(block)
    for (let from = 0; from < slots.length; from += SLOTS_PER_READ) {
      const wanted = slots.subarray(from, from + SLOTS_PER_READ)
      await this.#stored.visitEpisodes([...wanted], ({ slot, row, signatures, encoder }) => {
        // It may have been removed, or signed anew, meanwhile.
        if (this.#stopped || arena.awaits(slot) !== block) return
        const signature = this.#indexes.unmarked(decodeEpisode(row), { signatures, encoder })[kind]
        if (signature === undefined) return
        arena.set(slot, signature)
        this.#repaired++
      })
      await rest()
      // Nothing that is stored belongs there.
      for (const slot of wanted) if (arena.awaits(slot) === block) arena.clear(slot)
    }
  }
}

/** No more is to be loaded. */
class Stopped extends Error {}
