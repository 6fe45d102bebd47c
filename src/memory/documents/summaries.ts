import type { Caller } from '../../api/caller.js'
import type { EntryFacet, EntryId } from '../../api/entry-facet.js'
import { toIso } from '../../api/time.js'
import type { DocumentContext } from './context.js'
import { standing } from './placing.js'
import { isCurrent } from './outline.js'
import { storeResting } from './store-resting.js'
import { type Wanted, wantedIn } from './wanted-summaries.js'

/** Summaries that are stored in one commit. */
const MADE_AT_ONCE = 256

/**
 * Makes the summaries of a document and ends those that are not wanted any more: they rest on what is no longer there,
 * or another summarizer made them. Nothing is written for a section whose summary stays.
 *
 * @returns how many were made
 * @throws AgidbError `AGIDB_SUMMARIZER` when the summarizer fails; the entries stay as they are
 */
export async function summarize(context: DocumentContext, source: string, caller: Caller): Promise<number> {
  const { indexes, clock, summarizer } = context
  const { catalog, documents } = indexes
  const now = clock()
  const wanted =
    summarizer === undefined ? new Map<EntryId, Wanted>() : await wantedIn(context, source, summarizer, now)
  const old = documents
    .ofSource(source)
    .filter((slot) => isCurrent(indexes, slot, now) && documents.facet(slot)!.madeBy !== undefined)
  const stale = old.map((slot) => catalog.id(slot)!).filter((id) => !wanted.has(id))
  const added = [...wanted.values()].filter(({ id }) => catalog.slot(id) === undefined)
  const changed = [...wanted.values()].filter(({ id, facet }) => {
    const slot = catalog.slot(id)
    return slot !== undefined && !(isCurrent(indexes, slot, now) && isSame(documents.facet(slot)!, facet))
  })
  const facets = new Map(changed.map(({ id, facet }) => [id, facet]))
  let made = changed.length
  for (let i = 0; i < added.length; i += MADE_AT_ONCE) {
    const some = added.slice(i, i + MADE_AT_ONCE)
    const entries = some.map(({ id, content, facet }) => [{ id, text: content, source }, facet] as const)
    made += (await storeResting(context, entries, caller)).length
  }
  const ended = toIso(now)
  if (stale.length + changed.length > 0)
    await context.restate(caller, [...stale, ...facets.keys()], (episode) => {
      const facet = facets.get(episode.id)
      if (facet === undefined) return { ...episode, validTo: ended }
      // Where some of what it would rest on was forgotten meanwhile it stays as it was.
      const isThere = facet.summarizes!.every((id) => catalog.slot(id) !== undefined)
      return isThere ? { ...standing(episode), entry: facet } : episode
    })
  return made
}

function told({ places, summarizes, memberships, madeBy }: EntryFacet): unknown[] {
  return [places, summarizes, memberships, madeBy]
}

function isSame(one: EntryFacet, other: EntryFacet): boolean {
  return JSON.stringify(told(one)) === JSON.stringify(told(other))
}
