import type { BeliefId } from '../core/belief.js'
import { HEAP, heapBytes, sampledBytes } from '../core/heap.js'
import { corrected } from '../floors/surprise.js'
import { textQueries, textSignature } from '../hdc/text.js'
import { dot, type Latents } from '../indexes/latents.js'
import { NO_SCORE, type Arena, type Hypervector, type Query } from '../kernel/port.js'
import { UNRELATED } from '../recall/goals.js'
import { chanceLevel, SIMILAR_MARGIN } from '../recall/evidence.js'
import type { Beliefs } from './beliefs.js'
import type { Goals } from './goals.js'
import type { Setting } from './setting.js'

/** Memories that say what is to be expected, the newest. Measured on the Apollo 13 transcript: 256 give an AUC of .89, 1,000 of .92. */
const MEMORIES = 1_000
/** Beliefs that do, the newest that are held. */
const BELIEFS = 256

/** A belief as it is compared. */
interface Believed {
  /** Where its signature is. */
  readonly place: number
  /** Absent without a codebook. */
  readonly latent: Float32Array | undefined
}

/** What is to be expected: what was remembered and believed of late, and what is aimed at. A function of the live memories, beliefs and goals. */
export class Expectation {
  readonly #setting: Setting
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

  constructor(setting: Setting, goals: Goals, beliefs: Beliefs) {
    this.#setting = setting
    this.#goals = goals
    this.#beliefs = beliefs
    this.#believed = setting.indexes.kernel.arena()
    this.#single = setting.indexes.kernel.arena()
  }

  /** Bytes of memory beside the kernel's, about. */
  get bytes(): number {
    return sampledBytes(this.#beliefsById.values(), this.#beliefsById.size, (believed) => HEAP.entry + heapBytes(believed))
  }

  /**
   * How little a text is to be expected, 0 to 1: 1 less the corrected likeness to the recent memory or belief that it is most like,
   * by words or by what they mean. A plain bundle of that many signatures is like nothing (AUC .56 on the Apollo 13 transcript),
   * so only the part of it that the text brings back counts. 1 where nothing is remembered or believed.
   */
  ofText(text: string): number {
    const { catalog, text: arena, latents } = this.#setting.indexes
    const believed = this.#recentBeliefs()
    const slots = Uint32Array.from(catalog.newest(MEMORIES))
    const places = Uint32Array.from(believed, ({ place }) => place)
    let likeness = 0
    const query = this.#query(text)
    if (query !== undefined) {
      const chance = chanceLevel(slots.length + places.length)
      const most = this.#scoreOf(query, text) / query.norm
      for (const scores of [arena.score(query, slots), this.#believed.score(query, places)]) {
        for (const score of scores) if (score !== NO_SCORE) likeness = Math.max(likeness, corrected(score / query.norm, chance, most))
      }
    }
    const latent = latents?.weighted(text)
    if (latent !== undefined) {
      const compare = (own: Float32Array | undefined) => own && (likeness = Math.max(likeness, corrected(dot(own, latent), UNRELATED, 1)))
      for (const slot of slots) compare(latents!.latent(slot))
      for (const belief of believed) compare(belief.latent)
    }
    return 1 - likeness
  }

  /** How little a latent is to be expected after others of the same encoder, by their signatures; 1 where there are none. */
  ofLatent(signature: Hypervector, others: Iterable<Hypervector>): number {
    const { kernel } = this.#setting.indexes
    let likeness = 0
    // The share of equal bits stands for the angle, 0.5 for a right one.
    for (const other of others) likeness = Math.max(likeness, corrected(kernel.similarity(signature, other), 0.5, 1))
    return 1 - likeness
  }

  /** How much a text says of what the nearest active goal says, 0 to 1; 0 without goals. */
  relevance(text: string): number {
    const { catalog, latents } = this.#setting.indexes
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
    const { kernel, postings } = this.#setting.indexes
    return textQueries(kernel, text, (term) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0), postings.idf('')).likeness
  }

  /** What a text would score against a query if it were remembered. */
  #scoreOf(query: Query, text: string): number {
    this.#single.set(0, textSignature(this.#setting.indexes.kernel, text))
    return this.#single.score(query, Uint32Array.of(0))[0]
  }

  #recentBeliefs(): Believed[] {
    const { kernel, latents } = this.#setting.indexes
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
      this.#beliefsById.set(id, { place: this.#nextPlace++, latent: latents?.of(claim) })
    }
    return [...this.#beliefsById.values()]
  }
}
