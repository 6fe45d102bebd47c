import type { LearningEvent, LearningKind } from '../../api/learning.js'
import { beliefAsserted, beliefReasserted, beliefRevised, beliefWithdrawn } from './beliefs.js'
import { conceptsMerged, conceptsSplit } from './concepts.js'
import {
  agingConfigured,
  documentIngested,
  entriesAccessed,
  entriesChanged,
  entriesThought,
  entryLinked,
  entryUnlinked,
  perspectiveDefined,
  perspectiveRemoved,
} from './documents.js'
import { episodeLinked, episodeStored, episodeSuperseded, episodeUpdated } from './episodes.js'
import { restored, unlearned } from './forgetting.js'
import type { EventKind } from './event-kind.js'
import { edgesForgotten, entitiesRelated, episodesAssociated, recallsLearned } from './graph.js'
import { goalRevised, goalSet, goalStateChanged } from './goals.js'
import { consolidationRun, contradictionDetected, semanticAtomFormed, semanticAtomRevised } from './knowledge.js'
import { procedureExecuted, procedureLearned, procedureRetired, procedureRevised } from './procedures.js'
import { attentionTraced, selfVectorUpdated } from './self.js'
import { sensoryFramePromoted } from './sensory.js'

/**
 * Every kind of learning event, a line each, in the order in which summaries tell of them. A kind of `LearningEvents`
 * that is missing here does not compile.
 */
export const EVENT_KINDS: { readonly [K in LearningKind]: EventKind<K> } = {
  episodeStored,
  episodeSuperseded,
  episodeUpdated,
  episodeLinked,
  sensoryFramePromoted,
  semanticAtomFormed,
  semanticAtomRevised,
  contradictionDetected,
  consolidationRun,
  procedureLearned,
  procedureRevised,
  procedureRetired,
  procedureExecuted,
  goalSet,
  goalRevised,
  goalStateChanged,
  beliefAsserted,
  beliefReasserted,
  beliefRevised,
  beliefWithdrawn,
  conceptsMerged,
  conceptsSplit,
  episodesAssociated,
  entitiesRelated,
  edgesForgotten,
  recallsLearned,
  entriesChanged,
  entryLinked,
  entryUnlinked,
  entriesAccessed,
  documentIngested,
  entriesThought,
  perspectiveDefined,
  perspectiveRemoved,
  agingConfigured,
  attentionTraced,
  selfVectorUpdated,
  unlearned,
  restored,
}

/** The names of all kinds. */
export const LEARNING_KINDS = Object.keys(EVENT_KINDS) as LearningKind[]

/** The kind of an event; `undefined` for one that this version does not know. */
export function kindOf(event: Pick<LearningEvent, 'kind'>): EventKind | undefined {
  // The table has for each kind what takes events of that kind, which its type cannot say of a kind in a variable.
  return typeof event.kind === 'string' && Object.hasOwn(EVENT_KINDS, event.kind)
    ? (EVENT_KINDS[event.kind] as EventKind)
    : undefined
}

/** The ids of what an event is about. */
export function subjectsOf(event: LearningEvent): string[] {
  return [
    ...new Set(
      kindOf(event)!
        .subjects(event)
        .filter((id) => typeof id === 'string'),
    ),
  ]
}

/** The ids of the other things that an event names. */
export function referencesOf(event: LearningEvent): string[] {
  return [
    ...new Set(
      kindOf(event)!
        .references(event)
        .filter((id) => typeof id === 'string'),
    ),
  ]
}

/**
 * The ids of all that an event names: of episodes, frames, atoms, procedures, executions, goals, beliefs and recalls.
 * What it is about comes first.
 */
export function idsOf(event: LearningEvent): Set<string> {
  return new Set([...subjectsOf(event), ...referencesOf(event)])
}
