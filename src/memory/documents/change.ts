import type { Caller } from '../../api/caller.js'
import type { EntryId, EntryRelation, EntryVisibility } from '../../api/entry-facet.js'
import type { LearningEvents } from '../../api/learning.js'
import type { DocumentContext } from './context.js'

/** Entries that one event tells of. */
const IN_ONE_EVENT = 1_000

/** The visibilities from the one that is seen least. */
const LADDER: readonly EntryVisibility[] = ['deep_only', 'normal', 'always']

/** What is said of entries; what is absent stays as it is. */
type Said = Omit<LearningEvents['entriesChanged'], 'entries'>

/** Learns what is said of entries, all or nothing. */
export function change({ learn }: DocumentContext, ids: readonly EntryId[], said: Said, caller: Caller): Promise<void> {
  return learn(caller, () => {
    const events = []
    for (let i = 0; i < ids.length; i += IN_ONE_EVENT)
      events.push({ kind: 'entriesChanged' as const, entries: ids.slice(i, i + IN_ONE_EVENT), ...said })
    return { events, result: () => undefined }
  })
}

/** The visibility next to one: a step up or down from `deep_only` over `normal` to `always`. */
export function nextTo(visibility: EntryVisibility, step: 1 | -1): EntryVisibility {
  const at = LADDER.indexOf(visibility)
  // What is not on it is seen in its own way, as `normal` is.
  return LADDER[Math.min(LADDER.length - 1, Math.max(0, (at < 0 ? 1 : at) + step))]
}

/** Links an entry to another, or takes the link away. */
export function link(
  { learn }: DocumentContext,
  entry: EntryId,
  { kind, target }: EntryRelation,
  isThere: boolean,
  caller: Caller,
): Promise<void> {
  return learn(caller, () => ({
    events: [{ kind: isThere ? ('entryLinked' as const) : ('entryUnlinked' as const), entry, relation: kind, target }],
    result: () => undefined,
  }))
}
