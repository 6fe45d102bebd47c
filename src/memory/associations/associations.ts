import type { Caller } from '../../api/caller.js'
import { checkId, checkKeys, checkText, describe, invalid } from '../../api/check.js'
import type { EpisodeId } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { GraphEdge, RelateOptions, RelationType } from '../../api/graph.js'
import type { LearningEvent } from '../../api/learning.js'
import type { GraphMethods } from '../../api/methods/graph.js'
import { AgidbError } from '../../base/errors.js'
import { slices } from '../../base/slices.js'
import { graphError, type GraphPart } from '../../base/graph-error.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import type { AssociationGraph } from '../../kernel/graph.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import type { Draft } from '../draft.js'
import { checkEvidence, expectEvidence } from '../evidence.js'
import { type IsGone, ofEvents, type Projection, type Service } from '../projection.js'
import type { GraphQueries } from './queries.js'
import { graphEventsWithout } from './without.js'

const MOST_WEIGHT = 1_000

/**
 * What callers say of the graphs, and what recalls teach: events of the log, of which the indexes make associations and
 * relations.
 */
export class AssociationFloor implements Projection, Service {
  readonly projections = [ofEvents(this)]
  /** What is known of events is the indexes'. */
  readonly bytes = 0
  readonly #context: MemoryContext
  #queries: Promise<GraphQueries> | undefined
  /** Whether a caller has associated episodes; `undefined` while that is not known. */
  #hasStrengthened: boolean | undefined

  constructor(context: MemoryContext) {
    this.#context = context
    context.indexes.graphs.follow(() => context.log.all())
  }

  /**
   * Loads what callers associated; absent where they associated nothing, so that nothing is loaded for it. What it
   * answers has no edge that observing or recalls alone made.
   */
  get strengthened(): (() => Promise<Pick<AssociationGraph, 'neighbours'> | undefined>) | undefined {
    this.#hasStrengthened ??= this.#context.log.all().some(({ event }) => associates(event))
    return this.#hasStrengthened ? this.#strengthened : undefined
  }

  readonly #strengthened = async () => {
    const { associations } = await this.#context.indexes.graphs.get()
    return associations.contents.strengthened.settled(slices())
  }

  apply(event: LearningEvent, slot: number): void {
    if (associates(event)) this.#hasStrengthened = true
    this.#context.indexes.graphs.came(event, slot)
  }

  retract(events: readonly LearningEvent[]): void {
    if (events.some(associates)) this.#hasStrengthened = undefined
    this.#context.indexes.graphs.went(events)
  }

  without(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    return graphEventsWithout(events, isGone)
  }

  /** The public methods of the graphs on behalf of a caller. */
  methods(caller: Caller): GraphMethods {
    return {
      'graph.neighbours': (id, options) => this.#ask('association', (graph) => graph.neighbours(id, options)),
      'graph.activate': (ids, options) => this.#ask('association', (graph) => graph.activate(ids, options)),
      'graph.timeline': (id, options) => this.#ask('chain', (graph) => graph.timeline(id, options)),
      'graph.entities': (options) => this.#ask('entity', (graph) => graph.entities(options)),
      'graph.entity': (name) => this.#ask('entity', (graph) => graph.entity(name)),
      'graph.relations': (from, to, type) => this.#ask('entity', (graph) => graph.relations(from, to, type)),
      'graph.paths': (a, b, options) => this.#ask('association', (graph) => graph.paths(a, b, options)),
      'graph.strengthen': (a, b, weight) => this.strengthen(a, b, weight, caller),
      'graph.relate': (from, type, to, options) => this.relate(from, type, to, options, caller),
      'graph.forgetEdge': (edge) => this.forgetEdge(edge, caller),
      'graph.export': (format) => this.#ask('association', (graph) => graph.export(format)),
      'graph.stats': () => this.#ask('association', (graph) => graph.stats()),
    }
  }

  async strengthen(a: EpisodeId, b: EpisodeId, weight = 1, caller: Caller): Promise<void> {
    const { limits, indexes } = this.#context
    checkId('a', a, limits)
    checkId('b', b, limits)
    checkWeight(weight)
    if (a === b) throw invalid('a and b are the same episode; expected two', { what: 'b' })
    return this.#context.learn(caller, (): Draft<void> => {
      expectEpisodes(indexes, a, b)
      return {
        events: [{ kind: 'episodesAssociated', episodes: [a, b], weight: Math.fround(weight) }],
        result: () => {},
      }
    })
  }

  async relate(
    from: string,
    type: RelationType | string,
    to: string,
    options: RelateOptions | undefined,
    caller: Caller,
  ): Promise<void> {
    const { limits, indexes } = this.#context
    for (const [what, name] of Object.entries({ from, type, to })) checkText(what, name, limits, 'nameBytes')
    checkKeys('relate', options, ['weight', 'evidence'])
    const { weight = 1 } = options ?? {}
    checkWeight(weight)
    const evidence = checkEvidence('evidence', options?.evidence, limits)
    const [source, target] = [from.trim(), to.trim()]
    for (const [what, name] of Object.entries({ from: source, to: target }))
      if (identityOf(name) === '') throw invalid(`${what} has no letter, digit or sign; expected a name`, { what })
    if (identityOf(source) === identityOf(target))
      throw invalid('from and to name the same entity; expected two', { what: 'to' })
    return this.#context.learn(caller, (): Draft<void> => {
      expectEvidence(indexes.catalog, evidence)
      const event: NewEvent<'entitiesRelated'> = {
        kind: 'entitiesRelated',
        from: source,
        relation: type.trim(),
        to: target,
        weight,
        evidence,
      }
      return { events: [event], result: () => {} }
    })
  }

  async forgetEdge(edge: GraphEdge, caller: Caller): Promise<void> {
    const { limits } = this.#context
    checkKeys('edge', edge ?? null, ['a', 'b', 'from', 'type', 'to'])
    const isAssociation = 'a' in edge || 'b' in edge
    if (isAssociation && ('from' in edge || 'to' in edge || 'type' in edge))
      throw invalid('the edge has both episodes and entities; expected { a, b } or { from, type, to }', {
        what: 'edge',
      })
    if (isAssociation) {
      checkId('a', edge.a, limits)
      checkId('b', edge.b, limits)
      await this.#context.indexes.graphs.get()
      return this.#forget(caller, () => this.#association(edge.a, edge.b))
    }
    checkText('from', edge.from, limits, 'nameBytes')
    checkText('to', edge.to, limits, 'nameBytes')
    if (edge.type !== undefined) checkText('type', edge.type, limits, 'nameBytes')
    const queries = await this.#loaded()
    return this.#forget(caller, () => relationsOf(queries, edge))
  }

  #forget(caller: Caller, draft: () => NewEvent<'edgesForgotten'>): Promise<void> {
    return this.#context.learn(caller, (): Draft<void> => ({ events: [draft()], result: () => {} }))
  }

  #association(a: EpisodeId, b: EpisodeId): NewEvent<'edgesForgotten'> {
    const { indexes } = this.#context
    const [first, second] = expectEpisodes(indexes, a, b)
    if (first === second || indexes.associations.graph.weight(first, second) === 0)
      throw new AgidbError('AGIDB_NOT_FOUND', 'the two episodes are not associated', { a, b })
    return { kind: 'edgesForgotten', episodes: [a, b], evidence: [] }
  }

  /** Asks the graphs, once all there is is taken in. An error of a graph names the graph. */
  async #ask<T>(part: GraphPart, ask: (graph: GraphQueries) => T | Promise<T>): Promise<T> {
    const queries = await this.#loaded()
    try {
      return await ask(queries)
    } catch (error) {
      if (error instanceof AgidbError) throw error
      throw graphError(part, error)
    }
  }

  async #loaded(): Promise<GraphQueries> {
    const { parts, indexes } = this.#context
    this.#queries ??= parts.graph().then(
      ({ GraphQueries }) => new GraphQueries(this.#context),
      (error: unknown) => {
        this.#queries = undefined // it is tried again with the next call
        throw error
      },
    )
    const queries = await this.#queries
    const { associations } = await indexes.graphs.get()
    await associations.contents.settled(slices())
    return queries
  }
}

/** Whether an event says that a caller associated episodes. */
function associates({ kind }: LearningEvent): boolean {
  return kind === 'episodesAssociated'
}

function relationsOf(
  queries: GraphQueries,
  { from, to, type }: Extract<GraphEdge, { from: string }>,
): NewEvent<'edgesForgotten'> {
  const relations = queries.edges(from, to, type)
  if (relations.length === 0)
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no such relation from ${JSON.stringify(from)} to ${to}`, {
      from,
      to,
    })
  const stating = new Set(relations.flatMap((relation) => queries.stating(relation)))
  return {
    kind: 'edgesForgotten',
    relations,
    // What a caller said needs no episode, so that nothing may undo it.
    evidence: queries.isGiven(relations) ? [] : [...stating].slice(0, FIELD_LIMITS.graph.evidence.items),
  }
}

function expectEpisodes(indexes: MemoryContext['indexes'], ...ids: readonly EpisodeId[]): number[] {
  return ids.map((id) => {
    const slot = indexes.catalog.slot(id)
    if (slot !== undefined) return slot
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
  })
}

function checkWeight(weight: unknown): void {
  if (typeof weight === 'number' && weight > 0 && weight <= MOST_WEIGHT) return
  throw invalid(`weight is ${describe(weight)}; expected a number above 0, at most ${MOST_WEIGHT}`, { what: 'weight' })
}
