import type { SentenceEncoder } from '../api/encoder.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { conceptKey, conceptWords } from '../encoding/concept.js'
import { ENCODER_VERSION } from '../encoding/encoder.js'
import { Records } from '../encoding/record.js'
import { term, tokens } from '../encoding/tokens.js'
import { type WordReading, Words } from '../encoding/words.js'
import { type Arena, type Kernel, SIGNATURE_BYTES } from '../kernel/port.js'
import type { CheckpointPart, Signatures, EncodedSignatures, StoredCheckpoint } from '../api/storage.js'
import { Catalog } from './catalog.js'
import { Gathering } from './gathering.js'
import { KeptArenas } from './kept-arenas.js'
import { LATENT_BYTES, Latents } from './latents.js'
import { Mentions } from './mentions.js'
import { Names } from './names.js'
import { Postings } from './postings/postings.js'
import { MAX_ROW_COPIES } from './rows.js'
import { Sentences } from './sentences.js'
import { Timeline } from './timeline.js'
import { TraitIndex } from './traits.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'

/** What the names of parts of an image begin with. */
const IMAGE = 'index'
/** To be raised with every change of what a part means: images of another version are made again. */
const IMAGE_VERSION = 2

/** Signatures that an arena takes in one call. */
const EPISODES_PER_TURN = 64

/** Room that the signatures of an episode take in {@link Indexes.encodeMany}, without those of its triples. */
export const ENCODED_BYTES = SIGNATURE_BYTES + LATENT_BYTES

/**
 * What share of the memories from which on some are loaded later is loaded at once: those that are compared with what
 * is new among them.
 */
const AT_ONCE = 1 / 64

/** What can be kept in an image. */
interface Kept {
  readonly bytes: number
  save(parts: CheckpointParts, name: string): void
  load(parts: CheckpointParts, name: string): void
}

/** The text of an episode, read once for all that is made of it. */
export interface IndexedRow extends WordReading {
  /** Its word pieces; absent without a codebook. */
  readonly pieces?: Uint16Array
}

/** An episode that is to be added, as it was read and is stored. */
interface Added {
  readonly episode: Episode
  readonly signed: EncodedSignatures
  readonly read: IndexedRow
}

/** Signatures, and the version of the encoder that made them. */
export type Encoded = EncodedSignatures & { readonly encoder: number }

/** What of an episode signatures are made of. */
export type TextSignatures = Pick<Episode, 'text' | 'speaker' | 'triples'>

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
  /** Absent without a sentence encoder. Episodes come into it later, when they are encoded. */
  readonly sentences: Sentences | undefined
  /** What is known of words: a cache, which other indexes may share. */
  readonly words: Words
  readonly #shares: boolean
  readonly #rows: number
  #latents: Latents | undefined
  #arenas: KeptArenas
  /** Those of a codebook that came late, while they are being made. */
  #coming: Latents | undefined
  /** Whether a codebook is on its way: an image without it would not be used again. */
  awaitsCodebook = false
  #gathered: Gathering | undefined
  /** Told when an episode that is here is removed or is given another signature. */
  onChange: (slot: number) => void = () => {}
  /** Told when the kernel's memory is full. */
  onFull: () => void = () => {}

  /**
   * @param rows signatures of each arena that are kept in rows beside the columns.
   * @param words those of other indexes, which give their memory back and count it; default: of its own.
   */
  constructor(kernel: Kernel, codebook?: Codebook, encoder?: SentenceEncoder, rows = MAX_ROW_COPIES, words?: Words) {
    this.kernel = kernel
    this.records = new Records(kernel)
    this.words = words ?? new Words(kernel)
    this.#shares = words !== undefined
    this.text = kernel.arena({ rows })
    this.structured = kernel.arena()
    this.#rows = rows
    this.#latents = codebook && new Latents(kernel, codebook, rows)
    this.sentences = encoder && new Sentences(kernel, encoder, rows)
    this.#arenas = this.#keptArenas()
  }

  /** Absent without a codebook, and until one that comes late is {@link adopt}ed. */
  get latents(): Latents | undefined {
    return this.#latents
  }

  /** All of the arenas, as they are kept and loaded. */
  get arenas(): KeptArenas {
    return this.#arenas
  }

  #keptArenas(): KeptArenas {
    const arenas = {
      text: this.text,
      structured: this.structured,
      latent: this.latents?.arena,
      sentence: this.sentences?.arena,
    }
    return new KeptArenas(this.kernel, arenas, `${IMAGE}.arena`, this.#rows)
  }

  /** Begins to make latents with a codebook that came late. Recall does not use them before {@link adopt}. */
  prepare(codebook: Codebook): void {
    this.#coming = new Latents(this.kernel, codebook, this.#rows)
  }

  /**
   * Makes the latent of an episode with the codebook that came late.
   *
   * @returns its signature as it is to be stored; `undefined` when the stored one is right, and for a text without
   * known words.
   */
  prepareLatent(slot: number, episode: TextSignatures, stored: Signatures): Uint8Array | undefined {
    const latents = this.#coming!
    const pieces = latents.pieces(indexedText(episode))
    const kept = latents.stored(stored.latent)
    const made = kept === undefined ? latents.signature(pieces) : undefined
    const signature = kept ?? latents.stored(made)
    if (signature !== undefined) latents.arena.set(slot, signature)
    latents.add(slot, pieces)
    return made
  }

  /** Uses the codebook that came late from now on. All live episodes must have been given to {@link prepareLatent}. */
  adopt(): void {
    this.#latents = this.#coming
    this.#coming = undefined
    this.#arenas = this.#keptArenas()
  }

  /** Lets go of a codebook that came late and is not adopted. */
  abandon(): void {
    this.#coming?.arena.free()
    this.#coming = undefined
  }

  /** Bytes of memory beside the kernel's and the codebook. */
  get bytes(): number {
    const words = this.#shares ? 0 : this.words.bytes
    const coming = this.#coming?.bytes ?? 0
    return this.#kept().reduce((sum, [, { bytes }]) => sum + bytes, words + coming + (this.#gathered?.bytes ?? 0))
  }

  /** Reads the text of an episode, which is to be encoded and added. */
  read(episode: TextSignatures): IndexedRow {
    return { ...this.words.read(episode.text, episode.speaker), pieces: this.latents?.pieces(indexedText(episode)) }
  }

  /** The signatures under which an episode will be found. */
  encode(episode: Episode, read = this.read(episode)): Encoded {
    return this.encodeMany([episode], [read])[0]
  }

  /**
   * {@link encode} of each of some episodes that were read: quicker than one by one.
   *
   * @param into room for their signatures, {@link ENCODED_BYTES} each at least: what is answered is valid as long as
   * nobody writes into it.
   */
  encodeMany(
    episodes: readonly TextSignatures[],
    reads: readonly IndexedRow[],
    into: Uint8Array = new Uint8Array(episodes.length * ENCODED_BYTES),
  ): Encoded[] {
    const latents = episodes.length * SIGNATURE_BYTES
    this.words.signatures(reads, episodes.map(indexedText), into.subarray(0, latents))
    const latent = this.latents?.signatures(
      reads.map(({ pieces }) => pieces!),
      into.subarray(latents),
    )
    return this.encoded(
      episodes,
      into,
      latent?.map((one) => one !== undefined),
    )
  }

  /**
   * What {@link encodeMany} answers, out of what it wrote, here or in another thread.
   *
   * @param latents whether each has a latent; absent without a codebook.
   */
  encoded(episodes: readonly TextSignatures[], from: Uint8Array, latents: readonly boolean[] = []): Encoded[] {
    const latent = episodes.length * SIGNATURE_BYTES
    return episodes.map(({ triples }, i) => {
      const signatures: Signatures = { text: from.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES) }
      const structured = this.records.signature(triples)
      if (structured !== undefined) signatures.structured = structured
      if (latents[i]) signatures.latent = from.subarray(latent + i * LATENT_BYTES, latent + (i + 1) * LATENT_BYTES)
      return { signatures, encoder: ENCODER_VERSION }
    })
  }

  /**
   * Adds an episode as it was stored. Signatures that another version of the encoder or another codebook made would be
   * found by chance only, so they are made again, as are those that were left out without a codebook; answers whether
   * any were.
   */
  restore(slot: number, episode: Episode, { signatures, encoder }: EncodedSignatures): boolean {
    const read = this.read(episode)
    const current = this.current(episode, { signatures, encoder }, read)
    this.add(slot, episode, current, read)
    this.sentences?.add(slot, signatures.sentence)
    return encoder !== ENCODER_VERSION || current.latent !== signatures.latent
  }

  /**
   * The signatures of an episode as it was stored, but for those that another version of the encoder or another
   * codebook made: as they would be made now.
   */
  current(episode: Episode, { signatures, encoder }: EncodedSignatures, read = this.read(episode)): Signatures {
    if (encoder !== ENCODER_VERSION) return this.encode(episode, read).signatures
    return { ...signatures, latent: this.#latent(read, signatures.latent) }
  }

  /** A latent signature as it was stored, or made again; without a codebook it is left as it is. */
  #latent({ pieces }: IndexedRow, stored: Uint8Array | undefined): Uint8Array | undefined {
    if (this.latents === undefined || pieces === undefined || this.latents.stored(stored) !== undefined) return stored
    return this.latents.signature(pieces)
  }

  /** Throws `AGIDB_KERNEL` when the kernel's memory is full; then nothing of the episode is here. */
  add(slot: number, episode: Episode, signatures: Signatures, read = this.read(episode)): void {
    this.addMany(slot, [{ episode, signed: { signatures }, read }])
  }

  /**
   * Adds episodes to slots that follow each other: quicker than one by one.
   * Throws `AGIDB_KERNEL` when the kernel's memory is full; then nothing of any of them is here.
   */
  addMany(first: number, episodes: readonly Added[]): void {
    // First what can fail.
    try {
      this.#set(this.text, first, episodes, ({ signed }) => signed.signatures.text)
      this.#set(this.structured, first, episodes, ({ signed }) => signed.signatures.structured)
      const { latents } = this
      if (latents !== undefined)
        this.#set(latents.arena, first, episodes, ({ signed }) => latents.stored(signed.signatures.latent))
    } catch (error) {
      for (const arena of [this.text, this.structured, this.latents?.arena])
        episodes.forEach((_, i) => arena?.clear(first + i))
      this.noteFull(error)
      throw error
    }
    episodes.forEach(({ episode, read }, i) => this.#enter(first + i, episode, read))
  }

  /** Says so when an error is that the kernel's memory is full. */
  noteFull(error: unknown): void {
    if (error instanceof AgidbError && error.code === 'AGIDB_KERNEL') this.onFull()
  }

  #set(arena: Arena, first: number, episodes: readonly Added[], of: (added: Added) => Uint8Array | undefined): void {
    if (episodes.length === 1) {
      const signature = of(episodes[0])
      if (signature !== undefined) arena.set(first, signature)
      return
    }
    const gathered = (this.#gathered ??= new Gathering(EPISODES_PER_TURN))
    for (let from = 0; from < episodes.length; from += EPISODES_PER_TURN) {
      gathered.begin()
      for (let i = from; i < from + EPISODES_PER_TURN && i < episodes.length; i++) {
        const signature = of(episodes[i])
        if (signature !== undefined) gathered.add(first + i, signature)
      }
      if (gathered.count > 0) arena.setMany(gathered.slots, gathered.signatures)
    }
  }

  #enter(slot: number, episode: Episode, read: IndexedRow): void {
    if (read.pieces !== undefined) this.latents?.add(slot, read.pieces)
    this.catalog.add(slot, episode)
    this.postings.add(slot, this.words.terms(read))
    this.timeline.add(slot, episode.session)
    this.traits.add(slot, this.words.traits(read, episode.text))
    this.mentions.add(slot, episode.text)
    for (const { subject, predicate, object } of episode.triples) {
      this.concepts.add(slot, conceptKey(subject))
      this.concepts.add(slot, conceptKey(object))
      this.predicates.add(slot, conceptKey(predicate))
    }
  }

  /** All that the indexes are made of, for keeping. Nothing may change until it is written. */
  image(): CheckpointPart[] {
    const parts: CheckpointParts = new Map([[`${IMAGE}.about`, encodeUtf8(this.#about)]])
    for (const [name, index] of this.#kept()) index.save(parts, `${IMAGE}.${name}`)
    return [
      ...Array.from(parts, ([name, array]): CheckpointPart => ({ name, array: () => array })),
      ...this.arenas.save(),
    ]
  }

  /**
   * Takes over an image, into indexes that are empty. False, with nothing taken over, when it was made by other means.
   * Throws when it is damaged.
   *
   * @param lateFrom how many episodes there must be for all signatures but the newest to be awaited: see {@link
   * KeptArenas}.
   */
  async load(image: StoredCheckpoint, lateFrom = Infinity): Promise<boolean> {
    const parts = await image.parts(IMAGE)
    if (decodeUtf8(part(parts, `${IMAGE}.about`, Uint8Array)) !== this.#about) return false
    for (const [name, index] of this.#kept()) index.load(parts, `${IMAGE}.${name}`)
    await this.arenas.load(parts, image, this.catalog.size < lateFrom ? Infinity : lateFrom * AT_ONCE)
    return true
  }

  /** Signatures of an episode as it was stored, as the arenas have them: without the mark of their maker. */
  unmarked(episode: Episode, stored: EncodedSignatures): Signatures {
    const { text, structured, latent } = this.current(episode, stored)
    return {
      text,
      structured,
      latent: this.latents?.stored(latent),
      sentence: this.sentences?.stored(stored.signatures.sentence),
    }
  }

  /** What the indexes are made with: with anything else they would be others. */
  get #about(): string {
    return JSON.stringify({
      version: IMAGE_VERSION,
      encoder: ENCODER_VERSION,
      kernel: this.kernel.name,
      codebook: this.latents?.codebook.id,
      sentences: this.sentences?.maker,
      arenas: this.text.layout,
    })
  }

  #kept(): [string, Kept][] {
    const { catalog, postings, timeline, traits, mentions, concepts, predicates, latents } = this
    return Object.entries({
      catalog,
      postings,
      timeline,
      traits,
      mentions,
      concepts,
      predicates,
      ...(latents && { latents }),
    })
  }

  /** Gives an episode the signature of its sentence, as it is stored. */
  sign(slot: number, sentence: Uint8Array): void {
    this.sentences?.add(slot, sentence)
    this.onChange(slot)
  }

  /** Whether an episode was read with the codebook that is in use, or none is. */
  isCurrent({ pieces }: IndexedRow): boolean {
    return (pieces === undefined) === (this.latents === undefined)
  }

  remove(slot: number, episode: Episode): void {
    this.onChange(slot)
    this.catalog.remove(slot)
    this.postings.remove(slot)
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
    this.#coming?.remove(slot)
    this.sentences?.remove(slot)
  }

  /** Gives the kernel's memory back. */
  free(): void {
    if (!this.#shares) this.words.free()
    this.abandon()
    this.arenas.free()
  }
}

/** What of an episode is searched as text: who said it is part of it. */
export function indexedText(episode: TextSignatures): string {
  return episode.speaker === undefined ? episode.text : `${episode.speaker}: ${episode.text}`
}

function stems(text: string): string[] {
  return tokens(text).map((token) => term(token) ?? token)
}
