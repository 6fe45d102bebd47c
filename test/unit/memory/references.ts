import type { LearningEvent } from '../../../src/api/learning.js'
import { idsOf } from '../../../src/records/events/registry.js'

/** An event that refers to something that did not exist. */
export interface Dangling {
  readonly event: LearningEvent
  readonly id: string
}

/**
 * The references of events to what did not exist before them; none in any history that can be.
 *
 * @param events all there are, in order: `whatDidILearn` from the beginning.
 * @param gone episodes that existed, of which no event tells any more because they were removed.
 */
export function dangling(events: readonly LearningEvent[], gone: Iterable<string> = []): Dangling[] {
  const existing = new Set(gone)
  return events.flatMap((event) => {
    const made = madeBy(event)
    if (made !== undefined) existing.add(made)
    return [...idsOf(event)].filter((id) => !existing.has(id)).map((id) => ({ event, id }))
  })
}

/** What begins to exist with an event. A frame has no event of its own: it is first heard of when it is promoted. */
function madeBy(event: LearningEvent): string | undefined {
  switch (event.kind) {
    case 'episodeStored':
      return event.episode
    case 'sensoryFramePromoted':
      return event.frame
    case 'semanticAtomFormed':
      return event.atom
    case 'procedureLearned':
      return event.procedure
    case 'procedureExecuted':
      return event.execution.id
    case 'goalSet':
      return event.goal
    case 'beliefAsserted':
      return event.belief
    case 'attentionTraced':
      return event.recall
    case 'unlearned':
      return event.audit
    default:
      return undefined
  }
}
