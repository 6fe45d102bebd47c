import type { Episode } from '../api/episode.js'
import type { Extraction, ExtractionContext, ExtractionStats, Extractor, OnExtracted } from '../api/extractor.js'
import { turn } from '../base/event-loop-turn.js'
import type { Found } from './found.js'
import type { TextReader, TextReaderOptions, TextReaderPart } from './text-reader.js'

export interface ExtractionOptions extends TextReaderOptions {
  /** The extractor, before it is loaded: what it has read is known by this. */
  readonly reader: Pick<Extractor, 'id' | 'version'>
  readonly loadPart: () => Promise<TextReaderPart>
  /** Whether it answers within a few milliseconds. */
  readonly isQuick: boolean
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
  #loading: Promise<TextReader> | undefined
  /** Every slot below is read, or gone. */
  #next = 0
  /** The first slot that came to say something else while a batch was read. */
  #revised = Infinity
  #running: Promise<void> | undefined
  /** Work that goes before the next batch. */
  #before: Promise<unknown> | undefined
  #stopped = false
  #error: string | undefined

  constructor(options: ExtractionOptions) {
    this.#options = options
  }

  /** Reads what is not read. Returns at once. */
  wake(): void {
    if (this.#running !== undefined || this.#over) return
    this.#running = this.#run()
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
        const reader = await this.#load()
        const { id, version } = reader.extractor
        if (id === extraction.extractor && version === extraction.version)
          return (await reader.found([{ episode, context }]))[0]
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

  /** Reads no further texts until some work has ended. */
  waitFor(work: Promise<unknown>): void {
    this.#before = work.catch(() => {})
  }

  /** Resolves when every text is read, or it is known that some will not be. */
  async finish(): Promise<void> {
    for (this.wake(); this.#running !== undefined; this.wake()) {
      await this.#running
      if (this.#pending(1).length === 0) return
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
      if (this.#pending(1).length === 0) return
      const reader = await this.#load()
      while (!this.#over) {
        await this.#before
        const slots = this.#pending(reader.batch())
        if (slots.length === 0) return
        await this.#read(slots, reader)
        await reader.giveWay()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      // At once, and not a step later: a wake-up in between would be lost.
      this.#running = undefined
    }
  }

  #load(): Promise<TextReader> {
    return (this.#loading ??= this.#options.loadPart().then(({ TextReader }) => TextReader.open(this.#options)))
  }

  #fail(error: unknown): void {
    if (!this.#stopped) this.#error ??= error instanceof Error ? error.message : String(error)
  }

  /** The next slots to read. */
  #pending(most: number): number[] {
    const { catalog, documents, extracted } = this.#options.indexes
    const slots: number[] = []
    const reader = this.#reader
    for (const slot of catalog.slots(this.#next)) {
      // Documents tell of their subject, and not of whom the memory is of.
      if (!documents.has(slot) && !extracted.has(slot, reader)) slots.push(slot)
      if (slots.length === most) break
    }
    return slots
  }

  async #read(slots: readonly number[], reader: TextReader): Promise<void> {
    const { store, onExtracted } = this.#options
    this.#revised = Infinity
    const found = await reader.read(slots)
    await reader.giveWay()
    if (this.#stopped) return
    await store(found, reader.extractor)
    this.#next = Math.min(slots[slots.length - 1] + 1, this.#revised)
    if (!this.#stopped) await onExtracted?.(this.#progress)
  }
}
