import { type BeliefId, tripleOf } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import { HEAP, namedBytes } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey, conceptWords } from '../../encoding/concept.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import { Claims } from './claims.js'
import type { Logged } from '../../records/event-log.js'
import { type Effective, effectiveOf, type Episodes, type StoredBelief } from './effective.js'
import {
  beliefAt,
  type Entry,
  type Fate,
  type FateOf,
  type Held,
  heldAt,
  type Standing,
  type Times,
} from './standing.js'

/**
 * What V8 takes for a belief beside the events that tell of it: itself, its log, and its places in two maps. Then for
 * each entry of a log, for each episode that it counts, and for each stored event.
 */
const HELD = 3 * (HEAP.object + 5 * HEAP.field) + HEAP.double + 2 * HEAP.array + HEAP.field + 2 * HEAP.entry
const ENTRY = HEAP.object + 6 * HEAP.field + HEAP.empty
const COUNTED = HEAP.object + 5 * HEAP.field + HEAP.double
const STORED = HEAP.object + 3 * HEAP.field

type BeliefEvent = LearningEvent<'beliefReasserted' | 'beliefRevised' | 'beliefWithdrawn'>

/** The events of a belief, and what they come to; nothing where that is to be worked out anew. */
interface Kept extends StoredBelief {
  assertion?: Logged<'beliefAsserted'>
  readonly events: Logged<BeliefEvent['kind']>[]
  effective?: Effective
}

/**
 * What the agent holds to be true (floor 6): a function of the learning events and of the episodes that are there.
 * Withdrawn beliefs stay. A belief all of whose evidence is gone is not there, until some of it is back.
 */
export class BeliefTable {
  readonly #episodes: Episodes
  readonly #kept = new Map<BeliefId, Kept>()
  /** Those that are there, by place. */
  readonly #held = new Map<number, Held>()
  /** The places, ascending; empty where they are to be sorted anew. */
  #places: number[] = []
  readonly #concepts = new Map<string, Set<number>>()
  /** Places of the beliefs whose claim has a word. */
  readonly #words = new Map<string, Set<number>>()
  /** Places of the beliefs that give a concept another name. */
  readonly #naming = new Set<number>()
  /** The beliefs whose events name an episode. */
  readonly #evidence = new Map<EpisodeId, Set<BeliefId>>()
  /** Beliefs that are to be worked out anew. */
  readonly #stale = new Set<BeliefId>()
  /** Those whose events are not told as they are stored. */
  readonly #differing = new Set<BeliefId>()
  /** Those that the memory believes by itself. */
  readonly #automatic = new Set<BeliefId>()
  #reorderings = 0
  readonly #claims: Claims

  /**
   * @param episodes says which of the episodes that beliefs rest on are live.
   * @param nameOf tells which relation a predicate names. Default: as of `Claims`.
   */
  constructor(episodes: Episodes, nameOf?: (predicate: string) => string) {
    this.#claims = new Claims(nameOf)
    this.#episodes = episodes
  }

  /** Takes an event in, in any order; answers the belief that it is about. */
  apply(event: LearningEvent, slot: number): BeliefId | undefined {
    if (event.kind !== 'beliefAsserted' && !isAbout(event)) return undefined
    const kept = this.#kept.get(event.belief) ?? { id: event.belief, events: [] }
    this.#kept.set(event.belief, kept)
    if (event.kind === 'beliefAsserted') {
      kept.assertion = { slot, event }
      if (event.automatic !== undefined) this.#automatic.add(kept.id)
    } else kept.events.push({ slot, event })
    for (const episode of episodesOf(event)) enter(this.#evidence, episode, event.belief)
    this.#stale.add(event.belief)
    return event.belief
  }

  /**
   * Takes an event out, as if it had never come. With an assertion of a caller go all other events of the belief, which
   * tell nothing without it; what was said of a belief of the memory's own stays for its return. Answers the belief if
   * it is still there.
   */
  retract(event: LearningEvent): BeliefId | undefined {
    if (event.kind !== 'beliefAsserted' && !isAbout(event)) return undefined
    const kept = this.#kept.get(event.belief)
    if (kept === undefined) return undefined
    if (event.kind === 'beliefAsserted') {
      if (kept.assertion?.event !== event) return undefined
      kept.assertion = undefined
      this.#automatic.delete(kept.id)
      const others = event.automatic === undefined ? kept.events.splice(0, Infinity) : []
      for (const { event } of others) this.#unname(kept, event)
    } else {
      const at = kept.events.findIndex((one) => one.event === event)
      if (at < 0) return kept.id
      kept.events.splice(at, 1)
    }
    this.#unname(kept, event)
    if (kept.assertion === undefined && kept.events.length === 0) return this.#drop(kept)
    this.#stale.add(kept.id)
    return kept.id
  }

  /** Forgets the episodes that an event names, but for those that others of the belief do. */
  #unname({ id, assertion, events }: Kept, event: BeliefEvent | LearningEvent<'beliefAsserted'>): void {
    const all = [...(assertion === undefined ? [] : [assertion]), ...events]
    const others = new Set(all.flatMap(({ event }) => episodesOf(event)))
    for (const episode of episodesOf(event)) if (!others.has(episode)) leave(this.#evidence, episode, id)
  }

  #drop(kept: Kept): undefined {
    this.#unlist(kept)
    this.#kept.delete(kept.id)
    this.#stale.delete(kept.id)
    this.#differing.delete(kept.id)
  }

  /** Says that an episode came, ended or went; answers the beliefs whose events name it. */
  episodeChanged(episode: EpisodeId): BeliefId[] {
    const beliefs = [...(this.#evidence.get(episode) ?? [])]
    for (const id of beliefs) this.#stale.add(id)
    return beliefs
  }

  /** Whether it has no event of any belief, not even of one whose episodes are gone. */
  get hasNone(): boolean {
    return this.#kept.size === 0
  }

  /** Whether it has any that the memory believes by itself. */
  get hasAutomatic(): boolean {
    return this.#automatic.size > 0
  }

  /** Beliefs that are not withdrawn. */
  get size(): number {
    this.#settle()
    let size = 0
    for (const { log } of this.#held.values()) if (!log.some(({ revision }) => revision.kind === 'withdrawn')) size++
    return size
  }

  /** Whether nothing is believed, nor was and is withdrawn. */
  get isEmpty(): boolean {
    this.#settle()
    return this.#held.size === 0
  }

  /** How often a belief came before others that were there, or went. */
  get reorderings(): number {
    this.#settle()
    return this.#reorderings
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    this.#settle()
    let own = this.#kept.size * HELD
    for (const { events } of this.#kept.values()) own += events.length * STORED
    for (const { log } of this.#held.values()) for (const { counted } of log) own += ENTRY + counted.length * COUNTED
    return own + namedBytes(this.#concepts) + namedBytes(this.#words) + namedBytes(this.#evidence) + this.#claims.bytes
  }

  /** Where beliefs are found by what is stated. */
  get claims(): Claims {
    this.#settle()
    return this.#claims
  }

  find(id: BeliefId): Held | undefined {
    this.#settle()
    return this.#kept.get(id)?.effective?.held
  }

  /** The belief at a place; `undefined` once it was retracted. */
  at(place: number): Held | undefined {
    this.#settle()
    return this.#held.get(place)
  }

  /** All of them, in the order in which they were asserted. */
  all(): Held[] {
    this.#settle()
    if (this.#places.length !== this.#held.size) this.#places = [...this.#held.keys()].sort((a, b) => a - b)
    return this.#places.map((place) => this.#held.get(place)!)
  }

  /** Those that give a concept another name, in the order in which they were asserted. */
  naming(): Held[] {
    this.#settle()
    return [...this.#naming].sort((a, b) => a - b).map((place) => this.#held.get(place)!)
  }

  /** What is stored of a belief, and what it comes to, whether the belief is there or not. */
  stored(id: BeliefId): { readonly stored: StoredBelief; readonly effective: Effective } | undefined {
    this.#settle()
    const kept = this.#kept.get(id)
    return kept && { stored: kept, effective: kept.effective! }
  }

  /** The ids of all beliefs, those that are not there as well. */
  ids(): Iterable<BeliefId> {
    return this.#kept.keys()
  }

  /** How stored events are told, where that is not as they are. */
  told(): Map<LearningEvent, LearningEvent | undefined> {
    this.#settle()
    return new Map([...this.#differing].flatMap((id) => [...this.#kept.get(id)!.effective!.told]))
  }

  /**
   * A belief as it stands; see {@link beliefAt}.
   *
   * @param coming what becomes of episodes that its log counts and that are not indexed yet.
   */
  stands(held: Held, times: Times, coming?: ReadonlyMap<EpisodeId, Fate>): Standing | undefined {
    const { fateOf } = this.#episodes
    const fate: FateOf = (episode, slot, known) => coming?.get(episode) ?? fateOf(episode, slot, known)
    return beliefAt(held, times, coming === undefined ? fateOf : fate)
  }

  /** The same, if it is held to be true of a time. */
  holds(held: Held, times: Times & { readonly valid: number }): Standing | undefined {
    return heldAt(held, times, this.#episodes.fateOf)
  }

  /** The fate of an episode that an entry of the log counts or flags. */
  fate(episode: EpisodeId, entry: Entry): ReturnType<FateOf> {
    return this.#episodes.fateOf(episode, entry.slot, Infinity)
  }

  /** The beliefs whose events name an episode, those that are not there as well. */
  restingOn(episode: EpisodeId): BeliefId[] {
    return [...(this.#evidence.get(episode) ?? [])]
  }

  /**
   * Those whose subject or object is a concept, or whose claim has its words beside each other, in the order in which
   * they were asserted.
   */
  about(concept: string): Held[] {
    this.#settle()
    const key = conceptKey(concept)
    const words = conceptWords(concept)
    const found = new Set(this.#concepts.get(key))
    // "C++" has the words of "C" and is another concept.
    const isOther = (name: string | undefined) =>
      name !== undefined && conceptWords(name).join(' ') === words.join(' ') && conceptKey(name) !== key
    for (const place of this.#withWords(words)) {
      const { claim, subject, object } = this.#held.get(place)!.asserted
      if (!isOther(subject) && !isOther(object) && mentions(conceptWords(claim), words)) found.add(place)
    }
    return [...found].sort((a, b) => a - b).map((place) => this.#held.get(place)!)
  }

  /** Works out anew what is stale. */
  #settle(): void {
    const fresh: { readonly kept: Kept; readonly held: Held }[] = []
    for (const id of this.#stale) {
      const kept = this.#kept.get(id)!
      const before = kept.effective?.held
      const effective = effectiveOf(kept, this.#episodes)
      const now = effective.held
      const isListed = before !== undefined && before.place === now?.place && before.asserted === now.asserted
      if (!isListed) this.#unlist(kept)
      kept.effective = effective
      if (now !== undefined && isListed) this.#held.set(now.place, now)
      else if (now !== undefined) fresh.push({ kept, held: now })
      if (effective.told.size > 0) this.#differing.add(id)
      else this.#differing.delete(id)
    }
    // What had a place is out of it by now.
    for (const { kept, held } of fresh) this.#enter(kept, held)
    this.#stale.clear()
  }

  /**
   * Lists a belief. Two of the memory's own may have one place after episodes that led to them are gone and before the
   * consequences are computed: then the second stands right behind the first.
   */
  #enter(kept: Kept, held: Held): void {
    let { place } = held
    while (this.#held.has(place)) place += 2 ** -20
    const own = place === held.place ? held : { ...held, place }
    kept.effective = { ...kept.effective!, held: own }
    this.#held.set(place, own)
    this.#list(own)
  }

  #list({ place, asserted }: Held): void {
    const { claim, subject, object } = asserted
    const isLast = (this.#places.at(-1) ?? -1) < place && this.#places.length === this.#held.size - 1
    if (isLast) this.#places.push(place)
    else {
      this.#places = []
      this.#reorderings++
    }
    for (const concept of [subject, object])
      if (concept !== undefined) enter(this.#concepts, conceptKey(concept), place)
    for (const word of conceptWords(claim)) enter(this.#words, word, place)
    this.#claims.add(place, asserted)
    const triple = tripleOf(asserted)
    if (triple !== undefined && isAlias(triple)) this.#naming.add(place)
  }

  #unlist({ effective }: Kept): void {
    if (effective?.held === undefined) return
    const { place, asserted } = effective.held
    const { claim, subject, object } = asserted
    this.#held.delete(place)
    this.#naming.delete(place)
    this.#places = []
    this.#reorderings++
    for (const concept of [subject, object])
      if (concept !== undefined) leave(this.#concepts, conceptKey(concept), place)
    for (const word of conceptWords(claim)) leave(this.#words, word, place)
    this.#claims.remove(place, asserted, (other) => this.#held.get(other)!.asserted.predicate!)
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

function isAbout(event: LearningEvent): event is BeliefEvent {
  return event.kind === 'beliefReasserted' || event.kind === 'beliefRevised' || event.kind === 'beliefWithdrawn'
}

/** The episodes that an event of a belief names. */
function episodesOf(event: BeliefEvent | LearningEvent<'beliefAsserted'>): readonly EpisodeId[] {
  if (event.kind === 'beliefAsserted' || event.kind === 'beliefReasserted') return event.evidence
  return event.revision.evidence === undefined ? [] : [event.revision.evidence]
}

/** Whether the words stand in the text beside each other. */
function mentions(text: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && text.some((_, start) => words.every((word, i) => text[start + i] === word))
}
