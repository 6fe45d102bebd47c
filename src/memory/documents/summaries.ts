import type { Caller } from '../../api/caller.js'
import type { EntryFacet, EntryId, EntryPlace } from '../../api/entry-facet.js'
import type { Observation } from '../../api/episode.js'
import type { Summarizer, SummaryInput } from '../../api/summarizer.js'
import { toIso } from '../../api/time.js'
import { AgidbError } from '../../base/errors.js'
import type { DocumentContext } from './context.js'
import { entryIdOf } from './entry-id.js'
import { standing } from './placing.js'
import { childSlots, isCurrent } from './outline.js'

/** Children from which on a section has a summary. */
const CHILDREN = 2
/** Characters that a section must have for a summary to be shorter. */
const LONG = 1_500
const MAX_CHARACTERS = 600

/** A summary that a section should have. */
interface Wanted {
  readonly id: EntryId
  readonly content: string
  readonly facet: EntryFacet
}

/** What stands for a section in what is above it: its summary, else all that is in it. */
interface Whole {
  readonly texts: readonly string[]
  /** The entries that the texts are of. */
  readonly ids: readonly EntryId[]
}

/**
 * Makes the summaries of the sections of a document, those below first, so that what is above summarizes summaries too;
 * ends those that rest on what is no longer there. Nothing is written for a section whose summary stays.
 *
 * @returns how many were made
 * @throws AgidbError `AGIDB_SUMMARIZER` when the summarizer fails; the entries stay as they are
 */
export async function summarize(
  context: DocumentContext,
  source: string,
  summarizer: Summarizer,
  caller: Caller,
): Promise<number> {
  const { indexes, clock } = context
  const { catalog, documents } = indexes
  const now = clock()
  const wanted = await wantedIn(context, source, summarizer, now)
  const old = documents
    .ofSource(source)
    .filter((slot) => isCurrent(indexes, slot, now) && documents.facet(slot)!.madeBy === summarizer.id)
  const stale = old.map((slot) => catalog.id(slot)!).filter((id) => !wanted.has(id))
  const added = [...wanted.values()].filter(({ id }) => catalog.slot(id) === undefined)
  const changed = [...wanted.values()].filter(({ id, facet }) => {
    const slot = catalog.slot(id)
    return slot !== undefined && !(isCurrent(indexes, slot, now) && isSame(documents.facet(slot)!, facet))
  })
  const facets = new Map(changed.map(({ id, facet }) => [id, facet]))
  const ended = toIso(now)
  if (stale.length + changed.length > 0)
    await context.restate(caller, [...stale, ...facets.keys()], (episode) => {
      const facet = facets.get(episode.id)
      return facet === undefined ? { ...episode, validTo: ended } : { ...standing(episode), entry: facet }
    })
  await context.store(
    added.map(({ id, content, facet }): [Observation, EntryFacet] => [{ id, text: content, source }, facet]),
    caller,
  )
  return added.length + changed.length
}

/** The summaries that the sections of a document should have, by their ids. */
async function wantedIn(
  context: DocumentContext,
  source: string,
  summarizer: Summarizer,
  now: number,
): Promise<Map<EntryId, Wanted>> {
  const { indexes } = context
  const { catalog, documents } = indexes
  const slots = documents
    .ofSource(source)
    .filter((slot) => isCurrent(indexes, slot, now) && documents.facet(slot)!.type === 'raw')
  const below = new Map(slots.map((slot) => [slot, rawChildren(context, catalog.id(slot)!, now)]))
  const texts = await textsOf(context, [...new Set([...slots, ...[...below.values()].flat()])])
  const wanted = new Map<EntryId, Wanted>()
  const wholes = new Map<number, Whole>()
  slots.sort((a, b) => deepness(documents.facet(b)!, source) - deepness(documents.facet(a)!, source) || a - b)
  for (const slot of slots) {
    const own: Whole = { texts: [texts.get(slot) ?? ''], ids: [catalog.id(slot)!] }
    const inside = below.get(slot)!.map((child) => {
      return wholes.get(child) ?? { texts: [texts.get(child) ?? ''], ids: [catalog.id(child)!] }
    })
    const whole: Whole = joined([own, ...inside])
    wholes.set(slot, whole)
    if (inside.length < CHILDREN || whole.texts.reduce((sum, text) => sum + text.length, 0) < LONG) continue
    const place = documents.facet(slot)!.places.find((one) => one.source === source)!
    const content = await summaryOf(context, summarizer, whole.texts, place.heading)
    if (content === undefined || content.trim() === '') continue
    const id = entryIdOf(content)
    if (wanted.has(id) || isAnother(context, id, source, summarizer)) continue
    wanted.set(id, { id, content, facet: facetOf(place, own.ids[0], whole.ids, summarizer) })
    // With what it was made of, so that what forgets any of it forgets what is above it, too.
    wholes.set(slot, { texts: [content], ids: [...whole.ids, id] })
  }
  return wanted
}

function rawChildren({ indexes }: DocumentContext, id: EntryId, now: number): number[] {
  return childSlots(indexes, id, now).filter((child) => indexes.documents.facet(child)!.type === 'raw')
}

async function textsOf(context: DocumentContext, slots: readonly number[]): Promise<Map<number, string>> {
  const episodes = await context.fetch(slots)
  return new Map(slots.flatMap((slot, i) => (episodes[i] === undefined ? [] : [[slot, episodes[i].text]])))
}

function joined(parts: readonly Whole[]): Whole {
  return { texts: parts.flatMap(({ texts }) => texts), ids: [...new Set(parts.flatMap(({ ids }) => ids))] }
}

/** Whether the content of a summary is an entry already that is no summary of this document. */
function isAnother({ indexes }: DocumentContext, id: EntryId, source: string, { id: maker }: Summarizer): boolean {
  const slot = indexes.catalog.slot(id)
  if (slot === undefined) return false
  const facet = indexes.documents.facet(slot)
  return facet?.madeBy !== maker || facet.places[0]?.source !== source
}

/** How many headings stand above an entry in a document. */
function deepness({ places }: EntryFacet, source: string): number {
  return places.find((place) => place.source === source)?.path.length ?? 0
}

function facetOf(place: EntryPlace, section: EntryId, summarizes: readonly EntryId[], { id }: Summarizer): EntryFacet {
  const { source, path, heading, level, start, end } = place
  const above = heading === undefined ? path : [...path, heading]
  return {
    type: 'summary',
    places: [{ source, path: above, parent: section, level, start, end }],
    summarizes,
    madeBy: id,
  }
}

function isSame(one: EntryFacet, other: EntryFacet | undefined): boolean {
  return JSON.stringify([one.places, one.summarizes]) === JSON.stringify([other?.places, other?.summarizes])
}

/** The summary of texts by a summarizer; `undefined` where they give none. */
export async function summaryOf(
  { indexes: { latents } }: DocumentContext,
  summarizer: Summarizer,
  texts: readonly string[],
  heading: string | undefined,
): Promise<string | undefined> {
  const input: SummaryInput = {
    texts,
    maxCharacters: MAX_CHARACTERS,
    ...(heading !== undefined && { heading }),
    ...(latents !== undefined && {
      latentsOf: (sentences) =>
        sentences.map((said) => latents.of(said) ?? new Float32Array(latents.codebook.dimension)),
    }),
  }
  try {
    return await summarizer.summarize(input)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError('AGIDB_SUMMARIZER', `the summarizer ${summarizer.id} failed: ${reason}`, {}, { cause })
  }
}
