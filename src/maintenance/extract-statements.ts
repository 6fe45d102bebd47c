import type { Episode } from '../api/episode.js'
import type { Extraction, ExtractionContext, ExtractionStats, Extractor, OnExtracted } from '../api/extractor.js'
import { AgidbError } from '../base/errors.js'
import { turn } from '../base/event-loop-turn.js'
import type { CheckExtraction } from '../extraction/check.js'
import type { Indexes } from '../indexes/indexes.js'
import { contextOf, turnsBefore } from '../memory/episodes/reading-context.js'
import type { Found } from './found.js'

/** Texts of one call to the extractor and one commit. With 64 the slowest recalls meanwhile wait for the commit. */
const TEXTS_PER_BATCH = 32

export interface ExtractionOptions {
  /** The extractor, before it is loaded: what it has read is known by this. */
  readonly reader: Pick<Extractor, 'id' | 'version'>
  /** Loads the extractor; called when there is something to read. */
  readonly load: () => Promise<Extractor>
  /** Loads what checks that which the extractor answers; called with {@link load}. */
  readonly loadCheck: () => Promise<CheckExtraction>
  /** Whether it answers within a few milliseconds. */
  readonly isQuick: boolean
  readonly indexes: Indexes
  /** Gives the episodes of slots; `undefined` for one that went away. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
  /** Stores what was found, but for episodes that say something else by now. */
  readonly store: (found: readonly Found[], extractor: Extractor) => Promise<void>
  readonly onExtracted?: OnExtracted
}

/**
 * Reads the texts of episodes in the background, in the order in which they were observed, and stores the statements
 * that they make. Whatever the extractor does, observing and recalling go on: once it has failed it is left alone, and
 * {@link stats} say why.
 */
export class StatementExtraction {
  readonly #options: ExtractionOptions
  #extractor: Extractor | undefined
  #check: CheckExtraction | undefined
  /** Every slot below is read, or gone. */
  #next = 0
  /** The first slot that came to say something else while a batch was read. */
  #revised = Infinity
  #running: Promise<void> | undefined
  #stopped = false
  #error: string | undefined

  constructor(options: ExtractionOptions) {
    this.#options = options
  }

  /** Reads what is not read. Returns at once. */
  wake(): void {
    if (this.#running !== undefined || this.#over) return
    this.#running = this.#run().finally(() => (this.#running = undefined))
  }

  /**
   * What is found in an episode that was read before, in another context: for the built-in rules, which need no more
   * than a moment. `undefined` for other extractors and after a failure; the episode is then read again in the
   * background.
   */
  async now(episode: Episode, context: ExtractionContext): Promise<Extraction | undefined> {
    const { extraction } = episode
    try {
      if (this.#options.isQuick && !this.#over && extraction !== undefined) {
        const extractor = await this.#loaded()
        const isSame = extractor.id === extraction.extractor && extractor.version === extraction.version
        if (isSame) return (await this.#found(extractor, [{ episode, context }]))[0]
      }
    } catch (error) {
      this.#fail(error)
    }
    return undefined
  }

  /** Reads an episode again, which says something else now. */
  again(slot: number): void {
    this.#next = Math.min(this.#next, slot)
    this.#revised = Math.min(this.#revised, slot)
    this.wake()
  }

  /** Resolves when every text is read, or it is known that some will not be. */
  async finish(): Promise<void> {
    for (this.wake(); this.#running !== undefined; this.wake()) {
      await this.#running
      if (this.#pending().length === 0) return
    }
  }

  /** Ends the reading: what the extractor is busy with is dropped. */
  stop(): void {
    this.#stopped = true
  }

  get stats(): ExtractionStats {
    const { id, version } = this.#options.reader
    const { done, total } = this.#progress
    return {
      extractor: id,
      version,
      extracted: done,
      pending: total - done,
      ...(this.#error !== undefined && { error: this.#error }),
    }
  }

  get #reader(): { readonly extractor: string; readonly version: string } {
    const { id, version } = this.#options.reader
    return { extractor: id, version }
  }

  get #over(): boolean {
    return this.#stopped || this.#error !== undefined
  }

  get #progress(): { readonly done: number; readonly total: number } {
    const { extracted, catalog, documents } = this.#options.indexes
    return {
      done: extracted.count(this.#reader),
      total: catalog.size - documents.size,
    }
  }

  async #run(): Promise<void> {
    // What was asked for first goes first.
    await turn()
    try {
      if (this.#pending().length === 0) return
      const extractor = await this.#loaded()
      for (let slots = this.#pending(); slots.length > 0 && !this.#over; slots = this.#pending()) {
        await this.#read(slots, extractor)
        await turn()
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  async #loaded(): Promise<Extractor> {
    const extractor = (this.#extractor ??= await this.#options.load())
    this.#check ??= await this.#options.loadCheck()
    return extractor
  }

  #fail(error: unknown): void {
    if (!this.#stopped) this.#error ??= error instanceof Error ? error.message : String(error)
  }

  /** The next slots to read. */
  #pending(): number[] {
    const { catalog, documents, extracted } = this.#options.indexes
    const slots: number[] = []
    const reader = this.#reader
    for (const slot of catalog.slots(this.#next)) {
      // Documents tell of their subject, and not of whom the memory is of.
      if (!documents.has(slot) && !extracted.has(slot, reader)) slots.push(slot)
      if (slots.length === TEXTS_PER_BATCH) break
    }
    return slots
  }

  async #read(slots: readonly number[], extractor: Extractor): Promise<void> {
    const { fetch, store, onExtracted } = this.#options
    this.#revised = Infinity
    const episodes = await this.#withContext(slots, fetch)
    const found = await this.#found(extractor, episodes)
    if (this.#stopped) return
    await store(
      episodes.map(({ slot, episode }, i) => ({ slot, episode, extraction: found[i] })),
      extractor,
    )
    this.#next = Math.min(slots[slots.length - 1] + 1, this.#revised)
    if (!this.#stopped) await onExtracted?.(this.#progress)
  }

  /** @throws AgidbError `AGIDB_EXTRACTOR` when the extractor answers in another form. */
  async #found(
    extractor: Extractor,
    read: readonly { readonly episode: Episode; readonly context: ExtractionContext }[],
  ): Promise<Extraction[]> {
    const found = await extractor.extract(
      read.map(({ episode }) => episode.text),
      read.map(({ context }) => context),
    )
    if (!Array.isArray(found) || found.length !== read.length) {
      const answered = `the extractor ${extractor.id} answered ${read.length} texts`
      const message = `${answered} with something else than as many results`
      throw new AgidbError('AGIDB_EXTRACTOR', message)
    }
    return read.map(({ episode }, i) => this.#check!(episode.text, found[i], extractor.id))
  }

  /** The episodes of slots that are there, with what was said before them in their sessions. */
  async #withContext(slots: readonly number[], fetch: ExtractionOptions['fetch']) {
    const before = slots.map((slot) => turnsBefore(this.#options.indexes, slot))
    const all = [...new Set([...slots, ...before.flat()])]
    const episodes = await fetch(all)
    const bySlot = new Map(all.map((slot, i) => [slot, episodes[i]]))
    return slots.flatMap((slot, i) => {
      const episode = bySlot.get(slot)
      if (episode === undefined) return []
      const turns = before[i].flatMap((at) => bySlot.get(at) ?? [])
      return [{ slot, episode, context: contextOf(episode, turns) }]
    })
  }
}
