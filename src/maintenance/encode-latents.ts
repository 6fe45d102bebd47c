import type { Progress } from '../base/progress.js'
import type { EncoderStats, SentenceEncoder } from '../api/encoder.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import type { SentenceUse } from '../api/recall.js'
import { turn } from '../base/event-loop-turn.js'
import { least } from '../base/extremes.js'
import { latentQuery, latentSignature, marked } from '../encoding/latent.js'
import { indexedText } from '../encoding/spaces/space.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Arena, Query } from '../kernel/port.js'
import type { Writer } from '../write/writer.js'

/** Memories of one call to the encoder and one commit. */
const TEXTS_PER_BATCH = 32
const DEFAULT_CUE_MS = 100

/** Told after each batch how many memories are encoded, and of how many. Encoding goes on when it has returned. */
export type OnEncoded = (progress: Progress) => void | Promise<void>

export interface EncodingOptions {
  readonly encoder: SentenceEncoder
  readonly indexes: Indexes
  readonly writer: Writer
  /** Gives the episodes of slots; `undefined` for one that went away. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
  readonly onEncoded?: OnEncoded
}

/**
 * Encodes memories in the background, in the order in which they were observed, and cues while somebody waits. Whatever
 * the encoder does, observing and recalling go on: once it has failed it is left alone, and {@link stats} say why.
 */
export class LatentEncoding {
  readonly #options: EncodingOptions
  /** Every slot below is encoded, or gone. */
  #next = 0
  /** Slots whose episodes were revised since the batch that is being encoded was read. */
  readonly #revised = new Set<number>()
  #running = false
  #stopped = false
  #error: string | undefined
  readonly #stop: Promise<undefined>
  #resolveStop!: (value: undefined) => void

  constructor(options: EncodingOptions) {
    this.#options = options
    this.#stop = new Promise((resolve) => (this.#resolveStop = resolve))
  }

  /** Encodes what is not encoded. Returns at once. */
  wake(): void {
    if (this.#running || this.#over) return
    this.#running = true
    void this.#run()
  }

  /** Encodes an episode again, which says something else now. */
  again(slot: number): void {
    this.#revised.add(slot)
    this.#next = Math.min(this.#next, slot)
    this.wake()
  }

  /** Ends encoding: what the encoder is busy with is dropped. */
  stop(): void {
    this.#stopped = true
    this.#resolveStop(undefined)
  }

  get stats(): EncoderStats {
    const { id, dimension } = this.#options.encoder
    const { done, total } = this.#progress
    return {
      id,
      dimension,
      encoded: done,
      pending: total - done,
      ...(this.#error !== undefined && { error: this.#error }),
    }
  }

  /** The query for a cue, if its latent comes in time, and what became of it. */
  async ask(cue: string): Promise<{ readonly use: SentenceUse; readonly query?: Query }> {
    const { encoder, indexes } = this.#options
    if (this.#over) return { use: 'failed' }
    if (this.#arena.size === 0) return { use: 'none' }
    const encoding = this.#latents([cue]).catch((error: unknown) => this.#fail(error))
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>(
      (resolve) => (timer = setTimeout(() => resolve('late'), encoder.cueMs ?? DEFAULT_CUE_MS)),
    )
    const latents = await Promise.race([encoding, late, this.#stop])
    clearTimeout(timer)
    if (latents === 'late') return { use: 'late' }
    if (latents === undefined) return { use: 'failed' }
    try {
      return { use: 'used', query: latentQuery(indexes.kernel, latents[0]) }
    } catch (error) {
      this.#fail(error)
      return { use: 'failed' }
    }
  }

  get #over(): boolean {
    return this.#stopped || this.#error !== undefined
  }

  get #progress(): { readonly done: number; readonly total: number } {
    return { done: this.#arena.size, total: this.#options.indexes.catalog.size }
  }

  /** The signatures of what is encoded. */
  get #arena(): Arena {
    return this.#options.indexes.signatures.get('sentence')!.arena
  }

  async #run(): Promise<void> {
    try {
      for (let slots = this.#pending(); slots.length > 0 && !this.#over; slots = this.#pending()) {
        await this.#encode(slots)
        await turn()
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#running = false
  }

  /** The next slots to encode. */
  #pending(): number[] {
    const arena = this.#arena
    const slots: number[] = []
    for (const slot of this.#options.indexes.catalog.slots(this.#next)) {
      if (!arena.has(slot)) slots.push(slot)
      if (slots.length === TEXTS_PER_BATCH) break
    }
    return slots
  }

  async #encode(slots: readonly number[]): Promise<void> {
    const { encoder, fetch, indexes, onEncoded, writer } = this.#options
    this.#revised.clear()
    const episodes = (await fetch(slots)).map((episode, i) => ({ episode, slot: slots[i] })).filter(isThere)
    const latents = await Promise.race([this.#latents(episodes.map(({ episode }) => indexedText(episode))), this.#stop])
    if (latents === undefined || this.#over) return
    const signs = episodes.map(({ episode, slot }, i) => ({
      slot,
      id: episode.id,
      signatures: { sentence: marked(encoder.id, latentSignature(indexes.kernel, latents[i])) },
    }))
    // Before others are written, so that none of them is revised meanwhile.
    await writer.still(() => writer.setSignaturesNow(signs.filter(({ slot }) => !this.#revised.has(slot))))
    this.#next = Math.min(slots[slots.length - 1] + 1, least(this.#revised))
    if (!this.#stopped) await onEncoded?.(this.#progress)
  }

  async #latents(texts: readonly string[]): Promise<Float32Array[]> {
    const { encoder } = this.#options
    // Encoders need not take an empty list: all episodes of a batch may be gone.
    const latents = texts.length === 0 ? [] : await encoder.encode(texts)
    if (
      latents.length !== texts.length ||
      !latents.every((latent) => latent instanceof Float32Array && latent.length === encoder.dimension)
    ) {
      const message =
        `the encoder answered ${texts.length} texts with something else than as many Float32Arrays of length ` +
        `${encoder.dimension}`
      throw new AgidbError('AGIDB_ENCODER', message)
    }
    return latents
  }

  #fail(error: unknown): undefined {
    if (!this.#stopped) this.#error ??= error instanceof Error ? error.message : String(error)
  }
}

function isThere<T>(found: {
  readonly episode: T | undefined
  readonly slot: number
}): found is { readonly episode: T; readonly slot: number } {
  return found.episode !== undefined
}
