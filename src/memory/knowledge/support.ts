import type { Formed, Joined } from './projection.js'
import type { Provenance } from '../../api/episode.js'
import type { Catalog } from '../../indexes/catalog.js'

/** What the episodes that say something come to, as it was known at a time. Times are epoch milliseconds. */
export interface Support {
  /** Of the episodes, ascending. */
  readonly slots: readonly number[]
  /** When the first of them began. */
  readonly validFrom: number
  /** When the last of them was superseded; `Infinity` while one is not. */
  readonly validTo: number
}

/**
 * The episodes of an atom that are there and were known to say it by a time; `undefined` when there are none.
 *
 * @param endsKnown by when it must have been known that an episode ends, epoch milliseconds.
 */
export function supportOf(
  catalog: Catalog,
  { episodes }: Pick<Formed, 'episodes'>,
  known = Infinity,
  endsKnown = known,
): Support | undefined {
  const slots: number[] = []
  let validFrom = Infinity
  let validTo = -Infinity
  for (const [id, joined] of episodes) {
    const slot = liveSlot(catalog, id, joined)
    if (slot === undefined || joined.at > known) continue
    slots.push(slot)
    validFrom = Math.min(validFrom, catalog.validFrom(slot))
    validTo = Math.max(validTo, catalog.validTo(slot, endsKnown))
  }
  return slots.length === 0 ? undefined : { slots: slots.sort((a, b) => a - b), validFrom, validTo }
}

/**
 * The provenance of what live episodes say together: the source and the session where all have the same, and the writer
 * of the first.
 *
 * @param slots of the episodes, ascending; one at least.
 */
export function provenanceOfAll(catalog: Catalog, slots: readonly number[]): Provenance {
  const common = (name: (slot: number) => string | undefined) => {
    const first = name(slots[0])
    return slots.every((slot) => name(slot) === first) ? first : undefined
  }
  const source = common((slot) => catalog.source(slot))
  const session = common((slot) => catalog.sessions.name(catalog.session(slot)))
  return {
    ...(source !== undefined && { source }),
    ...(session !== undefined && { session }),
    writer: catalog.writer(slots[0])!,
    episodes: slots.map((slot) => catalog.id(slot)!),
  }
}

/** Whether an episode that says it is there. */
export function stands(catalog: Catalog, { episodes }: Pick<Formed, 'episodes'>): boolean {
  for (const [id, joined] of episodes) if (liveSlot(catalog, id, joined) !== undefined) return true
  return false
}

/** How many episodes that say it are there. */
export function liveOf(catalog: Catalog, { episodes }: Pick<Formed, 'episodes'>): number {
  let count = 0
  for (const [id, joined] of episodes) if (liveSlot(catalog, id, joined) !== undefined) count++
  return count
}

/** Whether there is a time at which both are true. */
export function overlap(a: Support, b: Support): boolean {
  return a.validFrom < b.validTo && b.validFrom < a.validTo
}

/** Its slot, unless it is gone and another one took its id. */
function liveSlot(catalog: Catalog, id: string, joined: Joined): number | undefined {
  const slot = catalog.slot(id)
  return slot !== undefined && slot < joined.slot ? slot : undefined
}
