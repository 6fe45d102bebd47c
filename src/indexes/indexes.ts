import type { SentenceEncoder } from '../core/encoder.js'
import type { Episode } from '../core/episode.js'
import type { Codebook } from '../codebook/codebook.js'
import { conceptKey, conceptWords } from '../hdc/concept.js'
import { ENCODER_VERSION } from '../hdc/encoder.js'
import { Records } from '../hdc/record.js'
import { term, termCounts, tokens } from '../hdc/tokens.js'
import { type Reading, Words } from '../hdc/words.js'
import type { Arena, Kernel } from '../kernel/port.js'
import type { Signatures, Signed } from '../storage/port.js'
import { Catalog } from './catalog.js'
import { Latents } from './latents.js'
import { Mentions } from './mentions.js'
import { Names } from './names.js'
import { Postings } from './postings.js'
import { Sentences } from './sentences.js'
import { Timeline } from './timeline.js'
import { TraitIndex } from './traits.js'

/**
 * Text signatures that are kept in rows as well, 128 MiB: recall scores candidates for the order of
 * the words of a cue, for which it does not scan; from columns alone that would take as long as a scan.
 */
const TEXT_ROWS = 131_072

/** The text of an episode, read once for all that is made of it. */
export interface Read extends Reading {
  /** Its word pieces; absent without a codebook. */
  readonly pieces?: Uint16Array
}

/**
 * All that recall searches: a function of the live episodes. Each part has a `remove` beside its
 * `add`, so that a memory that lost an episode is equal to one that never had it.
 */
export class Indexes {
  readonly kernel: Kernel
  readonly records: Records
  readonly catalog = new Catalog()
  readonly postings = new Postings()
  readonly timeline = new Timeline()
  readonly traits = new TraitIndex()
  readonly mentions = new Mentions()
  /** Subjects and objects of triples, by their folded spelling. */
  readonly concepts = new Names(conceptWords)
  /** Predicates of triples; their words are compared by stem, so that a cue may inflect them. */
  readonly predicates = new Names(stems)
  readonly text: Arena
  readonly structured: Arena
  /** Absent without a codebook. */
  readonly latents: Latents | undefined
  /** Absent without a sentence encoder. Episodes come into it later, when they are encoded. */
  readonly sentences: Sentences | undefined
  readonly #words: Words

  constructor(kernel: Kernel, codebook?: Codebook, encoder?: SentenceEncoder) {
    this.kernel = kernel
    this.records = new Records(kernel)
    this.#words = new Words(kernel)
    this.text = kernel.arena({ rows: TEXT_ROWS })
    this.structured = kernel.arena()
    this.latents = codebook && new Latents(kernel, codebook)
    this.sentences = encoder && new Sentences(kernel, encoder)
  }

  /** Reads the text of an episode, which is to be encoded and added. */
  read(episode: Episode): Read {
    return { ...this.#words.read(episode.text, episode.speaker), pieces: this.latents?.pieces(indexedText(episode)) }
  }

  /** The signatures under which an episode will be found. */
  encode(episode: Episode, read = this.read(episode)): Signed & { readonly encoder: number } {
    const structured = this.records.signature(episode.triples)
    const text = this.#words.signature(read, indexedText(episode))
    const latent = read.pieces && this.latents?.signature(read.pieces)
    return {
      signatures: { text, ...(structured !== undefined && { structured }), ...(latent !== undefined && { latent }) },
      encoder: ENCODER_VERSION,
    }
  }

  /**
   * Adds an episode as it was stored. Signatures that another version of the encoder or another codebook made would be
   * found by chance only, so they are made again, as are those that were left out without a codebook; answers whether any were.
   */
  restore(slot: number, episode: Episode, { signatures, encoder }: Signed): boolean {
    const outdated = encoder !== ENCODER_VERSION
    const read = this.read(episode)
    const current = outdated ? this.encode(episode, read).signatures : { ...signatures, latent: this.#latent(read, signatures.latent) }
    this.add(slot, episode, current, read)
    this.sentences?.add(slot, signatures.sentence)
    return outdated || current.latent !== signatures.latent
  }

  /** A latent signature as it was stored, or made again; without a codebook it is left as it is. */
  #latent({ pieces }: Read, stored: Uint8Array | undefined): Uint8Array | undefined {
    if (this.latents === undefined || pieces === undefined || this.latents.made(stored)) return stored
    return this.latents.signature(pieces)
  }

  /** Throws `AGIDB_KERNEL` when the kernel's memory is full; then nothing of the episode is here. */
  add(slot: number, episode: Episode, signatures: Signatures, read = this.read(episode)): void {
    // First what can fail.
    try {
      if (signatures.text !== undefined) this.text.set(slot, signatures.text)
      if (signatures.structured !== undefined) this.structured.set(slot, signatures.structured)
      if (read.pieces !== undefined) this.latents?.add(slot, read.pieces, signatures.latent)
    } catch (error) {
      this.text.clear(slot)
      this.structured.clear(slot)
      throw error
    }
    this.catalog.add(slot, episode)
    this.postings.add(slot, this.#words.terms(read))
    this.timeline.add(slot, episode.session)
    this.traits.add(slot, this.#words.traits(read, episode.text))
    this.mentions.add(slot, episode.text)
    for (const { subject, predicate, object } of episode.triples) {
      this.concepts.add(slot, conceptKey(subject))
      this.concepts.add(slot, conceptKey(object))
      this.predicates.add(slot, conceptKey(predicate))
    }
  }

  remove(slot: number, episode: Episode): void {
    this.catalog.remove(slot)
    this.postings.remove(slot, termCounts(indexedText(episode)))
    this.timeline.remove(slot, episode.session)
    this.traits.remove(slot)
    this.mentions.remove(slot)
    for (const { subject, predicate, object } of episode.triples) {
      this.concepts.remove(slot, conceptKey(subject))
      this.concepts.remove(slot, conceptKey(object))
      this.predicates.remove(slot, conceptKey(predicate))
    }
    this.text.clear(slot)
    this.structured.clear(slot)
    this.latents?.remove(slot)
    this.sentences?.remove(slot)
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#words.free()
    this.text.free()
    this.structured.free()
    this.latents?.arena.free()
    this.sentences?.arena.free()
  }
}

/** What of an episode is searched as text: who said it is part of it. */
export function indexedText(episode: Episode): string {
  return episode.speaker === undefined ? episode.text : `${episode.speaker}: ${episode.text}`
}

function stems(text: string): string[] {
  return tokens(text).map((token) => term(token) ?? token)
}
