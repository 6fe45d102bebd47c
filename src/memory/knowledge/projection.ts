import type { AtomId, Contradiction } from '../../api/atom.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import { HEAP, namedBytes } from '../../base/heap-size.js'
import { enter, leave } from '../../base/set-map.js'
import type { LearningEvent } from '../../api/learning.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Logged } from '../../records/event-log.js'
import { said } from '../../encoding/predicate.js'
import { tokens } from '../../encoding/tokens.js'

/** When it was learned that an episode says what an atom says. */
export interface Joined {
  /** Transaction time, epoch milliseconds. */
  readonly at: number
  /** An episode that has this slot or a later one under the same id is another: it came after the batch. */
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

/** Where a table reads all events again. */
type Log = () => Iterable<Logged>

/**
 * The table of atoms, a function of the learning events. Their order is that of the slots through which episodes had
 * been looked at, not that in which they were stored: an event that was rederived is stored later than it was learned.
 */
export class AtomTable {
  readonly #log: Log
  readonly #atoms = new Map<AtomId, Formed & { readonly episodes: Map<EpisodeId, Joined> }>()
  readonly #byEpisode = new Map<EpisodeId, Set<AtomId>>()
  readonly #byEnds = new Map<string, Set<AtomId>>()
  /** When a pair was found to contradict, epoch milliseconds. */
  readonly #contradictions = new Map<AtomId, Map<AtomId, number>>()
  readonly #changed = new Set<AtomId>()
  #upTo = -1
  /** The slot through which the runs that came to their end had looked. */
  #finished = -1
  #isStale = false
  #rebuilt = 0

  /** @param log all events, in any order: read again where they come out of order or go. */
  constructor(log: Log = () => []) {
    this.#log = log
  }

  /** How often all of it was made anew: what is kept of it in an order is to be compared with it then. */
  get rebuilt(): number {
    this.#settle()
    return this.#rebuilt
  }

  /** The slot through which episodes have been looked at; −1 before the first. */
  get upTo(): number {
    this.#settle()
    return this.#upTo
  }

  /** The atoms that were formed or gained episodes since the last consolidation that came to its end, sorted. */
  get changed(): AtomId[] {
    this.#settle()
    return [...this.#changed].sort()
  }

  /** Atoms that were ever formed. */
  get size(): number {
    this.#settle()
    return this.#atoms.size
  }

  /** Bytes of memory beside those of the events, about. */
  get bytes(): number {
    this.#settle()
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
    this.#settle()
    return this.#atoms.get(id)
  }

  all(): IterableIterator<Formed> {
    this.#settle()
    return this.#atoms.values()
  }

  /** The atoms that an episode was found to say. */
  of(episode: EpisodeId): Iterable<AtomId> {
    this.#settle()
    return this.#byEpisode.get(episode) ?? []
  }

  /** The atoms with triples of the same subject and object. */
  between(ends: string): Iterable<AtomId> {
    this.#settle()
    return this.#byEnds.get(ends) ?? []
  }

  /** The atoms that were found to contradict one, with the time at which they were, epoch milliseconds. */
  against(id: AtomId): Iterable<readonly [AtomId, number]> {
    this.#settle()
    return this.#contradictions.get(id) ?? []
  }

  contradicts(a: AtomId, b: AtomId): boolean {
    this.#settle()
    return this.#contradictions.get(a)?.has(b) ?? false
  }

  /** Takes in an event and its slot; answers the atom that it may have changed. */
  apply(event: LearningEvent, slot: number): AtomId | undefined {
    if (this.#isLate(event)) this.#isStale = true
    if (!this.#isStale) return this.#take(event, slot)
    return event.kind === 'semanticAtomFormed' || event.kind === 'semanticAtomRevised' ? event.atom : undefined
  }

  /** Says that the log has lost events: all is made anew, in place, when it is next read. */
  invalidate(): void {
    this.#isStale = true
  }

  /** Whether an event belongs before some that were taken in. */
  #isLate(event: LearningEvent): boolean {
    switch (event.kind) {
      case 'semanticAtomFormed':
      case 'semanticAtomRevised':
        return event.upTo < this.#upTo || event.upTo <= this.#finished
      case 'consolidationRun':
        return event.upTo < this.#upTo
      default:
        return false
    }
  }

  /** Makes all of it anew where that is due. */
  #settle(): void {
    if (!this.#isStale) return
    this.#isStale = false
    this.#rebuilt++
    for (const table of [this.#atoms, this.#byEpisode, this.#byEnds, this.#contradictions, this.#changed]) table.clear()
    this.#upTo = this.#finished = -1
    for (const { event, slot } of inOrder(this.#log())) this.#take(event, slot)
  }

  #take(event: LearningEvent, slot: number): AtomId | undefined {
    const at = Date.parse(event.at)
    switch (event.kind) {
      case 'semanticAtomFormed': {
        const { atom: id, statement, triple, at: formedAt } = event
        // Formed anew when all that said it before are gone.
        for (const episode of this.#atoms.get(id)?.episodes.keys() ?? []) leave(this.#byEpisode, episode, id)
        this.#atoms.set(id, { id, statement, triple, formedAt, episodes: new Map() })
        if (triple !== undefined) enter(this.#byEnds, endsKey(triple), id)
        this.#join(id, event.episodes, { at, slot: Math.min(slot, event.upTo + 1) })
        this.#upTo = Math.max(this.#upTo, event.upTo)
        return id
      }
      case 'semanticAtomRevised': {
        this.#upTo = Math.max(this.#upTo, event.upTo)
        const joined = { at, slot: Math.min(slot, event.upTo + 1) }
        return this.#join(event.atom, event.episodes, joined) ? event.atom : undefined
      }
      case 'contradictionDetected':
        this.#contradict(event.atoms, at)
        return undefined
      case 'consolidationRun':
        this.#upTo = Math.max(this.#upTo, event.upTo)
        this.#finished = Math.max(this.#finished, event.upTo)
        this.#changed.clear()
        return undefined
      default:
        return undefined
    }
  }

  /** Answers whether there is such an atom. */
  #join(id: AtomId, episodes: readonly EpisodeId[], joined: Joined): boolean {
    const atom = this.#atoms.get(id)
    if (atom === undefined) return false
    this.#changed.add(id)
    for (const episode of episodes) {
      atom.episodes.set(episode, joined)
      enter(this.#byEpisode, episode, id)
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
      else against.set(other, Math.min(at, against.get(other) ?? Infinity))
    }
  }
}

/** Of a batch the atoms come before the run that ends with it. */
function inOrder(logged: Iterable<Logged>): Logged[] {
  const upTo = ({ event }: Logged) => ('upTo' in event ? event.upTo : Number.MAX_SAFE_INTEGER)
  const isRun = ({ event }: Logged) => Number(event.kind === 'consolidationRun')
  return [...logged]
    .filter(({ event }) => isAtomEvent(event))
    .sort((a, b) => upTo(a) - upTo(b) || isRun(a) - isRun(b) || a.slot - b.slot)
}
