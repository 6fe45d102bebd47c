import type { Entry, EntryTree } from '../../api/entry.js'
import type { EntryId, EntryPlace } from '../../api/entry-facet.js'
import type { Indexes } from '../../indexes/indexes.js'
import { type EntrySources, entriesOf } from './view.js'

/** Whether the entry of a slot stands in its documents now: nothing has superseded or ended it. */
export function isCurrent({ catalog }: Indexes, slot: number, now: number): boolean {
  return catalog.has(slot) && now < catalog.validTo(slot)
}

/** The slots of all entries that stand in their documents now, ascending. */
export function currentSlots(indexes: Indexes, now: number): number[] {
  return [...indexes.catalog.slots()].filter((slot) => indexes.documents.has(slot) && isCurrent(indexes, slot, now))
}

/** The slots of what is in a section now, in the order of the document, its summaries first. */
export function childSlots(indexes: Indexes, id: EntryId, now: number): number[] {
  const { documents } = indexes
  const isHere = (slot: number) => isCurrent(indexes, slot, now)
  const places = (slot: number) => documents.facet(slot)!.places.find(({ parent }) => parent === id)!
  const below = documents.children(id).filter(isHere)
  const summaries = below.filter((slot) => documents.facet(slot)!.type === 'summary')
  const rest = below.filter((slot) => documents.facet(slot)!.type !== 'summary')
  return [...summaries, ...rest.sort((a, b) => inOrder(places(a), places(b)) || a - b)]
}

/** The slots of the entries from the root to this one, which is the last; none for an unknown id. */
export function pathSlots({ catalog, documents }: Indexes, id: EntryId): number[] {
  const slots: number[] = []
  const seen = new Set<EntryId>()
  for (let next: EntryId | undefined = id; next !== undefined && !seen.has(next); ) {
    seen.add(next)
    const slot = catalog.slot(next)
    const facet = slot === undefined ? undefined : documents.facet(slot)
    if (facet === undefined) break
    slots.unshift(slot!)
    next = facet.places[0]?.parent
  }
  return slots
}

/** Whether an entry is a section or is in it, in any of its documents. */
export function isWithin({ catalog, documents }: Indexes, id: EntryId, section: EntryId): boolean {
  const above = new Set([id])
  // A set that grows while it is walked through is walked to its end.
  for (const one of above) {
    const slot = catalog.slot(one)
    const facet = slot === undefined ? undefined : documents.facet(slot)
    for (const { parent } of facet?.places ?? []) if (parent !== undefined) above.add(parent)
  }
  return above.has(section)
}

/** The outline of a document as it is now. */
export async function outlineOf(sources: EntrySources, source: string, now: number): Promise<EntryTree[]> {
  const { indexes } = sources
  const slots = indexes.documents.ofSource(source).filter((slot) => isCurrent(indexes, slot, now))
  const entries = await entriesOf(sources, slots)
  const standing = entries.flatMap((entry) =>
    entry.places.filter((place) => place.source === source).map((place) => ({ entry, place })),
  )
  standing.sort(
    (a, b) => inOrder(a.place, b.place) || Number(b.entry.type === 'summary') - Number(a.entry.type === 'summary'),
  )
  const below = new Map<EntryId | undefined, { readonly entry: Entry; readonly place: EntryPlace }[]>()
  const here = new Set(entries.map(({ id }) => id))
  for (const one of standing) {
    const parent = one.place.parent !== undefined && here.has(one.place.parent) ? one.place.parent : undefined
    const beside = below.get(parent)
    if (beside === undefined) below.set(parent, [one])
    else beside.push(one)
  }
  const treeOf = ({ entry }: { readonly entry: Entry }, above: ReadonlySet<EntryId>): EntryTree => ({
    entry,
    children: above.has(entry.id)
      ? []
      : (below.get(entry.id) ?? []).map((child) => treeOf(child, new Set([...above, entry.id]))),
  })
  return (below.get(undefined) ?? []).map((root) => treeOf(root, new Set()))
}

/** Sorts places as they stand in a document. */
function inOrder(a: EntryPlace, b: EntryPlace): number {
  return a.start - b.start || b.end - a.end
}
