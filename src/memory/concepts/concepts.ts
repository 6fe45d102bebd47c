import type { LearningEvent } from '../../api/learning.js'
import type { ConceptMethods } from '../../api/methods/concepts.js'
import type { Caller } from '../../api/caller.js'
import { HEAP } from '../../base/heap-size.js'
import { loadOnce, ofLoaded } from '../../base/load-once.js'
import type { Visibility } from '../../indexes/visibility.js'
import type { ConflictQuery, Replacement } from '../conflicts.js'
import type { MemoryContext } from '../context.js'
import { ofEvents, type Projection, type Service } from '../projection.js'
import { type DecisionEvent, decisionOf, isDecision } from './decisions.js'
import type { ConceptQueries, Others } from './queries.js'
import { type Replaced, replacedAmong } from './replaced.js'

/** What answers the methods of concepts. It is large, so it is loaded when it is first needed. */
export interface ConceptParts {
  readonly concepts: () => Promise<{ readonly ConceptQueries: typeof ConceptQueries }>
}

/** What episodes name, and which names are of one concept. */
export class Concepts implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  readonly #queries: () => Promise<ConceptQueries>
  /** What callers decided, by slot. */
  #decided: { readonly slot: number; readonly event: DecisionEvent }[] = []

  constructor(context: MemoryContext, others: Others, parts: ConceptParts) {
    this.#context = context
    this.#queries = loadOnce(async () => {
      const { ConceptQueries } = await parts.concepts()
      return new ConceptQueries(context, others, () => this.#decided.map(({ event }) => event))
    })
  }

  apply(event: LearningEvent, slot: number): void {
    if (!isDecision(event)) return
    const place = this.#decided.findLastIndex((other) => other.slot < slot) + 1
    this.#decided.splice(place, 0, { slot, event })
    this.#decide()
  }

  retract(events: readonly LearningEvent[]): void {
    const gone = new Set(events.filter(isDecision))
    if (gone.size === 0) return
    this.#decided = this.#decided.filter(({ event }) => !gone.has(event))
    this.#decide()
  }

  /** Bytes of memory beside those of the events and the indexes, about. */
  get bytes(): number {
    return this.#decided.length * (HEAP.object + 3 * HEAP.field)
  }

  /** The public methods of concepts on behalf of a caller. */
  methods(caller: Caller): ConceptMethods {
    return {
      concepts: ofLoaded(this.#queries, (queries, query) => queries.list(query)),
      concept: ofLoaded(this.#queries, (queries, nameOrId) => queries.get(nameOrId)),
      alias: ofLoaded(this.#queries, (queries, name, other) => queries.alias(name, other, caller)),
      split: ofLoaded(this.#queries, (queries, nameOrId, names) => queries.split(nameOrId, names, caller)),
      beliefCandidates: ofLoaded(this.#queries, (queries, query) => queries.candidates(query)),
    }
  }

  /** Why names are of one concept, as far as episodes say so: events that are read from these. */
  async merges(): Promise<LearningEvent<'conceptsMerged'>[]> {
    return (await this.#queries()).merges()
  }

  /** Statements of a one-at-a-time relation that a newer one replaces, at a valid time; the newest first. */
  async replacements(query: ConflictQuery): Promise<Replacement[]> {
    return (await this.#queries()).replacements(query)
  }

  /** Which statements of some episodes newer ones replace, as far as these are visible; see `replacedAmong`. */
  replaced(slots: readonly number[], visibility: Visibility): Promise<Replaced> {
    return replacedAmong(this.#context.indexes, this.#context.fetch, slots, visibility)
  }

  #decide(): void {
    this.#context.indexes.conceptNames.decide(() => this.#decided.map(({ event }) => decisionOf(event)))
  }
}
