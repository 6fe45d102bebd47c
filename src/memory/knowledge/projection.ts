import type { AtomId, Contradiction } from '../../api/atom.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import { HEAP, namedBytes } from '../../base/heap-size.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Logged } from '../../records/event-log.js'
import { said } from '../../encoding/predicate.js'
import { tokens } from '../../encoding/tokens.js'

/** When it was learned that an episode says what an atom says. */
export interface Joined {
  /** Transaction time, epoch milliseconds. */
  readonly at: number
  /** The slot of the event: an episode that came after it under the same id is another. */
  readonly slot: number
}

/** An atom as the events tell of it; which of its episodes are still there is not for them to say. */
export interface Formed {
  readonly id: AtomId
  readonly statement: string
  readonly triple?: Triple
  readonly formedAt: string
  /** In the order in which they joined. */
  readonly episodes: ReadonlyMap<EpisodeId, Joined>
}

/** What V8 takes for an atom beside the event that formed it, and for its place. */
const ATOM = HEAP.object + 5 * HEAP.field + HEAP.entry

/** What a triple says: the same for each spelling of its concepts and each inflection of its predicate. */
export function tripleKey({ subject, predicate, object }: Triple): string {
  return JSON.stringify([conceptKey(subject), predicateKey(predicate), conceptKey(object)])
}

/** What a text without triples says: its words. */
export function textKey(text: string): string {
  return JSON.stringify(tokens(text))
}

/** What a predicate says, apart from its inflection. */
export function predicateKey(predicate: string): string {
  const { stems, negated } = said(predicate)
  return negated ? `not ${stems}` : stems
}

/** Of whom, and of what else, a triple tells. */
export function endsKey({ subject, object }: Triple): string {
  return JSON.stringify([conceptKey(subject), conceptKey(object)])
}

const KINDS: ReadonlySet<LearningEvent['kind']> = new Set([
  'semanticAtomFormed',
  'semanticAtomRevised',
  'contradictionDetected',
  'consolidationRun',
])

/** Whether the table of atoms is made of an event. */
export function isAtomEvent({ kind }: LearningEvent): boolean {
  return KINDS.has(kind)
}

/** The table of atoms, a function of the learning events. */
export class AtomTable {
  readonly #atoms = new Map<AtomId, Formed & { readonly episodes: Map<EpisodeId, Joined> }>()
  readonly #byEpisode = new Map<EpisodeId, Set<AtomId>>()
  readonly #byEnds = new Map<string, Set<AtomId>>()
  /** When a pair was found to contradict, epoch milliseconds. */
  readonly #contradictions = new Map<AtomId, Map<AtomId, number>>()
  readonly #changed = new Set<AtomId>()
  #upTo = -1

  /** The slot through which episodes have been looked at; −1 before the first. */
  get upTo(): number {
    return this.#upTo
  }

  /** The atoms that were formed or gained episodes since the last consolidation that came to its end, sorted. */
  get changed(): AtomId[] {
    return [...this.#changed].sort()
  }

  /** Atoms that were ever formed. */
  get size(): number {
    return this.#atoms.size
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    let episodes = 0
    for (const atom of this.#atoms.values()) episodes += atom.episodes.size
    // Each is joined once, in a map, by a set of its own.
    const joined = episodes * HEAP.entry + this.#byEpisode.size * (HEAP.map + HEAP.entry)
    return (
      this.#atoms.size * (ATOM + HEAP.map) +
      joined +
      namedBytes(this.#byEnds) +
      namedBytes(this.#contradictions) +
      this.#changed.size * HEAP.entry
    )
  }

  get(id: AtomId): Formed | undefined {
    return this.#atoms.get(id)
  }

  all(): IterableIterator<Formed> {
    return this.#atoms.values()
  }

  /** The atoms that an episode was found to say. */
  of(episode: EpisodeId): Iterable<AtomId> {
    return this.#byEpisode.get(episode) ?? []
  }

  /** The atoms with triples of the same subject and object. */
  between(ends: string): Iterable<AtomId> {
    return this.#byEnds.get(ends) ?? []
  }

  /** The atoms that were found to contradict one, with the time at which they were, epoch milliseconds. */
  against(id: AtomId): Iterable<readonly [AtomId, number]> {
    return this.#contradictions.get(id) ?? []
  }

  contradicts(a: AtomId, b: AtomId): boolean {
    return this.#contradictions.get(a)?.has(b) ?? false
  }

  /** Takes in an event and its slot; answers the atom that it changed. */
  apply(event: LearningEvent, slot: number): AtomId | undefined {
    const joined = { at: Date.parse(event.at), slot }
    switch (event.kind) {
      case 'semanticAtomFormed': {
        const { atom: id, statement, triple, at: formedAt } = event
        // Formed anew when all that said it before are gone.
        for (const episode of this.#atoms.get(id)?.episodes.keys() ?? []) this.#byEpisode.get(episode)?.delete(id)
        this.#atoms.set(id, { id, statement, triple, formedAt, episodes: new Map() })
        if (triple !== undefined) append(this.#byEnds, endsKey(triple), id)
        this.#join(id, event.episodes, joined)
        this.#upTo = Math.max(this.#upTo, event.upTo)
        return id
      }
      case 'semanticAtomRevised':
        this.#upTo = Math.max(this.#upTo, event.upTo)
        return this.#join(event.atom, event.episodes, joined) ? event.atom : undefined
      case 'contradictionDetected':
        this.#contradict(event.atoms, joined.at)
        return undefined
      case 'consolidationRun':
        this.#upTo = Math.max(this.#upTo, event.upTo)
        this.#changed.clear()
        return undefined
      default:
        return undefined
    }
  }

  /** Makes all of it anew of these events, in place: a consolidation that is under way reads on in it. */
  rebuild(logged: Iterable<Logged>): void {
    for (const table of [this.#atoms, this.#byEpisode, this.#byEnds, this.#contradictions, this.#changed]) table.clear()
    this.#upTo = -1
    for (const { event, slot } of logged) this.apply(event, slot)
  }

  /** Answers whether there is such an atom. */
  #join(id: AtomId, episodes: readonly EpisodeId[], joined: Joined): boolean {
    const atom = this.#atoms.get(id)
    if (atom === undefined) return false
    this.#changed.add(id)
    for (const episode of episodes) {
      atom.episodes.set(episode, joined)
      append(this.#byEpisode, episode, id)
    }
    return true
  }

  #contradict([a, b]: Contradiction['atoms'], at: number): void {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      const against = this.#contradictions.get(one)
      if (against === undefined) this.#contradictions.set(one, new Map([[other, at]]))
      else if (!against.has(other)) against.set(other, at)
    }
  }
}

function append<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
