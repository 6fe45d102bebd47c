import type { Entry } from '../../api/entry.js'
import type { ClusterMembership, EntryId } from '../../api/entry-facet.js'
import type { Episode } from '../../api/episode.js'
import type { Indexes } from '../../indexes/indexes.js'
import { matchedEntry } from '../../recall/answer/matched-entry.js'
import type { EntryStates } from './states.js'

/** What entries are told from. */
export interface EntrySources {
  readonly indexes: Indexes
  readonly states: EntryStates
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** The episodes of live slots, in the order asked for. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
}

/** The entries of slots, in their order; what is no entry, or is gone, is passed over. */
export async function entriesOf(sources: EntrySources, slots: readonly number[]): Promise<Entry[]> {
  const found = await withEntries(
    sources,
    slots.map((slot) => ({ slot })),
  )
  return found.map(({ entry }) => entry)
}

/** Adds to what has a slot the entry of that slot; what is no entry, or is gone, is passed over. */
export async function withEntries<T extends { readonly slot: number }>(
  sources: EntrySources,
  found: readonly T[],
): Promise<(T & { readonly entry: Entry })[]> {
  const episodes = await sources.fetch(found.map(({ slot }) => slot))
  return found.flatMap((one, i) => {
    const episode = episodes[i]
    const entry = episode && viewOf(sources, episode, one.slot)
    return entry === undefined ? [] : [{ ...one, entry }]
  })
}

/** An episode as an entry; `undefined` for one that is none. */
export function viewOf({ indexes, states, clock }: EntrySources, episode: Episode, slot: number): Entry | undefined {
  const { id, text, entry: facet, at, recordedAt, tags, metadata } = episode
  if (facet === undefined) return undefined
  return {
    id,
    content: text,
    ...matchedEntry(facet),
    places: facet.places,
    summarizes: facet.summarizes ?? [],
    ...(facet.madeBy !== undefined && { madeBy: facet.madeBy }),
    ...states.of(id, slot, clock()),
    clusters: clustersOf(indexes, id),
    at,
    recordedAt,
    ...(tags !== undefined && { tags }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** The clusters that an entry belongs to: those whose summaries say how surely. */
function clustersOf({ documents, catalog }: Indexes, id: EntryId): ClusterMembership[] {
  return documents.summaries(id).flatMap((slot) => {
    const { summarizes = [], memberships } = documents.facet(slot)!
    const probability = memberships?.[summarizes.indexOf(id)]
    const cluster = catalog.id(slot)
    return probability === undefined || cluster === undefined ? [] : [{ cluster, probability }]
  })
}
