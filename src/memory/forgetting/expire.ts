import type { ExpireReport } from '../../api/forgetting.js'
import type { RecordChange } from '../../write/record-change.js'
import { goneFrom } from '../evidence.js'
import { rewriting } from './erasure.js'
import type { Forgetful, Parts } from './floors.js'
import type { Buried } from './tombstones.js'

/** The forgotten records whose window is over at a time, epoch milliseconds. */
function expired({ tombstones, audits }: Pick<Parts, 'tombstones' | 'audits'>, now: number): Buried[] {
  return tombstones.all().filter(({ audit }) => {
    const found = audits.find(audit)
    return found === undefined || Date.parse(found.event.tombstoneExpiry) <= now
  })
}

/**
 * Makes the commit that erases what was forgotten longer ago than its window: the rows, and the ids of its episodes in
 * the events that name them. No answer changes by it.
 */
export function draftExpiry(parts: Parts, now: number): Forgetful<ExpireReport> {
  const { context, floors, tombstones } = parts
  const erased = expired(parts, now)
  const episodes = erased.flatMap(({ slot, isEpisode }) => (isEpisode ? [slot] : []))
  const slots = new Set(erased.map(({ slot }) => slot))
  const left = new Map(
    tombstones.all().flatMap(({ id, slot, isEpisode }) => (isEpisode && !slots.has(slot) ? [[id, slot]] : [])),
  )
  const isGone = goneFrom(context.indexes.catalog)
  const { changes, gone, back } =
    erased.length === 0
      ? { changes: [], gone: [], back: [] }
      : rewriting(
          context.log.all(),
          floors.without((id, before) => isGone(id, before) && !((left.get(id) ?? Infinity) < before)),
        )
  return {
    records: [
      ...erased.map(({ slot, id }): RecordChange => ({ op: 'remove', slot, id })),
      ...floors.media.removals(episodes),
      ...changes,
    ],
    done: () => {
      for (const { slot } of erased) tombstones.remove(slot)
      floors.media.drop(episodes)
      return { gone, back, made: [], told: [] }
    },
    answer: {
      unlearnings: new Set(erased.map(({ audit }) => audit)).size,
      records: erased.length,
      events: changes.length,
    },
    isErased: erased.length > 0,
  }
}
