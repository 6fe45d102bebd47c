import type { AtomId } from '../../api/atom.js'
import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import { said } from '../../encoding/predicate.js'
import { textSignature } from '../../encoding/text.js'
import { term, termCounts, tokens } from '../../encoding/tokens.js'
import { Bits } from '../../base/bits.js'
import { dot } from '../../indexes/latents.js'
import { DIMENSION } from '../../kernel/port.js'
import type { Batch } from './batch.js'
import { SAME_PREDICATE } from '../relations.js'
import type { MemoryContext } from '../context.js'

/**
 * Distinct index terms that a text must have beside its speaker's name to say something of its own: "Roger that" and
 * "Okay" have not.
 */
const TERMS = 3
/**
 * How much the signatures of texts share at least, speakers and all, to be looked at closer, 0 for unrelated ones: 27
 * standard deviations.
 */
const RESEMBLANCE = 0.3
/** How much near-duplicates share of the signatures of what was said: 54 standard deviations. */
const WORDS = 0.6
/** The cosine of what near-duplicates mean. */
const MEANING = 0.85
/** Near-duplicates that one text is compared with. */
const NEIGHBOURS = 32
/** Texts near another one that are looked for at most where all are. */
const MOST_NEAR = 1_024
/** Texts that are kept in the forms in which they are compared, about 2 KiB each, before all are dropped. */
const MAX_CACHED = 4_096
/** Slots that are looked at before others have their turn. */
const STRIDE = 4_096
/** Function words of predicates that are only grammar. Others turn what is said around: "moved to", "moved from". */
const GRAMMAR: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'of',
  'in',
  'at',
  'is',
  'are',
  'was',
  'were',
  'be',
  'been',
  'being',
  'has',
  'have',
  'had',
  'do',
  'does',
  'did',
])
const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'nothing', 'nobody', 'none', 'without', 'cannot'])

/** What was said, in the forms in which it is compared. */
export interface Taken {
  readonly slot: number
  readonly id: EpisodeId
  readonly text: string
  readonly details: string
  readonly words: Uint8Array
  readonly meaning: Float32Array | undefined
}

/** Finds what says the same in other words. */
export class SimilarStatements {
  readonly #context: MemoryContext
  /** The texts without triples that were looked at. */
  readonly #seen = new Bits()
  /** The first slot that was not taken up. */
  #next = 0
  readonly #taken = new Map<number, Taken>()
  readonly #names = new Map<string, number>()
  readonly #predicates = new Map<string, Float32Array | undefined>()

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** Takes up what was looked at before: the texts up to a slot, which does not go back from call to call. */
  async advance(upTo: number, breathe: () => Promise<void>): Promise<void> {
    const { catalog } = this.#context.indexes
    let looked = 0
    for (const slot of catalog.slots(this.#next)) {
      if (slot > upTo) break
      if (this.tells(slot)) this.#seen.add(slot)
      if (++looked % STRIDE === 0) await breathe()
    }
    this.#next = Math.max(this.#next, upTo + 1)
  }

  /** The atom of the same subject and object whose predicate means the same, if a codebook knows one. */
  triple(triple: Triple, batch: Batch): AtomId | undefined {
    const meant = this.#predicate(triple.predicate)
    if (meant === undefined) return undefined
    const frame = frameOf(triple.predicate)
    let best: AtomId | undefined
    let closest = SAME_PREDICATE
    for (const id of batch.between(triple)) {
      const { predicate } = batch.triple(id)!
      if (frameOf(predicate) !== frame) continue
      const other = this.#predicate(predicate)
      const cosine = other === undefined ? 0 : dot(meant, other)
      if (cosine > closest) [best, closest] = [id, cosine]
    }
    return best
  }

  /**
   * The near-duplicates that came before a text without triples, whoever said them, best first; `undefined` for one
   * that says too little.
   */
  async texts(slot: number, episode: Episode): Promise<Taken[] | undefined> {
    if (!this.tells(slot)) return undefined
    const mine = this.#take(slot, episode)
    const near = this.#near(slot)
    this.#seen.add(slot)
    await this.#read(near)
    const found: { readonly other: Taken; readonly likeness: number }[] = []
    for (const at of near) {
      const other = this.#taken.get(at)
      const likeness = other && this.#likeness(mine, other)
      if (likeness !== undefined) found.push({ other: other!, likeness })
    }
    // Sorting keeps the order of what is equal.
    return found.sort((a, b) => b.likeness - a.likeness).map(({ other }) => other)
  }

  /**
   * All texts that are near enough to a text without triples to be looked at closer, or are by way of others; with
   * them, those that the atoms hold together.
   *
   * @param together the slots that are in an atom with a slot.
   * @param most the largest slot that counts.
   */
  async connected(
    start: Iterable<number>,
    together: (slot: number) => Iterable<number>,
    most: number,
    breathe: () => Promise<void>,
  ): Promise<Set<number>> {
    const found = new Set(start)
    // The set grows while it is walked.
    for (const slot of found) {
      for (const other of [...this.#near(slot, MOST_NEAR), ...together(slot)])
        if (other <= most && this.tells(other)) found.add(other)
      await breathe()
    }
    return found
  }

  /** The texts that came before, or of all where `most` is given. */
  #near(slot: number, most?: number): number[] {
    const { kernel, text } = this.#context.indexes
    const signature = text.get(slot)
    if (signature === undefined) return []
    const among = most === undefined ? this.#seen.words : undefined
    const { slots, scores } = text.scan(kernel.query(signature), most ?? NEIGHBOURS, among)
    return [...slots].filter((_, i) => scores[i] >= RESEMBLANCE * DIMENSION)
  }

  async #read(slots: readonly number[]): Promise<void> {
    if (this.#taken.size + slots.length > MAX_CACHED) this.#taken.clear()
    const unknown = slots.filter((slot) => !this.#taken.has(slot))
    const episodes = unknown.length === 0 ? [] : await this.#context.fetch(unknown)
    for (const [i, episode] of episodes.entries()) if (episode !== undefined) this.#take(unknown[i], episode)
  }

  #take(slot: number, { id, text }: Episode): Taken {
    const { kernel, latents } = this.#context.indexes
    const taken = {
      slot,
      id,
      text,
      details: detailsOf(text),
      words: textSignature(kernel, text),
      meaning: latents?.of(text),
    }
    this.#taken.set(slot, taken)
    return taken
  }

  /** How much two near-duplicates share; `undefined` if they are none, in words or in meaning. */
  #likeness(a: Taken, b: Taken): number | undefined {
    if (a.details !== b.details) return undefined
    const likeness = 1 - (2 * this.#context.indexes.kernel.hamming(a.words, b.words)) / DIMENSION
    if (likeness < WORDS) return undefined
    const meant =
      a.meaning === undefined || b.meaning === undefined
        ? a.meaning === b.meaning
        : dot(a.meaning, b.meaning) >= MEANING
    return meant ? likeness : undefined
  }

  /** Whether there is an episode without triples that says enough for others to say the same. */
  tells(slot: number): boolean {
    const { structured, postings, catalog } = this.#context.indexes
    if (structured.has(slot)) return false
    // Who spoke is searched with the text, and says nothing.
    const speaker = catalog.speaker(slot)
    return postings.termsOf(slot).length - (speaker === undefined ? 0 : this.#name(speaker)) >= TERMS
  }

  /** Index terms of a speaker's name. */
  #name(speaker: string): number {
    let terms = this.#names.get(speaker)
    if (terms === undefined) this.#names.set(speaker, (terms = termCounts(speaker).size))
    return terms
  }

  #predicate(predicate: string): Float32Array | undefined {
    if (!this.#predicates.has(predicate)) this.#predicates.set(predicate, this.#context.indexes.latents?.of(predicate))
    return this.#predicates.get(predicate)
  }
}

/** What of a predicate a synonym cannot change: whether it is denied, and its function words. */
function frameOf(predicate: string): string {
  const words = tokens(predicate).filter((word) => term(word) === undefined && !GRAMMAR.has(word))
  return `${said(predicate).negated} ${words.join(' ')}`
}

/** What of a text near-duplicates must have in common: its figures, and whether it denies something. */
function detailsOf(text: string): string {
  return tokens(text)
    .filter((word) => /\p{N}/u.test(word) || DENIALS.has(word))
    .sort()
    .join(' ')
}
