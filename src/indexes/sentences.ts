import type { SentenceEncoder } from '../api/encoder.js'
import { latentQuery, latentSignature, marked, unmarked } from '../encoding/latent.js'
import type { Arena, Kernel, Query } from '../kernel/port.js'

/** What a sentence encoder makes of the texts, as far as they are encoded: a signature each. */
export class Sentences {
  readonly arena: Arena
  readonly #kernel: Kernel
  /** The id of the encoder. */
  readonly maker: string

  /** @param rows as of {@link Kernel.arena} */
  constructor(kernel: Kernel, { id }: Pick<SentenceEncoder, 'id'>, rows?: number) {
    this.arena = kernel.arena({ rows })
    this.#kernel = kernel
    this.maker = id
  }

  /** The signature of a latent, after the mark of its encoder: as it is stored. */
  signature(latent: Float32Array): Uint8Array {
    return marked(this.maker, latentSignature(this.#kernel, latent))
  }

  /** @param stored what {@link signature} gave; that of another encoder is passed over. */
  add(slot: number, stored: Uint8Array | undefined): void {
    const signature = this.stored(stored)
    if (signature !== undefined) this.arena.set(slot, signature)
  }

  /** A stored signature without its mark; `undefined` for that of another encoder. */
  stored(stored: Uint8Array | undefined): Uint8Array | undefined {
    return unmarked(this.maker, stored)
  }

  remove(slot: number): void {
    this.arena.clear(slot)
  }

  /** The latent of a cue, to search with. */
  query(latent: Float32Array): Query {
    return latentQuery(this.#kernel, latent)
  }
}
