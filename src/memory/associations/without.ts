import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { insteadOf, present, withPresent } from '../evidence.js'
import type { IsGone } from '../projection.js'

/**
 * The events of the graphs without episodes that are gone. The association of two of which one is gone was never made
 * stronger; what was said of entities on evidence of which nothing is left was never said; and what was recalled was
 * recalled without them.
 */
export function graphEventsWithout(
  events: readonly Logged[],
  isGone: IsGone,
): Map<LearningEvent, LearningEvent | undefined> {
  return insteadOf(events, (event, slot) => toldWithout(event, slot, isGone))
}

function toldWithout(event: LearningEvent, slot: number, isGone: IsGone): LearningEvent | undefined {
  switch (event.kind) {
    case 'episodesAssociated':
      return event.episodes.some((id) => isGone(id, slot)) ? undefined : event
    case 'entitiesRelated':
    case 'edgesForgotten': {
      if (event.kind === 'edgesForgotten' && event.episodes?.some((id) => isGone(id, slot))) return undefined
      const evidence = present(event.evidence, slot, isGone)
      if (evidence === event.evidence) return event
      return evidence.length === 0 ? undefined : { ...event, evidence }
    }
    case 'recallsLearned': {
      const episodes = present(event.episodes, slot, isGone)
      if (episodes === event.episodes) return event
      const recalls = withPresent(event.recalls, event.episodes, episodes)
      return recalls.length === 0 ? undefined : { ...event, episodes, recalls }
    }
    default:
      return event
  }
}
