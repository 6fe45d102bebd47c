import type { BeliefId } from '../../api/belief.js'
import type { Difference } from '../../api/sensory.js'
import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import { corrected } from './surprise-threshold.js'
import { spaceOf } from '../../encoding/spaces/perceived.js'
import { textQueries, textSignature } from '../../encoding/text.js'
import { dot, type Latents } from '../../indexes/latents.js'
import { type Arena, DIMENSION, type Hypervector, NO_SCORE, type Query } from '../../kernel/port.js'
import { UNRELATED } from '../../recall/ranking/goal-boost.js'
import { chanceLevel, SIMILAR_MARGIN } from '../../recall/evidence/evidence.js'
import type { Beliefs } from '../beliefs/beliefs.js'
import { Comparison, type Spoken } from './comparison.js'
import { type Compared, type Expected, judged, Nearest, type Origin } from './news.js'
import type { Goals } from '../goals/goals.js'
import type { Latent } from './latents.js'
import type { MemoryContext } from '../context.js'

/**
 * Memories that say what is to be expected, the newest. Measured on the Apollo 13 transcript: 256 give an AUC of .89,
 * 1,000 of .92.
 */
const MEMORIES = 1_000
/** Beliefs that do, the newest that are held. */
const BELIEFS = 256

/**
 * Memories, and beliefs, that a text is compared with part by part: those nearest by words, and those by what they
 * mean.
 */
const NEAREST = 8

/** A memory, and how like something it is, 0 to 1. */
interface Alike {
  readonly slot: number
  readonly likeness: number
}

/**
 * Latents that are no more alike, at an angle of 45 degrees or more, may show different things: the words of one say
 * nothing of the other.
 */
const HALF_ALIKE = 0.5

/** A belief as it is compared. */
interface Believed {
  readonly id: BeliefId
  /** Where its signature is. */
  readonly place: number
  /** Absent without a codebook. */
  readonly latent: Float32Array | undefined
}

/**
 * What is to be expected: what was remembered and believed of late, and what is aimed at. A function of the live
 * memories, beliefs and goals.
 */
export class Expectation {
  readonly #context: MemoryContext
  /** Made when first needed. */
  #comparison: Comparison | undefined
  readonly #beliefs: Beliefs
  readonly #goals: Goals
  /** Signatures of what is believed, by a place of their own. */
  readonly #believed: Arena
  readonly #beliefsById = new Map<BeliefId, Believed>()
  #nextPlace = 0
  /** What beliefs were compared with: it may come later. */
  #latents: Latents | undefined
  /** One signature at a time, to score it. */
  readonly #single: Arena

  constructor(context: MemoryContext, goals: Goals, beliefs: Beliefs) {
    this.#context = context
    this.#goals = goals
    this.#beliefs = beliefs
    this.#believed = context.indexes.kernel.arena()
    this.#single = context.indexes.kernel.arena()
    // What was removed is not to be kept here.
    const { catalog } = context.indexes
    catalog.watch((id) => catalog.slot(id) === undefined && this.#comparison?.forget())
  }

  /** Bytes of memory beside the kernel's, about. */
  get bytes(): number {
    return (
      (this.#comparison?.bytes ?? 0) +
      sampledBytes(this.#beliefsById.values(), this.#beliefsById.size, (believed) => HEAP.entry + heapBytes(believed))
    )
  }

  /**
   * How little a text is to be expected, 0 to 1: the part of it that no recent memory or belief says.
   *
   * - Small talk says nothing: 0. Nor do questions: only the rest of a text counts.
   * - What one of them says, in whatever words: 1 less its corrected likeness to the nearest of them, or less.
   * - What is about the same as one of them and differs in a figure, a name, a time, a denial, a state, the order of
   *   roles or another word: 1 − e^−n, where n counts the differences, so .63 for one.
   * - All else: 1 less the corrected likeness to what it is most like, by words or by what they mean. A plain bundle of
   *   that many signatures is like nothing (AUC .56 on the Apollo 13 transcript), so only the part of it that the text
   *   brings back counts.
   *
   * 1 where nothing is remembered or believed.
   */
  async ofText(spoken: Spoken, now: number): Promise<Expected> {
    const comparing = await this.#comparing()
    const said = { ...spoken, text: comparing.stated(spoken.text) }
    const reading = comparing.read(said.text)
    const telling = reading === undefined ? 1 : Math.min(1, reading.telling)
    if (telling === 0) return { surprise: 0 }
    const { likeness, near } = await this.#nearest(said.text, now)
    const compared = reading === undefined ? [] : await this.#compare(comparing, said, near)
    return judged(1 - likeness, telling, compared)
  }

  /** In what a text differs from a memory or belief; nothing where that is there no more. */
  async differences(spoken: Spoken, from: Origin): Promise<readonly Difference[] | undefined> {
    const comparing = await this.#comparing()
    const [other] = await this.#texts([from])
    const said = { ...spoken, text: comparing.stated(spoken.text) }
    return other && comparing.contrast(said, other)?.differences
  }

  /**
   * How like the nearest recent memory or belief a text is, and which the nearest are by words and by what they mean.
   */
  async #nearest(text: string, now: number): Promise<{ readonly likeness: number; readonly near: Origin[] }> {
    const { catalog, text: arena, latents } = this.#context.indexes
    const believed = this.#recentBeliefs()
    // What was replaced is not to be expected any more.
    const slots = Uint32Array.from(catalog.newest(MEMORIES, catalog.mask({ now })))
    await arena.bring?.(slots)
    const places = Uint32Array.from(believed, ({ place }) => place)
    const words = new Nearest(slots, believed)
    const query = this.#query(text)
    if (query !== undefined) {
      const chance = chanceLevel(slots.length + places.length)
      const most = this.#scoreOf(query, text) / query.norm
      const rate = (score: number) => (score === NO_SCORE ? 0 : corrected(score / query.norm, chance, most))
      arena.score(query, slots).forEach((score, i) => words.rateMemory(i, rate(score)))
      this.#believed.score(query, places).forEach((score, i) => words.rateBelief(i, rate(score)))
    }
    const meaning = new Nearest(slots, believed)
    const latent = latents?.weighted(text)
    if (latent !== undefined) {
      const rate = (own: Float32Array | undefined) =>
        own === undefined ? 0 : corrected(dot(own, latent), UNRELATED, 1)
      slots.forEach((slot, i) => meaning.rateMemory(i, rate(latents!.latent(slot))))
      believed.forEach(({ latent: own }, i) => meaning.rateBelief(i, rate(own)))
    }
    const near = new Map(
      [...words.best(NEAREST), ...meaning.best(NEAREST)].map((origin) => [origin.slot ?? origin.belief, origin]),
    )
    return { likeness: Math.max(words.highest, meaning.highest), near: [...near.values()] }
  }

  async #comparing(): Promise<Comparison> {
    const comparer = await this.#context.parts.contrast()
    this.#comparison ??= new Comparison(comparer, this.#context)
    return this.#comparison
  }

  async #compare(comparing: Comparison, spoken: Spoken, near: readonly Origin[]): Promise<Compared[]> {
    const texts = await this.#texts(near)
    return near.flatMap((origin, i) => {
      const other = texts[i]
      const found = other && comparing.contrast(spoken, other)
      return found === undefined ? [] : [{ ...found, origin }]
    })
  }

  async #texts(origins: readonly Origin[]): Promise<(Spoken | undefined)[]> {
    const episodes = await this.#context.fetch(origins.flatMap(({ slot }) => slot ?? []))
    let next = 0
    return origins.map(({ slot, belief }) =>
      slot !== undefined ? episodes[next++] : belief === undefined ? undefined : this.#beliefs.claim(belief),
    )
  }

  /**
   * How little a latent is to be expected, by the signatures of others of the same encoder in the buffer and of the
   * memories; 1 where there are none.
   */
  ofLatent(sensed: Latent, others: Iterable<Hypervector>, now: number): number {
    const { kernel } = this.#context.indexes
    const signature = kernel.project(sensed.latent)
    let likeness = this.#memoriesLike(sensed, 1, now)[0]?.likeness ?? 0
    for (const other of others) likeness = Math.max(likeness, angular(kernel.similarity(signature, other)))
    return 1 - likeness
  }

  /**
   * How much a latent has to do with the nearest active goal, 0 to 1. A goal is words, and a latent has none, so the
   * words of the memories with latents like it speak for it: each by its own relevance times how much more like it is
   * than {@link HALF_ALIKE}.
   */
  async relevanceOfLatent(sensed: Latent, now: number): Promise<number> {
    if (this.#goals.texts().length === 0) return 0
    const near = this.#memoriesLike(sensed, NEAREST, now)
    const episodes = await this.#context.fetch(near.map(({ slot }) => slot))
    const relevances = near.map(
      ({ likeness }, i) => corrected(likeness, HALF_ALIKE, 1) * this.relevance(episodes[i]?.text ?? ''),
    )
    return Math.max(0, ...relevances)
  }

  /** The memories whose pictures or sounds are most like a latent of the encoder that made their signatures. */
  #memoriesLike({ modality, latent, encoder }: Latent, most: number, now: number): Alike[] {
    const { indexes, options } = this.#context
    const space = spaceOf(modality, indexes.senses)
    if (space === undefined || options.encoders?.[modality]?.id !== encoder) return []
    const arena = indexes.signatures.get(space)?.arena
    if (arena === undefined || arena.size === 0) return []
    const query = indexes.kernel.query(indexes.kernel.project(latent))
    const { slots, scores } = arena.scan(query, most, indexes.catalog.mask({ now }))
    return Array.from(slots, (slot, i) => ({ slot, likeness: angular((scores[i] / DIMENSION + 1) / 2) }))
  }

  /** How much a text says of what the nearest active goal says, 0 to 1; 0 without goals. */
  relevance(text: string): number {
    const { catalog, latents } = this.#context.indexes
    const own = latents?.of(text)
    const chance = chanceLevel(catalog.size) + SIMILAR_MARGIN
    let relevance = 0
    for (const goal of this.#goals.texts()) {
      const query = this.#query(goal)
      if (query !== undefined) {
        const most = this.#scoreOf(query, goal) / query.norm
        relevance = Math.max(relevance, corrected(this.#scoreOf(query, text) / query.norm, chance, most))
      }
      const latent = own && latents?.weighted(goal)
      if (latent !== undefined) relevance = Math.max(relevance, corrected(dot(own!, latent), UNRELATED, 1))
    }
    return relevance
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#believed.free()
    this.#single.free()
  }

  #query(text: string): Query | undefined {
    const { kernel, postings } = this.#context.indexes
    return textQueries(
      kernel,
      text,
      (term) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0),
      postings.idf(''),
    ).likeness
  }

  /** What a text would score against a query if it were remembered. */
  #scoreOf(query: Query, text: string): number {
    this.#single.set(0, textSignature(this.#context.indexes.kernel, text))
    return this.#single.score(query, Uint32Array.of(0))[0]
  }

  #recentBeliefs(): Believed[] {
    const { kernel, latents } = this.#context.indexes
    const recent = new Map(this.#beliefs.recent(BELIEFS).map(({ id, claim }) => [id, claim]))
    if (this.#latents !== latents) {
      for (const { place } of this.#beliefsById.values()) this.#believed.clear(place)
      this.#beliefsById.clear()
      this.#latents = latents
    }
    for (const [id, { place }] of this.#beliefsById) {
      if (recent.has(id)) continue
      this.#believed.clear(place)
      this.#beliefsById.delete(id)
    }
    for (const [id, claim] of recent) {
      if (this.#beliefsById.has(id)) continue
      this.#believed.set(this.#nextPlace, textSignature(kernel, claim))
      this.#beliefsById.set(id, { id, place: this.#nextPlace++, latent: latents?.of(claim) })
    }
    return [...this.#beliefsById.values()]
  }
}

/** The likeness of two signatures by the share of equal bits, which stands for the angle: 0.5 for a right angle. */
function angular(similarity: number): number {
  return corrected(similarity, 0.5, 1)
}
