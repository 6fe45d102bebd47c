import type { Episode } from '../api/episode.js'
import type { Extraction, ExtractionContext, Extractor } from '../api/extractor.js'
import { AgidbError } from '../base/errors.js'
import { checkExtraction } from '../extraction/check.js'
import type { Indexes } from '../indexes/indexes.js'
import { contextOf, turnsBefore } from '../memory/episodes/reading-context.js'
import type { Found } from './found.js'
import { giveWay, type Recalls } from './give-way.js'

/** Texts of one call to the extractor and one commit. */
const TEXTS_PER_BATCH = 32
/** The same while recalls are asked: the slowest of them wait for a commit. */
const TEXTS_BESIDE_RECALLS = 8

/** The part that reads texts. */
export interface TextReaderPart {
  readonly TextReader: Pick<typeof TextReader, 'open'>
}

/** With what a {@link TextReader} is made. */
export interface TextReaderOptions {
  /** Loads the extractor. @param giveWay what it may await, where it works in slices. */
  readonly load: (giveWay: () => Promise<void>) => Promise<Extractor>
  readonly indexes: Indexes
  /** Gives the episodes of slots; `undefined` for one that went away. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
  readonly recalls: () => Recalls
}

/**
 * Reads the texts of episodes with an extractor, and checks what it answers. It is loaded when there is something to
 * read.
 */
export class TextReader {
  readonly extractor: Extractor
  /** Lets calls that wait go first, and the recall that is under way. */
  readonly giveWay: () => Promise<void>
  readonly #options: TextReaderOptions
  /** Recalls that had begun when the last batch was taken. */
  #begun: number

  /** Loads the extractor. */
  static async open(options: TextReaderOptions): Promise<TextReader> {
    const giveWayToRecalls = () => giveWay(options.recalls())
    return new TextReader(await options.load(giveWayToRecalls), giveWayToRecalls, options)
  }

  private constructor(extractor: Extractor, giveWay: () => Promise<void>, options: TextReaderOptions) {
    this.extractor = extractor
    this.giveWay = giveWay
    this.#options = options
    this.#begun = options.recalls().begun
  }

  /** How many texts are to be read at once now. */
  batch(): number {
    const { begun } = this.#options.recalls()
    const isAsked = begun !== this.#begun
    this.#begun = begun
    return isAsked ? TEXTS_BESIDE_RECALLS : TEXTS_PER_BATCH
  }

  /** What the extractor finds in the episodes of slots that are there. */
  async read(slots: readonly number[]): Promise<Found[]> {
    const episodes = await this.#withContext(slots)
    const found = await this.found(episodes)
    return episodes.map(({ slot, episode }, i) => ({ slot, episode, extraction: found[i] }))
  }

  /** @throws AgidbError `AGIDB_EXTRACTOR` when the extractor answers in another form. */
  async found(
    read: readonly { readonly episode: Episode; readonly context: ExtractionContext }[],
  ): Promise<Extraction[]> {
    // Extractors need not take an empty list: all episodes of a batch may be gone.
    if (read.length === 0) return []
    const { id } = this.extractor
    const found = await this.extractor.extract(
      read.map(({ episode }) => episode.text),
      read.map(({ context }) => context),
    )
    if (!Array.isArray(found) || found.length !== read.length) {
      const message = `the extractor ${id} answered ${read.length} texts with something else than as many results`
      throw new AgidbError('AGIDB_EXTRACTOR', message)
    }
    return read.map(({ episode }, i) => checkExtraction(episode.text, found[i], id))
  }

  /** The episodes of slots that are there, with what was said before them in their sessions. */
  async #withContext(slots: readonly number[]) {
    const { indexes, fetch } = this.#options
    const before = slots.map((slot) => turnsBefore(indexes, slot))
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
