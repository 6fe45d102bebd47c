import type { BrowseOptions, Entry, EntryMatch, EntrySearchOptions } from '../../api/entry.js'
import { type TimeInput, type EpisodeId } from '../../api/episode.js'
import { expectAfter, type Span, toMillis } from '../../api/time.js'
import { bitsOf, hasBit, slotsOf } from '../../base/bits.js'
import { AgidbError } from '../../base/errors.js'
import type { Match } from '../../api/recall.js'
import type { DocumentContext } from './context.js'
import { relevancy } from './access-profile.js'
import { openSlots } from './identity.js'
import { blended, blendOf } from './salience.js'
import { childSlots, isCurrent, pathSlots } from './outline.js'
import { type FoundEntry, rankBySection, type RankedEntry } from './section-ranking.js'
import { Sections } from './section.js'
import { spread } from './spread.js'
import { entriesOf, withEntries } from './view.js'

/** Candidates for each result, and at least: their sections, recency and salience may lift one of them. */
const DEPTH = 4
const LEAST_CANDIDATES = 60
/** Characters of an entry that others are compared with. */
const SIMILAR_CHARACTERS = 2_000

/** Finds entries by what they say. */
export async function search(
  context: DocumentContext,
  query: string,
  options: EntrySearchOptions,
): Promise<EntryMatch[]> {
  const { indexes, states, clock } = context
  const { k = 5, childrenK = 3, deep = false, filter, similarTo, minSalience = 0 } = options
  // A superseded entry has the place of its successor, which must not hide it from a deep search.
  const { perSection = deep ? Infinity : 1 } = options
  const among = slotsAsked(context, options)
  if (options.ongoing === true) keepOnly(among, openSlots(context, seenSlots(context, among, deep)).keys())
  let cue = query
  if (similarTo !== undefined) {
    const slot = indexes.catalog.slot(similarTo)
    const [like] = slot === undefined ? [] : await entriesOf(context, [slot])
    if (like === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no entry with the id ${similarTo}`, { id: similarTo })
    cue = [query, like.content.slice(0, SIMILAR_CHARACTERS)].filter((text) => text !== '').join('\n')
    among[slot! >> 5] &= ~(1 << (slot! & 31))
  }
  if (among.every((word) => word === 0)) return []
  const candidates = Math.max(LEAST_CANDIDATES, DEPTH * k)
  const matches = await context.recall({ cue, k: candidates, among, deep, ...(filter !== undefined && { filter }) })
  const ranked = bySection(context, cue, matches, among, deep)
  const blend = blendOf(options)
  const now = clock()
  const found = ranked.flatMap(({ found: { match, slot }, similarity, section }) => {
    const salience = states.salienceOf(match.id, slot, now).composite
    const recency = relevancy(states.accessesOf(match.id, slot, now), options.recencyWindow)
    const score = blended(similarity, recency, salience, blend)
    const { places } = indexes.documents.facet(slot)!
    const told = { score, similarity, salience, signals: match.signals, section }
    return salience < minSalience ? [] : [{ slot, places, told }]
  })
  // Of those alike the better match stays first.
  const inOrder = found.sort((a, b) => b.told.score - a.told.score)
  const best = spread(inOrder, perSection).slice(0, k)
  const results = await withEntries(context, best)
  const children = childrenK === 0 ? undefined : await bestChildren(context, cue, results, deep, childrenK)
  return Promise.all(
    results.map(async ({ entry, told }): Promise<EntryMatch> => {
      const above = pathSlots(indexes, entry.id).slice(0, -1)
      return {
        ...told,
        entry,
        path: await entriesOf(context, above),
        children: children?.get(entry.id) ?? [],
      }
    }),
  )
}

/** The matches of a recall, ordered by what their sections say as well. */
function bySection(
  { indexes, clock }: DocumentContext,
  cue: string,
  matches: readonly Match[],
  among: Uint32Array,
  deep: boolean,
): RankedEntry<FoundEntry & { readonly match: Match }>[] {
  const now = clock()
  const isSeen = (slot: number) =>
    hasBit(among, slot) && isCurrent(indexes, slot, now) && (deep || indexes.documents.isShown(slot, now))
  // The order of a recall counts more than the confidence of each match, which may rise on the way down.
  let confidence = 1
  const found = matches.flatMap((match) => {
    const slot = indexes.catalog.slot(match.id)
    confidence = Math.min(confidence, match.confidence)
    return slot === undefined ? [] : [{ slot, confidence, match }]
  })
  const hasSentences = matches.some(({ signals }) => signals['sentence'] !== undefined)
  return rankBySection(indexes, cue, found, new Sections(indexes, isSeen), hasSentences)
}

/** Entries without a query, newest first. */
export async function browse(context: DocumentContext, options: BrowseOptions): Promise<Entry[]> {
  const { indexes, clock } = context
  const { limit = 20, deep = false, source } = options
  const now = clock()
  const asked = slotsAsked(context, options)
  const inSource = source === undefined ? undefined : new Set(indexes.documents.ofSource(source))
  const slots: number[] = []
  for (const slot of indexes.catalog.slots()) {
    if ((asked[slot >> 5] & (1 << (slot & 31))) === 0 || inSource?.has(slot) === false) continue
    if (deep || (indexes.documents.isShown(slot, now) && now < indexes.catalog.validTo(slot))) slots.push(slot)
  }
  const { catalog } = indexes
  slots.sort((a, b) => catalog.validFrom(b) - catalog.validFrom(a) || b - a)
  return entriesOf(context, slots.slice(0, limit))
}

/** The slots of the entries of a perspective and a time, as a bit set. */
function slotsAsked(
  { indexes, states }: DocumentContext,
  {
    perspective,
    since,
    until,
  }: { readonly perspective?: string; readonly since?: TimeInput; readonly until?: TimeInput },
): Uint32Array {
  const { catalog, documents } = indexes
  const words = catalog.live.slice()
  for (let word = 0; word < words.length; word++)
    words[word] &= word < documents.words.length ? documents.words[word] : 0
  if (since !== undefined || until !== undefined) catalog.within('at', spanOf(since, until)).narrow(words)
  if (perspective === undefined) return words
  const chosen: number[] = []
  for (const slot of catalog.slots())
    if (
      (words[slot >> 5] & (1 << (slot & 31))) !== 0 &&
      states.perspectivesOf(catalog.id(slot)!, slot).includes(perspective)
    )
      chosen.push(slot)
  return bitsOf(chosen, words.length)
}

/** The time from `since` on and before `until`; an absent side is open. */
function spanOf(since: TimeInput | undefined, until: TimeInput | undefined): Span {
  const from = since === undefined ? -Infinity : toMillis(since, 'since')
  const to = until === undefined ? Infinity : toMillis(until, 'until')
  expectAfter('until', to, 'since', from)
  return { from, to }
}

/** The slots of a bit set that a search shows, ascending; ended ones, too. */
function seenSlots({ indexes, clock }: DocumentContext, words: Uint32Array, deep: boolean): number[] {
  const now = clock()
  return [...slotsOf(words)].filter((slot) => deep || indexes.documents.isShown(slot, now))
}

/** Leaves of a bit set what is among some slots. */
function keepOnly(words: Uint32Array, slots: Iterable<number>): void {
  const kept = bitsOf(slots, words.length)
  for (let word = 0; word < words.length; word++) words[word] &= kept[word]
}

/** The best children of each result, by one more question over all of them. */
async function bestChildren(
  context: DocumentContext,
  cue: string,
  results: readonly { readonly entry: Entry }[],
  deep: boolean,
  most: number,
): Promise<Map<EpisodeId, { entry: Entry; score: number }[]>> {
  const { indexes, clock } = context
  const now = clock()
  const below = new Map(results.map(({ entry }) => [entry.id, childSlots(indexes, entry.id, now)]))
  const slots = [...new Set([...below.values()].flat())]
  const best = new Map<EpisodeId, { entry: Entry; score: number }[]>()
  if (slots.length === 0) return best
  const among = bitsOf(slots, indexes.catalog.live.length)
  const matches = await context.recall({ cue, k: Math.min(1_000, slots.length), among, deep })
  const rank = new Map(matches.map(({ id }, i) => [indexes.catalog.slot(id), i]))
  for (const { entry } of results) {
    const chosen = below.get(entry.id)!.filter((slot) => rank.has(slot))
    chosen.sort((a, b) => rank.get(a)! - rank.get(b)!)
    const children = chosen.slice(0, most).map((slot) => ({ slot, score: matches[rank.get(slot)!].confidence }))
    const found = await withEntries(context, children)
    best.set(
      entry.id,
      found.map(({ entry, score }) => ({ entry, score })),
    )
  }
  return best
}
