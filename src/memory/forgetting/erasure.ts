import type { LearningEvent } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import type { RecordChange } from '../../write/record-change.js'
import type { Instead } from '../told.js'

/** Stored events that are to be others: what is written, and what the floors are told. */
export interface Rewriting {
  readonly changes: readonly RecordChange[]
  readonly gone: readonly LearningEvent[]
  /** What stands in the place of some of them, at their slots. */
  readonly back: readonly Logged[]
}

/** The rows that store in the place of events what the floors say of them without what is gone. */
export function rewriting(events: readonly Logged[], instead: Instead): Rewriting {
  const affected = events.filter(({ event }) => instead.has(event))
  const back = affected.flatMap(({ slot, event }) => {
    const other = instead.get(event)
    return other === undefined ? [] : [{ slot, event: other }]
  })
  return {
    gone: affected.map(({ event }) => event),
    back,
    changes: affected.map(({ slot, event }): RecordChange => {
      const other = instead.get(event)
      return other === undefined
        ? { op: 'remove', slot, id: event.id }
        : { op: 'update', slot, id: event.id, row: learningEventKind.encode(other) }
    }),
  }
}
