import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { present } from '../evidence.js'
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
  const instead = new Map<LearningEvent, LearningEvent | undefined>()
  for (const { event, slot } of events) {
    const told = toldWithout(event, slot, isGone)
    if (told !== event) instead.set(event, told)
  }
  return instead
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
      return episodes === event.episodes ? event : recallsOf(event, episodes)
    }
    default:
      return event
  }
}

/** A batch of recalls with these of its episodes; `undefined` where nothing is left of it. */
function recallsOf(
  event: LearningEvent<'recallsLearned'>,
  episodes: readonly string[],
): LearningEvent<'recallsLearned'> | undefined {
  const place = new Map(episodes.map((id, i) => [id, i]))
  const recalls = event.recalls.flatMap(([elapsed, ...places]) => {
    const left = places.map((at) => place.get(event.episodes[at])).filter((at) => at !== undefined)
    return left.length === 0 ? [] : [[elapsed, ...left]]
  })
  return recalls.length === 0 ? undefined : { ...event, episodes, recalls }
}
