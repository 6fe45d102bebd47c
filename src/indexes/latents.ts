import { log } from '../base/exponential.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { latentQuery } from '../encoding/latent.js'
import { LATENT_BYTES, PIECES_PER_CALL, piecesSignatures } from '../encoding/spaces/latent.js'
import { indexedText } from '../encoding/spaces/space.js'
import type { Kernel, Query } from '../kernel/port.js'
import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { HEAP } from '../base/heap-size.js'
import { Lists } from './lists.js'
import type { Index } from './port.js'
import { Bits } from '../base/bits.js'

/** Latents that are kept, 1 KiB each: many times those that a text is compared with when it comes, at most 8 MiB. */
export const MAX_EXACT = 8_192

/** A cue as a latent. */
export interface LatentCue {
  /** By the codebook's weights and the memory's idf, of unit length. */
  readonly latent: Float32Array
  /** By the codebook's weights alone, of unit length. */
  readonly fixed: Float32Array
  /** Against latent signatures. */
  readonly query: Query
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
  /** Latents that were asked for one by one, by slot; they depend on the text and the codebook alone. */
  readonly #latents = new Map<number, Float32Array>()
  /** In how many texts each piece occurs. */
  #frequency: Uint32Array
  /** The last text that each piece was met in, to tell what comes again. */
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
    return latent && fixed && { latent, fixed, query: latentQuery(this.#kernel, latent) }
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

  /** The latent of an episode, of unit length. To be read only: it is kept, for who asks for it again. */
  latent(slot: number): Float32Array | undefined {
    const kept = this.#latents.get(slot)
    if (kept !== undefined) return kept
    const latent = this.latents([slot])
    if (!latent.some((value) => value !== 0)) return undefined
    // Dropped whole when it is full: simple, and rare.
    if (this.#latents.size >= MAX_EXACT) this.#latents.clear()
    this.#latents.set(slot, latent)
    return latent
  }

  /**
   * {@link latent} of each of many episodes, one after the other, zeros where there is none: quicker than to ask for
   * each.
   */
  latents(slots: ArrayLike<number>): Float32Array {
    const { dimension } = this.codebook
    let found: Float32Array | undefined
    const ends = new Uint32Array(slots.length)
    for (let from = 0; from < slots.length; ) {
      let to = from
      let end = 0
      do end = ends[to] = end + this.#pieces.length(slots[to++])
      while (to < slots.length && end < PIECES_PER_CALL)
      const pieces = new Uint16Array(end)
      for (let i = from; i < to; i++) this.#pieces.copy(slots[i], pieces, i === from ? 0 : ends[i - 1])
      const sums = this.#kernel.unitSums(this.codebook.weighted(pieces), ends.subarray(from, to))
      if (sums.length === slots.length * dimension) return sums
      found ??= new Float32Array(slots.length * dimension)
      found.set(sums, from * dimension)
      from = to
    }
    return found ?? new Float32Array(0)
  }

  /**
   * The inner products of each of some latents with each of others, those of a latent side by side; of unit vectors,
   * their cosines.
   */
  dots(latents: Float32Array, others: Float32Array): Float64Array {
    return this.#kernel.dots(latents, others, this.codebook.dimension)
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
