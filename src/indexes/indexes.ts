import type { SentenceEncoder } from '../api/encoder.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { part, type CheckpointParts } from '../base/checkpoint-parts.js'
import { decodeUtf8, encodeUtf8 } from '../base/utf8.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import { ENCODER_VERSION } from '../encoding/encoder.js'
import { Records } from '../encoding/record.js'
import { type EncodedFields, headOf, type SenseIds, type IndexedText, indexedText } from '../encoding/spaces/space.js'
import { Words } from '../encoding/words.js'
import type { Arena, Kernel } from '../kernel/port.js'
import { unitOf } from '../records/unit.js'
import { perceivedOf } from '../storage/journal/changes.js'
import type { CheckpointPart, Signatures, EncodedSignatures, StoredCheckpoint } from '../api/storage.js'
import type { Attributes } from './attributes.js'
import type { Catalog } from './catalog.js'
import type { Documents } from './documents.js'
import type { Extracted } from './extracted.js'
import type { KeptArenas } from './kept-arenas.js'
import { Latents, latentIndex } from './latents.js'
import type { Mentions } from './mentions.js'
import { DEFAULT_ONTOLOGY, type Ontology } from '../encoding/ontology.js'
import type { ConceptNames } from './concepts/concept-names.js'
import type { Associations } from './graph/associations.js'
import type { SessionChain } from './graph/chain.js'
import type { Entities } from './graph/entities.js'
import { LateGraphs } from './graph/late-graphs.js'
import type { GraphsPart, LoadGraphs } from './graph/part.js'
import type { Names } from './names.js'
import type { Index } from './port.js'
import type { Postings } from './postings/postings.js'
import { INDEXES, type RegisteredContents } from './registered.js'
import { MAX_ROW_COPIES } from './rows.js'
import { type MakeArena, makeArenas, NO_SIGNATURE, type SignatureArena } from './signature-arena.js'
import { ENCODED_BYTES, type Encoded, type Made, SignatureSet } from './signature-set.js'
import type { Timeline } from './timeline.js'
import type { TraitIndex } from './traits.js'

/** What the names of all parts of a checkpoint begin with that are the indexes'. */
const PREFIX = 'index'
/** To be raised with every change of what a part means: checkpoints of another version are made again. */
const CHECKPOINT_VERSION = 11
/** The name of the index of word pieces, which is there as long as a codebook is. */
const LATENTS = 'latents'

/** The share of the newest signatures that are loaded at once where the others are loaded later. */
const SHARE_AT_ONCE = 1 / 64

/** An episode that is to be added, as it was read and is stored. */
interface NewEpisode {
  readonly episode: Episode
  readonly signed: EncodedSignatures
  readonly read: IndexedText
}

/** Everything that a codebook brings along. */
interface LatentParts {
  readonly latents: Latents
  readonly signatures: SignatureArena
}

/**
 * All that recall searches: the registered indexes and the signatures of every space, a function of the live episodes.
 * A memory that lost an episode is equal to one that never had it.
 */
export class Indexes {
  readonly kernel: Kernel
  readonly records: Records
  readonly catalog: Catalog
  readonly postings: Postings
  readonly timeline: Timeline
  readonly traits: TraitIndex
  readonly mentions: Mentions
  /** Subjects and objects of statements. */
  readonly concepts: Names
  readonly predicates: Names
  /** Names as they are written, and which of them are of one concept. */
  readonly conceptNames: ConceptNames
  /** What is known of relations. */
  ontology: Ontology = DEFAULT_ONTOLOGY
  /** Tags, metadata and times of expiry. */
  readonly attributes: Attributes
  /** Which extractor has read which episode. */
  readonly extracted: Extracted
  /** Which episodes are entries of documents, and who sees them. */
  readonly documents: Documents
  /** What loads the graphs. */
  readonly graphs: LateGraphs
  /** What is known of words: a cache that all indexes on the kernel share. */
  readonly words: Words
  readonly #rows: number
  readonly #arena: MakeArena | undefined
  readonly #encoderId: string | undefined
  /** The id of the encoder of each sense. */
  readonly senses: SenseIds
  /** By the names of their parts in a checkpoint. */
  readonly #indexes: Map<string, Index>
  /** The same without their names, which each episode that is added need not look up. */
  #all: readonly Index[]
  readonly #contents: RegisteredContents
  #latents: Latents | undefined
  #signatures: SignatureSet
  /** Those of a codebook that came late, while they are being made. */
  #coming: LatentParts | undefined
  /** Whether a codebook is on its way: a checkpoint without it would not be used again. */
  awaitsCodebook = false
  /** Called when an episode that is here is removed or is given another signature. */
  onChange: (slot: number) => void = () => {}
  /** Called when the kernel's memory is full. */
  onFull: () => void = () => {}

  /**
   * @param rows signatures of each large space that are kept in rows beside the columns.
   * @param senses the encoders of pictures and sounds.
   * @param graphs the graphs, or what loads them; default: there are none.
   * @param arena makes the arenas of some spaces. Default: the kernel makes all.
   */
  constructor(
    kernel: Kernel,
    codebook?: Codebook,
    encoder?: SentenceEncoder,
    rows = MAX_ROW_COPIES,
    senses: SenseIds = {},
    graphs?: GraphsPart | LoadGraphs,
    arena?: MakeArena,
  ) {
    this.#arena = arena
    this.kernel = kernel
    this.records = new Records(kernel)
    this.words = Words.of(kernel)
    this.#rows = rows
    this.#encoderId = encoder?.id
    this.senses = senses
    this.graphs = new LateGraphs(kernel, this, graphs)
    const tools = { words: this.words, graphs: this.graphs }
    this.#indexes = new Map(Object.entries(INDEXES).map(([name, make]) => [name, make(tools)]))
    this.#all = [...this.#indexes.values()]
    this.#contents = contentsOf(this.#indexes)
    this.catalog = this.#contents.catalog
    this.postings = this.#contents.postings
    this.timeline = this.#contents.timeline
    this.traits = this.#contents.traits
    this.mentions = this.#contents.mentions
    this.concepts = this.#contents.concepts
    this.predicates = this.#contents.predicates
    this.conceptNames = this.#contents.conceptNames
    this.timeline.useSessions(this.catalog)
    this.conceptNames.useSessions(this.catalog)
    this.attributes = this.#contents.attributes
    this.extracted = this.#contents.extracted
    this.documents = this.#contents.documents
    if (codebook !== undefined) this.#useLatents(new Latents(kernel, codebook))
    this.#signatures = this.#setOf(this.#makeArenas(codebook))
  }

  /** The units of the episode with an id, by which it is encrypted: see `records/units.ts`. */
  unitsById(id: string): readonly string[] | undefined {
    const { catalog } = this
    const slot = catalog.slot(id)
    if (slot === undefined) return undefined
    return [unitOf({ session: catalog.sessions.name(catalog.session(slot)), source: catalog.source(slot) })]
  }

  /** Successors of episodes, as a graph of the kernel: once {@link graphs} are loaded, as the next two. */
  get chain(): SessionChain {
    return this.graphs.now.chain.contents
  }

  /** What episodes name, and who has to do with whom. */
  get entities(): Entities {
    return this.graphs.now.entities.contents
  }

  /** What was observed and recalled together. */
  get associations(): Associations {
    return this.graphs.now.associations.contents
  }

  /** What a registered index keeps, by its name. */
  get<Name extends keyof RegisteredContents>(name: Name): RegisteredContents[Name] {
    return this.#contents[name]
  }

  /** All indexes that are in use. */
  get all(): readonly Index[] {
    return this.#all
  }

  /** The signatures of all spaces. Another set once a codebook that comes late is {@link adopt}ed. */
  get signatures(): SignatureSet {
    return this.#signatures
  }

  /** Word pieces and latents. Absent without a codebook, and until one that comes late is {@link adopt}ed. */
  get latents(): Latents | undefined {
    return this.#latents
  }

  /** The signatures of texts. */
  get text(): Arena {
    return this.#signatures.get('text')!.arena
  }

  /** The signatures of statements. */
  get structured(): Arena {
    return this.#signatures.get('structured')!.arena
  }

  /** The signatures of all spaces as they are kept and loaded. */
  get arenas(): KeptArenas {
    return this.#signatures.kept
  }

  /** Begins to make latents with a codebook that came late. Recall does not use them before {@link adopt}. */
  prepare(codebook: Codebook): void {
    const signatures = this.#makeArenas(codebook, 'latent')[0]
    this.#coming = { latents: new Latents(this.kernel, codebook), signatures }
  }

  /**
   * Makes the latent of an episode with the codebook that came late.
   *
   * @returns its signature as it is to be stored; `undefined` when the stored one can be used, and for a text without
   * known words.
   */
  prepareLatent(slot: number, episode: EncodedFields, stored: Signatures): Uint8Array | undefined {
    const { latents, signatures } = this.#coming!
    const pieces = latents.pieces(indexedText(episode))
    const kept = signatures.usable(stored.latent)
    const made = kept === undefined ? latents.signature(pieces) : undefined
    const signature = kept ?? signatures.usable(made)
    if (signature !== undefined) signatures.arena.set(slot, signature)
    latents.add(slot, pieces)
    return made
  }

  /** Uses the codebook that came late from now on. All live episodes must have been given to {@link prepareLatent}. */
  adopt(): void {
    const { latents, signatures } = this.#coming!
    this.#coming = undefined
    this.#useLatents(latents)
    const arenas = [...this.#signatures.arenas, signatures]
    this.#signatures = this.#setOf(arenas.sort((a, b) => a.space.tag - b.space.tag))
  }

  /** Lets go of a codebook that came late and is not adopted. */
  abandon(): void {
    this.#coming?.signatures.arena.free()
    this.#coming = undefined
  }

  /** Bytes of main memory beside the kernel's and the codebook. */
  get bytes(): number {
    const beside = this.words.share + (this.#coming?.latents.bytes ?? 0)
    let sum = beside + this.#signatures.bytes + this.graphs.graphBytes
    for (const { contents } of this.all) sum += contents.bytes
    return sum
  }

  /** Reads the text of an episode, which is to be encoded and added. */
  read(episode: EncodedFields): IndexedText {
    return { ...this.words.read(episode.text, headOf(episode)), pieces: this.latents?.pieces(indexedText(episode)) }
  }

  /** The signatures under which an episode will be found. */
  encode(episode: EncodedFields, read = this.read(episode)): Encoded {
    return this.encodeMany([episode], [read])[0]
  }

  /**
   * {@link encode} of each of some episodes that were read: quicker than one by one.
   *
   * @param into room for their signatures, {@link ENCODED_BYTES} each at least. The answer is valid until
   * this room is written to again.
   */
  encodeMany(
    episodes: readonly EncodedFields[],
    reads: readonly IndexedText[],
    into: Uint8Array = new Uint8Array(episodes.length * ENCODED_BYTES),
  ): Encoded[] {
    const inputs = episodes.map((episode, i) => ({ episode, read: reads[i] }))
    return this.#signatures.encode(inputs, into)
  }

  /** What {@link encodeMany} answers, from a room that another thread filled; see {@link SignatureSet.encodedIn}. */
  encoded(episodes: readonly EncodedFields[], from: Uint8Array, made: Made): Encoded[] {
    // What needs no room is made of statements, which need not be read.
    const inputs = episodes.map((episode) => ({ episode, read: { words: [], speaker: 0 } }))
    return this.#signatures.encodedIn(inputs, from, made)
  }

  /**
   * Adds an episode as it was stored. Signatures that another version of the encoder or another codebook made would be
   * found by chance only, so they are made again, as are those that were left out without a codebook.
   *
   * @returns whether any were made again.
   */
  restore(slot: number, episode: Episode, stored: EncodedSignatures): boolean {
    const read = this.read(episode)
    const signatures = this.#signatures.current(episode, stored, () => read)
    this.add(slot, episode, signatures, read)
    return this.#signatures.isMadeAgain(signatures, stored)
  }

  /** Signatures of an episode as it was stored, as the arenas have them: without the mark of their maker. */
  unmarked(episode: Episode, stored: EncodedSignatures): Signatures {
    const current = this.#signatures.current(episode, stored, () => this.read(episode))
    const usable: Signatures = {}
    for (const one of this.#signatures.arenas) usable[one.kind] = one.usable(one.storedIn(current))
    return usable
  }

  /**
   * Adds an episode to a slot that has none.
   *
   * @throws AgidbError `AGIDB_KERNEL` when the kernel's memory is full; then nothing of the episode is here.
   */
  add(slot: number, episode: Episode, signatures: Signatures, read = this.read(episode)): void {
    // First what can fail.
    try {
      this.#signatures.putOne(slot, signatures)
    } catch (error) {
      this.noteFull(error)
      throw error
    }
    for (const index of this.#all) index.add(slot, episode, read)
  }

  /**
   * {@link add} of episodes to slots that follow each other: quicker than one by one.
   *
   * @param isTrial whether to find out only whether there is room for them.
   */
  addMany(first: number, episodes: readonly NewEpisode[], isTrial?: boolean): void {
    // First what can fail.
    try {
      this.#signatures.put(
        first,
        episodes.map(({ signed }) => signed.signatures),
      )
    } catch (error) {
      this.noteFull(error)
      throw error
    }
    if (isTrial) return episodes.forEach((_, i) => this.#signatures.clear(first + i))
    // Index by index, so that the code and the data of one stay in the processor's cache.
    for (const index of this.#all) for (let i = 0; i < episodes.length; i++) addTo(index, first + i, episodes[i])
  }

  /**
   * Takes over an episode that is already here as it is now. Its signatures stay: a caller that changes their
   * sources stores new ones with the row, and passes these to {@link setSignatures}.
   */
  update(slot: number, episode: Episode): void {
    let text: IndexedText | undefined
    const read = () => (text ??= this.read(episode))
    for (const index of this.all) index.update(slot, episode, read)
    const coming = this.#coming?.latents
    if (coming?.has(slot)) coming.update(slot, coming.pieces(indexedText(episode)))
  }

  /**
   * The signatures that are to be stored when an episode becomes another, for {@link revise}; `undefined` where they
   * stay.
   *
   * @param stored those that it had.
   */
  replacing(slot: number, before: Episode, after: Episode, stored: EncodedSignatures): EncodedSignatures | undefined {
    if (isMadeOfSame(before, after)) return undefined
    const made =
      isSameText(before, after) && stored.encoder === ENCODER_VERSION
        ? { ...stored.signatures, structured: this.records.signature(after.triples) }
        : { ...this.#signaturesOf(slot, after), ...perceivedOf(stored.signatures) }
    return this.#signatures.replacing(slot, made, stored)
  }

  /** What takes back the signatures that {@link replacing} answered: those of the episode before. */
  replaced(slot: number, before: Episode, stored: EncodedSignatures, replacing: EncodedSignatures): Signatures {
    const made = this.#signaturesOf(slot, before)
    const kinds = Object.keys(replacing.signatures)
    return Object.fromEntries(kinds.map((kind) => [kind, made[kind] ?? stored.signatures[kind] ?? NO_SIGNATURE]))
  }

  /**
   * Takes over an episode that is already here as it is now, with the signatures that {@link replacing} answered.
   *
   * @throws AgidbError `AGIDB_KERNEL` when the kernel's memory is full; what {@link replaced} answers takes it back.
   */
  revise(slot: number, episode: Episode, signatures: Signatures | undefined): void {
    if (signatures !== undefined) this.setSignatures(slot, signatures)
    this.update(slot, episode)
  }

  /** Gives an episode signatures as they are stored, in the place of those of the same spaces. */
  setSignatures(slot: number, signatures: Signatures): void {
    try {
      if (this.#signatures.replace(slot, signatures)) this.onChange(slot)
      if (this.#coming?.latents.has(slot)) this.#coming.signatures.replace(slot, signatures)
    } catch (error) {
      this.noteFull(error)
      throw error
    }
  }

  /** Removes an episode with all that was made of it. */
  remove(slot: number, episode: Episode): void {
    this.onChange(slot)
    for (const index of this.all) index.remove(slot, episode)
    this.#signatures.clear(slot)
    this.#coming?.latents.remove(slot)
    this.#coming?.signatures.arena.clear(slot)
  }

  /** Calls {@link onFull} when an error is that the kernel's memory is full. */
  noteFull(error: unknown): void {
    if (error instanceof AgidbError && error.code === 'AGIDB_KERNEL') this.onFull()
  }

  /** Whether an episode was read with the codebook that is in use, or none is. */
  isCurrent({ pieces }: IndexedText): boolean {
    return (pieces === undefined) === (this.latents === undefined)
  }

  /** All parts of a checkpoint; the graphs must be loaded. Nothing may change until it is written. */
  checkpointParts(): CheckpointPart[] {
    const parts: CheckpointParts = new Map([[`${PREFIX}.about`, encodeUtf8(this.#about)]])
    for (const [name, { contents }] of this.#indexes) contents.save(parts, `${PREFIX}.${name}`)
    return [
      ...Array.from(parts, ([name, array]): CheckpointPart => ({ name, array: () => array })),
      ...this.arenas.save(),
    ]
  }

  /**
   * Takes over a checkpoint, into indexes that are empty. False, with nothing taken over, when it was made with other
   * tools. Throws when it is damaged.
   *
   * @param lateFrom how many episodes there must be for all signatures but the newest to be loaded later: see {@link
   * KeptArenas}.
   */
  async load(checkpoint: StoredCheckpoint, lateFrom = Infinity): Promise<boolean> {
    const parts = await checkpoint.parts(PREFIX)
    if (decodeUtf8(part(parts, `${PREFIX}.about`, Uint8Array)) !== this.#about) return false
    // Where they cannot be loaded, they take it over later.
    await this.graphs.prepare()
    for (const [name, { contents }] of this.#indexes) contents.load(parts, `${PREFIX}.${name}`)
    await this.arenas.load(parts, checkpoint, this.catalog.size < lateFrom ? Infinity : lateFrom * SHARE_AT_ONCE)
    return true
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.words.release()
    for (const { contents } of this.#all) contents.free?.()
    this.abandon()
    this.#signatures.free()
  }

  /** The signatures of the episode of a slot, with its latent by a codebook that came late. */
  #signaturesOf(slot: number, episode: EncodedFields): Signatures {
    const { signatures } = this.encode(episode)
    const coming = this.#coming?.latents
    return coming?.has(slot)
      ? { ...signatures, latent: coming.signature(coming.pieces(indexedText(episode))) }
      : signatures
  }

  /** What the indexes are made with: with anything else they would be others. */
  get #about(): string {
    return JSON.stringify({
      version: CHECKPOINT_VERSION,
      encoder: ENCODER_VERSION,
      kernel: this.kernel.name,
      codebook: this.latents?.codebook.id,
      sentences: this.#encoderId,
      senses: this.senses,
      arenas: this.text.layout,
    })
  }

  #useLatents(latents: Latents): void {
    this.#latents = latents
    this.#indexes.set(LATENTS, latentIndex(latents))
    this.#all = [...this.#indexes.values()]
  }

  #makeArenas(codebook: Codebook | undefined, only?: SignatureArena['kind']): SignatureArena[] {
    const { kernel, words, records } = this
    const tools = { kernel, words, records, codebook, sentenceEncoder: this.#encoderId, senses: this.senses }
    return makeArenas(tools, this.#rows, only, this.#arena)
  }

  #setOf(arenas: readonly SignatureArena[]): SignatureSet {
    return new SignatureSet(this.kernel, arenas, `${PREFIX}.arena`, this.#rows)
  }
}

/** Whether all that signatures are made of is the same in two episodes. */
function isMadeOfSame(a: EncodedFields, b: EncodedFields): boolean {
  return isSameText(a, b) && JSON.stringify(a.triples) === JSON.stringify(b.triples)
}

function isSameText(a: EncodedFields, b: EncodedFields): boolean {
  return a.text === b.text && headOf(a) === headOf(b)
}

function addTo(index: Index, slot: number, { episode, read }: NewEpisode): void {
  index.add(slot, episode, read)
}

/** What each registered index keeps, by its name. */
function contentsOf(indexes: ReadonlyMap<string, Index>): RegisteredContents {
  const contents = Array.from(indexes, ([name, index]) => [name, index.contents] as const)
  return Object.fromEntries(contents) as unknown as RegisteredContents
}
