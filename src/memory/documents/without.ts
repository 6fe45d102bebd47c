import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { insteadOf, present, withPresent } from '../evidence.js'
import type { IsGone } from '../projection.js'

/**
 * The events of documents without entries that are gone: what was said of these was never said, a link to one was never
 * made, and searches found the others alone.
 */
export function documentEventsWithout(
  events: readonly Logged[],
  isGone: IsGone,
): Map<LearningEvent, LearningEvent | undefined> {
  return insteadOf(events, (event, slot) => toldWithout(event, slot, isGone))
}

function toldWithout(event: LearningEvent, slot: number, isGone: IsGone): LearningEvent | undefined {
  switch (event.kind) {
    case 'documentIngested':
      return isGone(event.root, slot) ? undefined : event
    case 'entryLinked':
    case 'entryUnlinked':
      return isGone(event.entry, slot) || isGone(event.target, slot) ? undefined : event
    case 'entriesThought':
    case 'entriesChanged': {
      const entries = present(event.entries, slot, isGone)
      if (entries === event.entries) return event
      return entries.length === 0 ? undefined : { ...event, entries }
    }
    case 'entriesAccessed': {
      const entries = present(event.entries, slot, isGone)
      if (entries === event.entries) return event
      const accesses = withPresent(event.accesses, event.entries, entries)
      return accesses.length === 0 ? undefined : { ...event, entries, accesses }
    }
    default:
      return event
  }
}
