import type { LearningEvent } from '../../api/learning.js'
import { AgidbError } from '../../base/errors.js'
import type { LearningLog } from '../../records/event-log.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import type { RecordChange } from '../../write/record-change.js'
import type { MadeEvent } from '../projection.js'

/** The change that takes the row of a stored event away. */
export function removalOf(log: LearningLog, event: LearningEvent): RecordChange {
  const logged = log.all().find((logged) => logged.event === event)
  if (logged !== undefined) return { op: 'remove', slot: logged.slot, id: event.id }
  throw new AgidbError('AGIDB_INTERNAL', `a floor wants to replace the event ${event.id}, which is not stored`, {
    id: event.id,
  })
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
