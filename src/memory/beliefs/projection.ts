import type { BeliefId } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import { HEAP, namedBytes } from '../../base/heap-size.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey, conceptWords } from '../../encoding/concept.js'
import { Claims } from './claims.js'
import {
  assertion,
  beliefAt,
  type Entry,
  type FateOf,
  type Held,
  heldAt,
  revising,
  type Standing,
  type Times,
} from './standing.js'

/**
 * What V8 takes for a belief beside the events that tell of it: itself, its log, and its places in a map and an array.
 * Then for each entry of a log, and for each episode that it counts.
 */
const HELD = 2 * (HEAP.object + 5 * HEAP.field) + HEAP.double + HEAP.array + HEAP.field + HEAP.entry
const ENTRY = HEAP.object + 5 * HEAP.field + HEAP.empty
const COUNTED = HEAP.object + 5 * HEAP.field + HEAP.double

/** A belief whose log can change. */
type HeldEntries = Held & { readonly log: Entry[] }

/** What the agent holds to be true (floor 6): a fold over the learning events. Withdrawn beliefs stay. */
export class BeliefTable {
  readonly #fateOf: FateOf
  readonly #held = new Map<BeliefId, HeldEntries>()
  /** By place; nothing where a belief was retracted. */
  readonly #order: (HeldEntries | undefined)[] = []
  readonly #concepts = new Map<string, Set<number>>()
  /** Places of the beliefs whose claim has a word. */
  readonly #words = new Map<string, Set<number>>()
  /** Places of the beliefs that an episode was counted for or against, or flagged for. */
  readonly #evidence = new Map<EpisodeId, Set<number>>()
  /** Those that were ever withdrawn. */
  readonly #withdrawn = new Set<BeliefId>()
  #entries = 0
  #counted = 0
  /** Where beliefs are found by what is stated. */
  readonly claims = new Claims()

  /** @param fateOf what became of the episodes on which beliefs rest. */
  constructor(fateOf: FateOf) {
    this.#fateOf = fateOf
  }

  /** Takes an event in; answers the belief that it is about. */
  apply(event: LearningEvent, slot: number): BeliefId | undefined {
    if (event.kind === 'beliefAsserted') this.#assert(event, slot)
    else if (event.kind === 'beliefRevised' || event.kind === 'beliefWithdrawn') this.#revise(event, slot)
    else return undefined
    return event.belief
  }

  /**
   * Takes an event out, as if it had never come. With an assertion go all revisions of the belief, which tell nothing
   * without it. Answers the belief if it is still there.
   */
  retract(event: LearningEvent): BeliefId | undefined {
    if (event.kind !== 'beliefAsserted' && event.kind !== 'beliefRevised' && event.kind !== 'beliefWithdrawn')
      return undefined
    const held = this.#held.get(event.belief)
    if (held === undefined) return undefined
    if (event.kind !== 'beliefAsserted') {
      this.#unrevise(held, event)
      return held.id
    }
    if (held.asserted === event) this.#unassert(held)
    return undefined
  }

  /** Beliefs that are not withdrawn. */
  get size(): number {
    let withdrawn = 0
    for (const id of this.#withdrawn) {
      if (beliefAt(this.#held.get(id)!, { now: Infinity }, this.#fateOf)?.withdrawn !== undefined) withdrawn++
    }
    return this.#held.size - withdrawn
  }

  /** Whether nothing is believed, nor was and is withdrawn. */
  get isEmpty(): boolean {
    return this.#held.size === 0
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    const own =
      this.#held.size * HELD + this.#entries * ENTRY + this.#counted * COUNTED + this.#withdrawn.size * HEAP.entry
    return own + namedBytes(this.#concepts) + namedBytes(this.#words) + namedBytes(this.#evidence) + this.claims.bytes
  }

  find(id: BeliefId): Held | undefined {
    return this.#held.get(id)
  }

  /** The belief at a place; `undefined` once it was retracted. */
  at(place: number): Held | undefined {
    return this.#order[place]
  }

  /** All of them, the newest first. */
  *newest(): Generator<Held> {
    for (let place = this.#order.length - 1; place >= 0; place--) {
      const held = this.#order[place]
      if (held !== undefined) yield held
    }
  }

  /** A belief as it stands; see {@link beliefAt}. */
  stands(held: Held, times: Times): Standing | undefined {
    return beliefAt(held, times, this.#fateOf)
  }

  /** The same, if it is held to be true of a time. */
  holds(held: Held, times: Times & { readonly valid: number }): Standing | undefined {
    return heldAt(held, times, this.#fateOf)
  }

  /** What became of an episode that an entry of the log counts or flags. */
  fate(episode: EpisodeId, entry: Entry): ReturnType<FateOf> {
    return this.#fateOf(episode, entry.slot, Infinity)
  }

  /** The beliefs that an episode was counted for or against, or flagged for. */
  restingOn(episode: EpisodeId): Held[] {
    return Array.from(this.#evidence.get(episode) ?? [], (place) => this.#order[place]!)
  }

  /**
   * Those whose subject or object is a concept, or whose claim has its words beside each other, in the order in which
   * they were asserted.
   */
  about(concept: string): Held[] {
    const key = conceptKey(concept)
    const words = conceptWords(concept)
    const found = new Set(this.#concepts.get(key))
    // "C++" has the words of "C" and is another concept.
    const isOther = (name: string | undefined) =>
      name !== undefined && conceptWords(name).join(' ') === words.join(' ') && conceptKey(name) !== key
    for (const place of this.#withWords(words)) {
      const { claim, subject, object } = this.#order[place]!.asserted
      if (!isOther(subject) && !isOther(object) && mentions(conceptWords(claim), words)) found.add(place)
    }
    return [...found].sort((a, b) => a - b).map((place) => this.#order[place]!)
  }

  #assert(asserted: LearningEvent<'beliefAsserted'>, slot: number): void {
    const { belief: id, claim, subject, object } = asserted
    const place = this.#order.length
    const held: HeldEntries = { id, place, asserted, log: [] }
    this.#held.set(id, held)
    this.#order.push(held)
    this.#enter(held, assertion(asserted, slot))
    for (const concept of [subject, object]) if (concept !== undefined) list(this.#concepts, conceptKey(concept), place)
    for (const word of conceptWords(claim)) list(this.#words, word, place)
    this.claims.add(place, asserted)
  }

  #revise(event: LearningEvent<'beliefRevised' | 'beliefWithdrawn'>, slot: number): void {
    const held = this.#held.get(event.belief)
    if (held === undefined) return
    this.#enter(held, revising(event, slot))
    if (event.revision.kind === 'withdrawn') this.#withdrawn.add(event.belief)
  }

  #enter({ place, log }: HeldEntries, entry: Entry): void {
    log.push(entry)
    this.#entries++
    this.#counted += entry.counted.length
    for (const episode of episodesOf(entry)) list(this.#evidence, episode, place)
  }

  #unrevise({ id, place, log }: HeldEntries, event: LearningEvent<'beliefRevised' | 'beliefWithdrawn'>): void {
    const at = log.findIndex(({ revision }) => revision === event.revision)
    if (at < 0) return
    const [entry] = log.splice(at, 1)
    this.#entries--
    this.#counted -= entry.counted.length
    const others = new Set(log.flatMap(episodesOf))
    for (const episode of episodesOf(entry)) if (!others.has(episode)) unlist(this.#evidence, episode, place)
    if (!log.some(({ revision }) => revision.kind === 'withdrawn')) this.#withdrawn.delete(id)
  }

  #unassert({ id, place, asserted, log }: HeldEntries): void {
    const { claim, subject, object } = asserted
    this.#held.delete(id)
    this.#order[place] = undefined
    this.#withdrawn.delete(id)
    this.#entries -= log.length
    for (const entry of log) {
      this.#counted -= entry.counted.length
      for (const episode of episodesOf(entry)) unlist(this.#evidence, episode, place)
    }
    for (const concept of [subject, object])
      if (concept !== undefined) unlist(this.#concepts, conceptKey(concept), place)
    for (const word of conceptWords(claim)) unlist(this.#words, word, place)
    this.claims.remove(place, asserted, (other) => this.#order[other]!.asserted.predicate!)
  }

  /** The places of claims that have all of the words, by way of the rarest. */
  #withWords(words: readonly string[]): Iterable<number> {
    let fewest: ReadonlySet<number> | undefined
    for (const word of words) {
      const places = this.#words.get(word)
      if (places === undefined) return []
      if (fewest === undefined || places.size < fewest.size) fewest = places
    }
    return fewest ?? []
  }
}

function list(places: Map<string, Set<number>>, key: string, place: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, new Set([place]))
  else known.add(place)
}

/** Takes a place out of a set, and the set away with its last one. */
function unlist(places: Map<string, Set<number>>, key: string, place: number): void {
  const known = places.get(key)
  known?.delete(place)
  if (known?.size === 0) places.delete(key)
}

/** The episodes that an entry counts, or flags. */
function episodesOf({ counted, revision: { kind, evidence } }: Entry): EpisodeId[] {
  const episodes = counted.map(({ episode }) => episode)
  return kind === 'flagged' && evidence !== undefined ? [...episodes, evidence] : episodes
}

/** Whether the words stand in the text beside each other. */
function mentions(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && text.some((_, start) => words.every((word, i) => text[start + i] === word))
}
