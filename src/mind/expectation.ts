import { corrected } from '../floors/surprise.js'
import { textQueries, textSignature } from '../hdc/text.js'
import { dot } from '../indexes/latents.js'
import { NO_SCORE, type Arena, type Hypervector, type Query } from '../kernel/port.js'
import { UNRELATED } from '../recall/goals.js'
import { chanceLevel, highest, SIMILAR_MARGIN } from '../recall/evidence.js'
import type { Beliefs } from './beliefs.js'
import type { Goals } from './goals.js'
import type { Setting } from './setting.js'

/** Memories, and beliefs, that say what is to be expected: the newest so many of each. */
const RECENT = 256

/** What is to be expected: what was remembered and believed of late, and what is aimed at. A function of the live memories, beliefs and goals. */
export class Expectation {
  readonly #setting: Setting
  readonly #beliefs: Beliefs
  readonly #goals: Goals
  /** Signatures of what is believed, by a place of their own. */
  readonly #believed: Arena
  readonly #places = new Map<string, number>()
  #nextPlace = 0
  /** One signature at a time, to score it. */
  readonly #single: Arena

  constructor(setting: Setting, goals: Goals, beliefs: Beliefs) {
    this.#setting = setting
    this.#goals = goals
    this.#beliefs = beliefs
    this.#believed = setting.indexes.kernel.arena()
    this.#single = setting.indexes.kernel.arena()
  }

  /** How little a text is to be expected, 0 to 1; 1 where nothing is remembered or believed. */
  ofText(text: string): number {
    const { kernel, postings, catalog, text: arena, latents } = this.#setting.indexes
    const places = this.#recentBeliefs()
    const slots = Uint32Array.from(catalog.newest(RECENT))
    if (slots.length + places.length === 0) return 1
    let likeness = 0
    const query = textQueries(kernel, text, (term) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0), postings.idf('')).likeness
    if (query !== undefined) {
      const chance = chanceLevel(slots.length + places.length)
      const most = this.#scoreOf(query, text) / query.norm
      for (const scores of [arena.score(query, slots), this.#believed.score(query, places)]) {
        for (const score of scores) if (score !== NO_SCORE) likeness = Math.max(likeness, corrected(score / query.norm, chance, most))
      }
    }
    const latent = latents?.cue(text)?.latent
    if (latent !== undefined) {
      for (const slot of slots) {
        const own = latents!.latent(slot)
        if (own !== undefined) likeness = Math.max(likeness, corrected(dot(own, latent), UNRELATED, 1))
      }
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
    const goals = this.#goals.texts()
    if (goals.length === 0) return 0
    const { kernel, postings, catalog, latents } = this.#setting.indexes
    const own = latents?.cue(text)?.fixed
    const chance = chanceLevel(catalog.size) + SIMILAR_MARGIN
    const known = (term: string) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0)
    let relevance = 0
    for (const goal of goals) {
      const query = textQueries(kernel, goal, known, postings.idf('')).likeness
      if (query !== undefined) {
        relevance = Math.max(relevance, corrected(this.#scoreOf(query, text) / query.norm, chance, highest(query)))
      }
      const latent = own && latents?.cue(goal)?.latent
      if (latent !== undefined) relevance = Math.max(relevance, corrected(dot(own!, latent), UNRELATED, 1))
    }
    return relevance
  }

  /** Gives the kernel's memory back. */
  free(): void {
    this.#believed.free()
    this.#single.free()
  }

  /** What a text would score against a query if it were remembered. */
  #scoreOf(query: Query, text: string): number {
    this.#single.set(0, textSignature(this.#setting.indexes.kernel, text))
    return this.#single.score(query, Uint32Array.of(0))[0]
  }

  /** Where the signatures of the newest beliefs are. */
  #recentBeliefs(): Uint32Array {
    const { kernel } = this.#setting.indexes
    const recent = new Map(this.#beliefs.recent(RECENT).map(({ id, claim }) => [id, claim]))
    for (const [id, place] of this.#places) {
      if (recent.has(id)) continue
      this.#believed.clear(place)
      this.#places.delete(id)
    }
    for (const [id, claim] of recent) {
      if (this.#places.has(id)) continue
      this.#believed.set(this.#nextPlace, textSignature(kernel, claim))
      this.#places.set(id, this.#nextPlace++)
    }
    return Uint32Array.from(this.#places.values())
  }
}
