import { FIELD_LIMITS } from '../../api/field-limits.js'
import { RELATION_TYPES } from '../../api/graph.js'
import { list, maybe, name, names, number, object, oneOf, pair, string, time, whole } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

const { graph } = FIELD_LIMITS

/** A caller made the association of two episodes stronger. */
export const episodesAssociated: EventKind<'episodesAssociated'> = {
  wording: ['strengthened', 'association', 'associations'],
  shape: stored({ episodes: pair(name), weight: number }),
  subjects: ({ episodes }) => episodes,
  references: () => [],
}

/** A caller said that one entity has to do with another. */
export const entitiesRelated: EventKind<'entitiesRelated'> = {
  wording: ['related', 'pair of entities', 'pairs of entities'],
  shape: stored({
    from: string(graph.name),
    relation: string(graph.name),
    to: string(graph.name),
    weight: number,
    evidence: names(graph.evidence),
  }),
  subjects: () => [],
  references: ({ evidence }) => evidence,
}

/** A caller took edges out of a graph. */
export const edgesForgotten: EventKind<'edgesForgotten'> = {
  wording: ['forgot', 'edge of a graph', 'edges of a graph'],
  shape: stored({
    episodes: maybe(pair(name)),
    relations: maybe(
      list(
        object({ from: string(graph.name), type: oneOf(...RELATION_TYPES), to: string(graph.name) }),
        graph.relations,
      ),
    ),
    evidence: names(graph.evidence),
  }),
  subjects: ({ episodes = [] }) => episodes,
  references: ({ evidence }) => evidence,
}

/** What a batch of recalls found together. */
export const recallsLearned: EventKind<'recallsLearned'> = {
  wording: ['learned from', 'batch of recalls', 'batches of recalls'],
  shape: stored({
    since: time,
    episodes: names(graph.episodes),
    recalls: list(list(whole, graph.recall), graph.recalls),
  }),
  subjects: () => [],
  references: ({ episodes }) => episodes,
}
