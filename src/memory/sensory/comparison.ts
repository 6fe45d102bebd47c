import { HEAP } from '../../base/heap-size.js'
import type { Comparer } from '../../extraction/contrast/comparer.js'
import type { Contrast } from '../../extraction/contrast/contrast.js'
import type { Reading } from '../../extraction/contrast/reading.js'
import { dot } from '../../indexes/latents.js'
import type { MemoryContext } from '../context.js'

/**
 * Words of a text that is compared part by part, at most. A longer text is a document: it is compared as a whole
 * alone.
 */
const LONGEST = 256
/** Characters that so many words may have, so that a document is not read to be counted. */
const LONGEST_CHARACTERS = 16 * LONGEST
/** Readings and latents of words that are kept, before all are dropped. */
const MAX_CACHED = 4_096
/** What V8 takes for a reading, about. */
const READING_BYTES = 2_500

/** A text and who said it. */
export interface Spoken {
  readonly text: string
  readonly speaker?: string
}

/** Compares texts part by part. What it keeps is a function of the texts and the codebook. */
export class Comparison {
  readonly #comparer: Comparer
  readonly #indexes: Pick<MemoryContext['indexes'], 'latents'>
  /** What latents of words were made with: it may come after opening. */
  #latents: MemoryContext['indexes']['latents']
  readonly #readings = new Map<string, Reading | undefined>()
  readonly #words = new Map<string, Float32Array | undefined>()

  constructor(comparer: Comparer, { indexes }: Pick<MemoryContext, 'indexes'>) {
    this.#comparer = comparer
    this.#indexes = indexes
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const latent = this.#latents === undefined ? 0 : HEAP.view + 4 * this.#latents.codebook.dimension
    return this.#readings.size * (HEAP.entry + READING_BYTES) + this.#words.size * (HEAP.entry + latent)
  }

  /** What a text states: the text without its questions. A long text is taken as it is. */
  stated(text: string): string {
    return text.length > LONGEST_CHARACTERS ? text : this.#comparer.stated(text)
  }

  /** A text taken apart; `undefined` for one that is too long for it. */
  read(text: string): Reading | undefined {
    if (this.#readings.has(text)) return this.#readings.get(text)
    if (this.#readings.size >= MAX_CACHED) this.#readings.clear()
    const reading = text.length > LONGEST_CHARACTERS ? undefined : this.#comparer.read(text)
    const kept = reading !== undefined && reading.words.length <= LONGEST ? reading : undefined
    this.#readings.set(text, kept)
    return kept
  }

  /** A text beside another one; `undefined` where one of them is too long for it. */
  contrast(mine: Spoken, its: Spoken): Contrast | undefined {
    const [a, b] = [this.read(mine.text), this.read(its.text)]
    if (a === undefined || b === undefined) return undefined
    const found = this.#comparer.contrast(a, b, (one, other) => this.#likeness(one, other))
    if (!saysI(a) || !saysI(b) || mine.speaker === undefined || its.speaker === undefined) return found
    if (mine.speaker === its.speaker) return found
    // Two who say "I" speak of two.
    const difference = { kind: 'name', here: mine.speaker, there: its.speaker } as const
    return { ...found, news: found.news + 1, differences: [...found.differences, difference] }
  }

  /** Forgets what was read: texts may have been removed. */
  forget(): void {
    this.#readings.clear()
  }

  #likeness(a: string, b: string): number {
    const [one, other] = [this.#latent(a), this.#latent(b)]
    return one === undefined || other === undefined ? 0 : dot(one, other)
  }

  #latent(word: string): Float32Array | undefined {
    const { latents } = this.#indexes
    if (this.#latents !== latents) this.#words.clear()
    this.#latents = latents
    if (!this.#words.has(word)) {
      if (this.#words.size >= MAX_CACHED) this.#words.clear()
      this.#words.set(word, latents?.of(word))
    }
    return this.#words.get(word)
  }
}

function saysI({ items }: Reading): boolean {
  return items.some(({ kind, word }) => kind === 'person' && word === 'i')
}
