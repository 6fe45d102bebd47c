import type { Caller } from '../../api/caller.js'
import type { EntryFacet } from '../../api/entry-facet.js'
import type { Observation } from '../../api/episode.js'
import type { Summarizer } from '../../api/summarizer.js'
import type { DiscoveredPair, Thought, ThinkReport, ThinkStatus } from '../../api/think.js'
import { age } from './aging.js'
import type { DocumentContext } from './context.js'
import { entryIdOf } from './entry-id.js'
import { aboveChance, openSlots } from './identity.js'
import { currentSlots } from './outline.js'
import { signedEntries } from './signed-entries.js'
import { storeResting } from './store-resting.js'
import { summaryOf } from './summary-of.js'
import { entriesOf } from './view.js'

/** Entries that are compared with each other, the newest. */
const COMPARED = 2_000
/** Pairs that are told, the most alike. */
const MOST_PAIRS = 50
/** Standard deviations above chance from which on two entries are alike: they share most of their words. */
const ALIKE = 25
/** Entries from which on a group has a summary, and the most that one is made of. */
const [GROUP, MOST_IN_GROUP] = [3, 50]

/** Pairs of entries that are alike and that no relation and no document has together, the most alike first. */
export async function discover(context: DocumentContext): Promise<DiscoveredPair[]> {
  const { indexes, states, clock } = context
  const { catalog, documents, kernel, text } = indexes
  const now = clock()
  const wanted = currentSlots(indexes, now)
    .filter((slot) => documents.facet(slot)!.type !== 'summary' && documents.isShown(slot, now) && text.has(slot))
    .slice(-COMPARED)
  await text.bring?.(Uint32Array.from(wanted))
  const signed = signedEntries(context, wanted)
  const slots = signed.map(({ slot }) => slot)
  const linked = new Set(
    slots.flatMap((slot) =>
      states.relationsOf(catalog.id(slot)!, slot).map(({ target }) => `${catalog.id(slot)} ${target}`),
    ),
  )
  const pairs: DiscoveredPair[] = []
  for (let i = 0; i < slots.length; i++)
    for (let j = 0; j < i; j++) {
      const likeness = aboveChance(kernel.similarity(signed[i].signature, signed[j].signature))
      if (likeness < ALIKE || isTogether(documents.facet(slots[i])!, documents.facet(slots[j])!)) continue
      const [a, b] = [catalog.id(slots[j])!, catalog.id(slots[i])!]
      if (!linked.has(`${a} ${b}`) && !linked.has(`${b} ${a}`)) pairs.push({ entries: [a, b], likeness })
    }
  return pairs
    .sort((a, b) => b.likeness - a.likeness || (a.entries.join() < b.entries.join() ? -1 : 1))
    .slice(0, MOST_PAIRS)
}

/** Whether two entries stand in one document: there they are together already. */
function isTogether(one: EntryFacet, other: EntryFacet): boolean {
  return one.places.some(({ source }) => other.places.some((place) => place.source === source))
}

/** How much there is to think about. */
export function statusOf(context: DocumentContext): ThinkStatus {
  const { indexes, states, clock } = context
  const { catalog, documents } = indexes
  const slots = currentSlots(indexes, clock())
  const visibility = new Map<string, number>()
  const perspectives = new Map<string, number>()
  for (const slot of slots) {
    count(visibility, documents.shown(slot).visibility)
    for (const name of states.perspectivesOf(catalog.id(slot)!, slot)) count(perspectives, name)
  }
  const last = historyOf(context).at(-1)?.at
  const openThreads = openSlots(
    context,
    [...catalog.slots()].filter((slot) => documents.has(slot)),
  ).size
  return {
    entries: slots.length,
    visibility: Object.fromEntries(visibility),
    perspectives: Object.fromEntries(perspectives),
    openThreads,
    ...(last !== undefined && { last }),
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** When it was thought, the first time first. */
export function historyOf({ log }: DocumentContext): Thought[] {
  return log().flatMap(({ event }) =>
    event.kind === 'entriesThought' ? [{ at: event.at, action: event.action, entries: event.entries }] : [],
  )
}

/** Writes summaries of groups of entries that are alike and stand apart; then lets entries age. */
export async function consolidate(context: DocumentContext, caller: Caller): Promise<ThinkReport> {
  const made = context.summarizer === undefined ? [] : await groupSummaries(context, context.summarizer)
  return write(context, 'consolidate', made, caller)
}

/** Summaries of the groups of entries that are alike and stand apart. */
async function groupSummaries(
  context: DocumentContext,
  summarizer: Summarizer,
): Promise<(readonly [Observation, EntryFacet])[]> {
  const groups = groupsOf(await discover(context)).filter(({ length }) => length >= GROUP)
  const made: (readonly [Observation, EntryFacet])[] = []
  for (const ids of groups) {
    const slots = ids.slice(0, MOST_IN_GROUP).flatMap((id) => context.indexes.catalog.slot(id) ?? [])
    const entries = await entriesOf(context, slots)
    if (entries.length < GROUP) continue
    const content = await summaryOf(
      context,
      summarizer,
      entries.map((entry) => entry.content),
      undefined,
    )
    if (content === undefined) continue
    const facet: EntryFacet = {
      type: 'summary',
      places: [],
      summarizes: entries.map(({ id }) => id),
      madeBy: 'consolidation/1',
    }
    made.push([{ id: entryIdOf(content), text: content }, facet])
  }
  return made
}

/** Writes the result of thinking and its event in one commit; then ages entries. */
export async function write(
  context: DocumentContext,
  action: Thought['action'],
  made: readonly (readonly [Observation, EntryFacet])[],
  caller: Caller,
): Promise<ThinkReport> {
  const { catalog } = context.indexes
  const unique = new Map(made.map((one) => [one[0].id!, one]))
  const added = [...unique.values()].filter(([{ id }]) => catalog.slot(id!) === undefined)
  const ids = await storeResting(context, added, caller, (entries) => [{ kind: 'entriesThought', action, entries }])
  const aging = await age(context, caller)
  return {
    entries: await entriesOf(
      context,
      ids.flatMap((id) => catalog.slot(id) ?? []),
    ),
    aging,
  }
}

/** The entries that pairs connect, each group in the order in which it was found. */
function groupsOf(pairs: readonly DiscoveredPair[]): string[][] {
  const groups = new Map<string, string[]>()
  for (const { entries } of pairs) {
    const [one, other] = entries.map((id) => groups.get(id) ?? [id])
    if (one === other) continue
    const joined = [...one, ...other]
    for (const id of joined) groups.set(id, joined)
  }
  return [...new Set(groups.values())]
}
