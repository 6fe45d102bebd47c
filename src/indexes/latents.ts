import { log } from '../base/exponential.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { latentQuery } from '../encoding/latent.js'
import { LATENT_BYTES, pieceBatches, PIECES_PER_CALL, piecesSignatures } from '../encoding/spaces/latent.js'
import { indexedText } from '../encoding/spaces/space.js'
import type { Kernel, Query } from '../kernel/port.js'
import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { HEAP } from '../base/heap-size.js'
import { Lists } from './lists.js'
import type { Index } from './port.js'
import { Bits } from '../base/bits.js'

/** Latents that are kept, 1 KiB each, at most 8 MiB: those of the candidates of many recalls. */
export const MAX_EXACT = 8_192

/** Word pieces of a cue that are compared one by one with those of episodes: enough for any question. */
const MOST_COMPARED = 32
/**
 * Word pieces of episodes that are compared with a cue together: those of all candidates mostly, since many have the
 * same, and each is compared once.
 */
const MOST_TOGETHER = 16_384
/** A piece that more than about a third of the episodes have tells nothing. */
const LEAST_IDF = 1

const NO_PIECES = new Uint16Array(0)

/** How a cue compares with episodes. */
export interface Compared {
  /** See {@link Latents.latents}. */
  readonly latents: Float32Array
  /**
   * Of each episode and each piece of the cue the highest cosine of its latent with that of a piece of the episode, 0
   * where none is above 0. Those of an episode stand side by side.
   */
  readonly cosines: Float64Array
}

/** A cue as a latent. */
export interface LatentCue {
  /** By the codebook's weights and the memory's idf, of unit length. */
  readonly latent: Float32Array
  /** By the codebook's weights alone, of unit length. */
  readonly fixed: Float32Array
  /** Against latent signatures. */
  readonly query: Query
  /** Its word pieces, each once, in order; of many those that are rarest in this memory, and none that are common. */
  readonly pieces: Uint16Array
  /** The inverse document frequency of each of them in this memory. */
  readonly idf: Float64Array
}

/** Indexes the word pieces of texts. */
export function latentIndex(latents: Latents): Index<Latents> {
  return {
    contents: latents,
    add(slot, _, { pieces }) {
      if (pieces !== undefined) latents.add(slot, pieces)
    },
    update: (slot, episode) => latents.update(slot, latents.pieces(indexedText(episode))),
    remove: (slot) => latents.remove(slot),
  }
}

/**
 * The word pieces of texts by a semantic codebook, and what they mean with the memory's own weights of word pieces.
 * Signatures are searched first; these latents compare the candidates that were found.
 */
export class Latents {
  readonly codebook: Codebook
  readonly #kernel: Kernel
  readonly #texts = new Bits()
  readonly #pieces = new Lists(Uint16Array)
  /** Latents that were asked for, by slot; they depend on the text and the codebook alone. */
  readonly #latents = new Map<number, Float32Array>()
  /** In how many texts each piece occurs. */
  #frequency: Uint32Array
  /** The last text in which each word piece stood, to find pieces that are repeated in a text. */
  readonly #met: Uint32Array
  #text = 0

  constructor(kernel: Kernel, codebook: Codebook) {
    this.codebook = codebook
    this.#kernel = kernel
    this.#frequency = new Uint32Array(codebook.size)
    this.#met = new Uint32Array(codebook.size)
  }

  /** Bytes of main memory beside the codebook. */
  get bytes(): number {
    const latents = this.#latents.size * (HEAP.entry + HEAP.view + 4 * this.codebook.dimension)
    return this.#texts.bytes + this.#pieces.bytes + this.#frequency.byteLength + this.#met.byteLength + latents
  }

  /** The word pieces of a text that the codebook knows, each once, in the order in which they first come. */
  pieces(text: string): Uint16Array {
    const pieces = this.codebook.pieces(text)
    if (++this.#text === 2 ** 32) {
      this.#met.fill(0)
      this.#text = 1
    }
    let count = 0
    for (const piece of pieces) {
      if (this.#met[piece] === this.#text) continue
      this.#met[piece] = this.#text
      pieces[count++] = piece
    }
    pieces.length = count
    return new Uint16Array(pieces)
  }

  /** The signature of a text of these pieces, after the mark of its codebook; `undefined` for one of none. */
  signature(pieces: Uint16Array): Uint8Array | undefined {
    return piecesSignatures(this.#kernel, this.codebook, [pieces], new Uint8Array(LATENT_BYTES))[0]
  }

  /** Whether the text of a slot is here. */
  has(slot: number): boolean {
    return this.#texts.has(slot)
  }

  add(slot: number, pieces: Uint16Array): void {
    this.#texts.add(slot)
    this.#pieces.set(slot, pieces)
    this.#forget(slot)
    for (const piece of pieces) this.#frequency[piece]++
  }

  remove(slot: number): void {
    for (const piece of this.#pieces.get(slot)) this.#frequency[piece]--
    this.#texts.remove(slot)
    this.#pieces.remove(slot)
    this.#forget(slot)
  }

  /** Takes over the pieces of a text that is here already. */
  update(slot: number, pieces: Uint16Array): void {
    const before = this.#pieces.get(slot)
    if (before.length === pieces.length && before.every((piece, i) => piece === pieces[i])) return
    this.remove(slot)
    this.add(slot, pieces)
  }

  save(parts: CheckpointParts, name: string): void {
    this.#texts.save(parts, `${name}.texts`)
    this.#pieces.save(parts, `${name}.pieces`)
    parts.set(`${name}.frequency`, this.#frequency)
  }

  load(parts: CheckpointParts, name: string): void {
    this.#texts.load(parts, `${name}.texts`)
    this.#pieces.load(parts, `${name}.pieces`)
    this.#frequency = part(parts, `${name}.frequency`, Uint32Array)
  }

  /** A cue with the memory's own idf; `undefined` when the codebook knows none of its words. */
  cue(text: string): LatentCue | undefined {
    const latent = this.weighted(text)
    const fixed = this.of(text)
    return latent && fixed && { latent, fixed, query: latentQuery(this.#kernel, latent), ...this.#rarest(text) }
  }

  /**
   * The latent of any text with the memory's own idf, of unit length; `undefined` when the codebook knows none of its
   * words.
   */
  weighted(text: string): Float32Array | undefined {
    return this.#sum(this.pieces(text), (piece) => this.codebook.weight(piece) * this.#idf(piece))
  }

  /**
   * The latent of any text by the codebook's weights alone, of unit length; `undefined` when it knows none of its
   * words.
   */
  of(text: string): Float32Array | undefined {
    return this.#sum(this.pieces(text), (piece) => this.codebook.weight(piece))
  }

  /**
   * The latents of many texts, as {@link of} gives them up to rounding, and quicker. Zeros for a text of no known
   * words.
   */
  ofMany(texts: readonly string[]): Float32Array[] {
    const { dimension } = this.codebook
    const latents: Float32Array[] = []
    for (const { pieces, ends } of pieceBatches(texts.map((text) => this.pieces(text)))) {
      const sums = this.#kernel.unitSums(this.codebook.weighted(pieces), ends)
      for (let i = 0; i < ends.length; i++) latents.push(sums.subarray(i * dimension, (i + 1) * dimension))
    }
    return latents
  }

  /** The latent of an episode, of unit length. To be read only: it is kept, for who asks for it again. */
  latent(slot: number): Float32Array | undefined {
    const kept = this.#latents.get(slot)
    if (kept !== undefined) return kept
    this.latents([slot])
    return this.#latents.get(slot)
  }

  /**
   * {@link latent} of each of many episodes, one after the other, zeros where there is none: quicker than to ask for
   * each.
   */
  latents(slots: ArrayLike<number>): Float32Array {
    return this.compare(NO_PIECES, slots, slots.length).latents
  }

  /**
   * Compares a cue with many episodes: their latents, and how well each has each piece of the cue.
   *
   * @param wanted the pieces of the cue, each once.
   * @param meant of how many episodes, the first ones, latents are wanted.
   */
  compare(wanted: Uint16Array, slots: ArrayLike<number>, meant: number): Compared {
    const { dimension } = this.codebook
    const width = wanted.length
    const asked = this.codebook.weighted(wanted)
    const [others, scales] = [asked.rows.slice(), asked.scales.slice()]
    const latents = new Float32Array(meant * dimension)
    const cosines = new Float64Array(slots.length * width)
    const missing: number[] = []
    for (let i = 0; i < meant; i++) {
      const kept = this.#latents.get(slots[i])
      if (kept === undefined) missing.push(i)
      else latents.set(kept, i * dimension)
    }
    // Dropped whole when it is full: simple, and rare.
    if (this.#latents.size + missing.length > MAX_EXACT) this.#latents.clear()
    for (const { from, pieces, ends } of this.#together(
      missing.map((i) => slots[i]),
      PIECES_PER_CALL,
    )) {
      const sums = this.#kernel.unitSums(this.codebook.weighted(pieces), ends)
      for (let n = 0; n < ends.length; n++) {
        const latent = sums.slice(n * dimension, (n + 1) * dimension)
        latents.set(latent, missing[from + n] * dimension)
        if (this.#latents.size < MAX_EXACT && latent.some((value) => value !== 0))
          this.#latents.set(slots[missing[from + n]], latent)
      }
    }
    for (const { from, pieces, ends } of width === 0 ? [] : this.#together(slots, MOST_TOGETHER)) {
      const { rows, scales: factors, terms } = this.codebook.weighted(pieces)
      cosines.set(this.#kernel.maxSim({ rows, factors, terms }, ends, others, dimension), from * width)
    }
    for (let at = 0; at < cosines.length; ) for (const scale of scales) cosines[at++] *= scale
    return { latents, cosines }
  }

  /**
   * The pieces of many episodes one after the other, and where those of each end; `most` at a time, and then those of
   * one episode more.
   */
  *#together(
    slots: ArrayLike<number>,
    most: number,
  ): Generator<{ from: number; pieces: Uint16Array; ends: Uint32Array }> {
    for (let from = 0; from < slots.length; ) {
      const ends: number[] = []
      let end = 0
      do ends.push((end += this.#pieces.length(slots[from + ends.length])))
      while (from + ends.length < slots.length && end < most)
      const pieces = new Uint16Array(end)
      for (let i = 0; i < ends.length; i++) this.#pieces.copy(slots[from + i], pieces, ends[i - 1] ?? 0)
      yield { from, pieces, ends: Uint32Array.from(ends) }
      from += ends.length
    }
  }

  /**
   * The inner products of each of some latents with each of others, those of a latent side by side; of unit vectors,
   * their cosines.
   */
  dots(latents: Float32Array, others: Float32Array): Float64Array {
    return this.#kernel.dots(latents, others, this.codebook.dimension)
  }

  /** The pieces of a text that tell most, {@link MOST_COMPARED} at most, and their idf. */
  #rarest(text: string): Pick<LatentCue, 'pieces' | 'idf'> {
    const all = this.pieces(text)
    const idf = Float64Array.from(all, (piece) => this.#idf(piece))
    const telling = Array.from(all.keys()).filter((i) => idf[i] >= LEAST_IDF)
    const rarest = telling.sort((a, b) => idf[b] - idf[a] || a - b)
    const chosen = rarest.slice(0, MOST_COMPARED).sort((a, b) => a - b)
    return { pieces: Uint16Array.from(chosen, (i) => all[i]), idf: Float64Array.from(chosen, (i) => idf[i]) }
  }

  #forget(slot: number): void {
    this.#latents.get(slot)?.fill(0)
    this.#latents.delete(slot)
  }

  #sum(pieces: Uint16Array, weight: (piece: number) => number): Float32Array | undefined {
    const latent = new Float32Array(this.codebook.dimension)
    for (const piece of pieces) this.codebook.add(piece, weight(piece), latent)
    return unit(latent)
  }

  #idf(piece: number): number {
    const n = this.#frequency[piece]
    return log(1 + (this.#texts.count - n + 0.5) / (n + 0.5))
  }
}

/** Scales to unit length, in place; `undefined` for zero. */
export function unit(latent: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(dot(latent, latent))
  if (length === 0) return undefined
  for (let i = 0; i < latent.length; i++) latent[i] /= length
  return latent
}

/** The inner product; of unit vectors, their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  // Four sums side by side: each addition waits only for one of its own.
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const whole = a.length - (a.length % 4)
  for (let i = 0; i < whole; i += 4) {
    first += a[i] * b[i]
    second += a[i + 1] * b[i + 1]
    third += a[i + 2] * b[i + 2]
    fourth += a[i + 3] * b[i + 3]
  }
  for (let i = whole; i < a.length; i++) first += a[i] * b[i]
  return first + second + (third + fourth)
}
