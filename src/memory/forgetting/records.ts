import type { LearningEvent } from '../../api/learning.js'
import { AgidbError } from '../../base/errors.js'
import type { LearningLog } from '../../records/event-log.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import type { RecordChange } from '../../write/record-change.js'
import type { MadeEvent } from '../projection.js'

/**
 * The removals of events that stand in the log, in one pass over it.
 *
 * @throws AgidbError `AGIDB_INTERNAL` for an event that is not stored.
 */
export function removalsOf(log: LearningLog, events: readonly LearningEvent[]): RecordChange[] {
  const missing = new Set(events)
  const removals: RecordChange[] = []
  for (const { slot, event } of log.all())
    if (missing.delete(event)) removals.push({ op: 'remove', slot, id: event.id })
  for (const { id } of missing)
    throw new AgidbError('AGIDB_INTERNAL', `a floor wants to replace the event ${id}, which is not stored`, { id })
  return removals
}

/** The rows of events that are made anew. */
export function madeRecords(made: readonly MadeEvent[]): RecordChange[] {
  return made.map(({ event, signature }) => ({
    op: 'put',
    id: event.id,
    row: learningEventKind.encode(event),
    signature,
  }))
}
