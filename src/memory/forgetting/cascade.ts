import type { EpisodeId } from '../../api/episode.js'
import type { CascadeEdge, CascadeGraph, CascadeNode, UnlearnCounts } from '../../api/forgetting.js'
import type { LearningEvent, LearningKind } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { kindOf, referencesOf, subjectsOf } from '../../records/events/registry.js'

/** What of a memory a cascade is worked out from. */
export interface Before {
  /** The events that count, in order. */
  readonly told: readonly Logged[]
  /** The episodes that are to be forgotten. */
  readonly episodes: readonly EpisodeId[]
  /** The ids of events that are to be forgotten themselves. */
  readonly direct: ReadonlySet<string>
  /** What the floors would tell of the events instead, without these episodes; see `Service.without`. */
  readonly without: ReadonlyMap<LearningEvent, LearningEvent | undefined>
  /** Frames that are the target, or became one of these episodes. */
  readonly frames: readonly string[]
  /** The episodes that come to be superseded no more, each with the one that superseded it. */
  readonly revived: readonly { readonly id: EpisodeId; readonly by: EpisodeId }[]
}

/** What a graph says of a cascade, and what is counted in it. */
export interface Cascade {
  readonly counts: Omit<UnlearnCounts, 'signaturesInvalidated'>
  readonly graph: CascadeGraph
}

/** Nodes that a report has, at most. */
const MOST_NODES = 10_000

type Dependent = Exclude<CascadeNode['kind'], 'episode'>

/** What the events of a kind are about. */
const DEPENDENTS: Partial<Record<LearningKind, Dependent>> = {
  sensoryFramePromoted: 'frame',
  semanticAtomFormed: 'atom',
  semanticAtomRevised: 'atom',
  procedureLearned: 'procedure',
  procedureRevised: 'procedure',
  procedureExecuted: 'procedure',
  goalSet: 'goal',
  goalStateChanged: 'goal',
  beliefAsserted: 'belief',
  beliefReasserted: 'belief',
  beliefRevised: 'belief',
  beliefWithdrawn: 'belief',
  attentionTraced: 'recall',
}

/** What forgetting would remove and change, from provenance: by the events that name what is forgotten. */
export function cascadeOf({ told, episodes, direct, without, frames, revived }: Before): Cascade {
  const gone = new Set(episodes)
  const nodes = new Map<string, CascadeNode>()
  const edges: CascadeEdge[] = []
  for (const id of episodes) nodes.set(id, { id, kind: 'episode', becomes: 'removed' })
  for (const id of frames) nodes.set(id, { id, kind: 'frame', becomes: 'removed' })
  for (const { id, by } of revived) {
    nodes.set(id, { id, kind: 'episode', becomes: 'revived' })
    edges.push({ from: id, to: by })
  }
  for (const { event } of told) {
    const kind = DEPENDENTS[event.kind]
    const lost = kind === undefined ? [] : episodesOf(event).filter((id) => gone.has(id))
    const isDirect = direct.has(event.id)
    if (kind === undefined || (lost.length === 0 && !isDirect)) continue
    const [subject] = subjectsOf(event)
    for (const to of lost) edges.push({ from: subject, to })
    const isGone = isDirect || (without.has(event) && without.get(event) === undefined)
    const isRemoved = isGone && isWhole(event)
    if (isRemoved || !nodes.has(subject))
      nodes.set(subject, { id: subject, kind, becomes: isRemoved ? 'removed' : 'changed' })
  }
  removeFallen(nodes, new Set([...standingAtoms(told, gone), ...standingBeliefs(told, gone, direct)]))
  return { counts: countsOf(nodes.values()), graph: graphOf([...nodes.values()], edges) }
}

/** Says of atoms and beliefs that they are removed, but for those that stand. */
function removeFallen(nodes: Map<string, CascadeNode>, standing: ReadonlySet<string>): void {
  for (const node of nodes.values())
    if ((node.kind === 'atom' || node.kind === 'belief') && !standing.has(node.id))
      nodes.set(node.id, { ...node, becomes: 'removed' })
}

/** Whether there is nothing of what an event is about without the event. */
function isWhole(event: LearningEvent): boolean {
  return kindOf(event)?.creates === true || event.kind === 'attentionTraced' || event.kind === 'sensoryFramePromoted'
}

/** The atoms of which an episode stays. */
function standingAtoms(told: readonly Logged[], gone: ReadonlySet<EpisodeId>): Set<string> {
  const standing = new Set<string>()
  for (const { event } of told)
    if (DEPENDENTS[event.kind] === 'atom' && episodesOf(event).some((id) => !gone.has(id)))
      standing.add(subjectsOf(event)[0])
  return standing
}

/** The beliefs of which an assertion stays: one that states no evidence, or evidence that is not all forgotten. */
function standingBeliefs(
  told: readonly Logged[],
  gone: ReadonlySet<EpisodeId>,
  direct: ReadonlySet<string>,
): Set<string> {
  const standing = new Set<string>()
  for (const { event } of told) {
    if ((event.kind !== 'beliefAsserted' && event.kind !== 'beliefReasserted') || direct.has(event.id)) continue
    const { belief, evidence = [] } = event
    if (evidence.length === 0 || evidence.some((id) => !gone.has(id))) standing.add(belief)
  }
  return standing
}

/** The ids that an event names beside its subject. */
function episodesOf(event: LearningEvent): readonly string[] {
  return event.kind === 'sensoryFramePromoted' ? [event.episode] : referencesOf(event)
}

function countsOf(nodes: Iterable<CascadeNode>): Cascade['counts'] {
  const all = [...nodes]
  const count = (kind: CascadeNode['kind'], ...becomes: CascadeNode['becomes'][]) =>
    all.filter((node) => node.kind === kind && (becomes.length === 0 || becomes.includes(node.becomes))).length
  return {
    episodesRemoved: count('episode', 'removed'),
    beliefsRemoved: count('belief', 'removed'),
    beliefsRevised: count('belief', 'changed'),
    semanticAtomsAffected: count('atom'),
    proceduresAffected: count('procedure'),
    goalsAffected: count('goal'),
    framesRemoved: count('frame', 'removed'),
    tracesRemoved: count('recall', 'removed'),
    episodesRevived: count('episode', 'revived'),
  }
}

function graphOf(nodes: readonly CascadeNode[], edges: readonly CascadeEdge[]): CascadeGraph {
  const shown = nodes.slice(0, MOST_NODES)
  const ids = new Set(shown.map(({ id }) => id))
  const distinct = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]))
  return { nodes: shown, edges: [...distinct.values()].filter(({ from, to }) => ids.has(from) && ids.has(to)) }
}
