import { log } from '../base/exponential.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { latentQuery, MAKER_BYTES, mark, unmarked } from '../encoding/latent.js'
import { type Arena, type Kernel, type Query, SIGNATURE_BYTES } from '../kernel/port.js'
import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { HEAP } from '../base/heap-size.js'
import { Lists } from './lists.js'
import { Bits } from '../base/bits.js'

/**
 * Word pieces whose latents are summed in one call, about: those of the candidates of a question, up to 2 MiB of
 * latents.
 */
const LATENTS_PER_BLOCK = 8_192
/** Latents that are kept, 1 KiB each: many times those that a text is compared with when it comes, at most 8 MiB. */
export const MAX_EXACT = 8_192

/** Bytes of a signature after the mark of its codebook. */
export const LATENT_BYTES = MAKER_BYTES + SIGNATURE_BYTES

/** A cue as a latent. */
export interface LatentCue {
  /** By the codebook's weights and the memory's idf, of unit length. */
  readonly latent: Float32Array
  /** By the codebook's weights alone, of unit length. */
  readonly fixed: Float32Array
  /** Against latent signatures. */
  readonly query: Query
}

/**
 * What texts mean, by a semantic codebook: a signature each, made once with the codebook's own weights, to search by;
 * and the word pieces, from which a latent is made with the memory's own idf to look closer.
 */
export class Latents {
  readonly codebook: Codebook
  readonly arena: Arena
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

  /** @param rows as of {@link Kernel.arena} */
  constructor(kernel: Kernel, codebook: Codebook, rows?: number) {
    this.codebook = codebook
    this.arena = kernel.arena({ rows })
    this.#kernel = kernel
    this.#frequency = new Uint32Array(codebook.size)
    this.#met = new Uint32Array(codebook.size)
  }

  /** Bytes of memory beside the arena and the codebook. */
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
    return this.signatures([pieces], new Uint8Array(LATENT_BYTES))[0]
  }

  /**
   * {@link signature} of each of some texts, as views of `into`, which has {@link LATENT_BYTES} for each: quicker than
   * one by one.
   */
  signatures(texts: readonly Uint16Array[], into: Uint8Array): (Uint8Array | undefined)[] {
    const found: (Uint8Array | undefined)[] = []
    for (let from = 0; from < texts.length; ) {
      let to = from
      let count = 0
      do count += texts[to++].length
      while (to < texts.length && count < LATENTS_PER_BLOCK)
      this.#project(texts.slice(from, to), into.subarray(from * LATENT_BYTES, to * LATENT_BYTES), found)
      from = to
    }
    return found
  }

  /** A stored signature without its mark; `undefined` for one that was not made with this codebook. */
  stored(stored: Uint8Array | undefined): Uint8Array | undefined {
    return unmarked(this.codebook.id, stored)
  }

  /** Adds all but the signature, which is for the arena. */
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
    this.arena.clear(slot)
  }

  /** Saves all but the arena. */
  save(parts: CheckpointParts, name: string): void {
    this.#texts.save(parts, `${name}.texts`)
    this.#pieces.save(parts, `${name}.pieces`)
    parts.set(`${name}.frequency`, this.#frequency)
  }

  /** Loads all but the arena. */
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
      while (to < slots.length && end < LATENTS_PER_BLOCK)
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

  #project(texts: readonly Uint16Array[], into: Uint8Array, found: (Uint8Array | undefined)[]): void {
    const { pieces, ends } = together(texts)
    const some = this.#kernel.projectSums(
      this.codebook.weighted(pieces),
      ends,
      into.subarray(MAKER_BYTES),
      LATENT_BYTES,
    )
    some.forEach((hasDirection, i) => {
      mark(this.codebook.id, into, i * LATENT_BYTES)
      found.push(hasDirection ? into.subarray(i * LATENT_BYTES, (i + 1) * LATENT_BYTES) : undefined)
    })
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

/** Lists one after the other, and where each ends. */
function together(lists: readonly Uint16Array[]): { readonly pieces: Uint16Array; readonly ends: Uint32Array } {
  const ends = new Uint32Array(lists.length)
  let end = 0
  lists.forEach((list, i) => {
    ends[i] = end += list.length
  })
  const pieces = new Uint16Array(end)
  lists.forEach((list, i) => pieces.set(list, ends[i] - list.length))
  return { pieces, ends }
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
