import type { EntryFacet, EntryId, EntryPlace } from '../../api/entry-facet.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Summarizer } from '../../api/summarizer.js'
import { greatest } from '../../base/extremes.js'
import { softClusters } from '../../summaries/mixture.js'
import type { DocumentContext } from './context.js'
import { entryIdOf } from './entry-id.js'
import { childSlots, isCurrent } from './outline.js'
import { summaryOf } from './summary-of.js'

/** Parts from which on a section has a summary. */
const PARTS = 2
/** Characters that its parts must have for a summary to be shorter. */
const LONG = 1_500
/** Parts that are summarized at once; more are clustered before. */
const AT_ONCE = 12
/** Parts that are clustered at once, in the order of the document, and the fewest that a cluster has, on average. */
const [WINDOW, A_CLUSTER] = [192, 3]

/** A summary that a document should have. */
export interface Wanted {
  readonly id: EntryId
  readonly content: string
  readonly facet: EntryFacet
}

/** What stands for a part in what is above it: its summary, else all that is in it. */
interface Part {
  readonly texts: readonly string[]
  /** The entries whose texts these are. */
  readonly ids: readonly EntryId[]
}

/** What is summarized: a section, or all of a document. */
interface Section {
  /** Where its summaries stand. */
  readonly place: EntryPlace
  readonly heading?: string
}

/**
 * The summaries that a document should have, by their ids. Sections below come first, so that what is above summarizes
 * summaries too. The parts of a section that has many are clustered, and each cluster has a summary, until few enough
 * are left (RAPTOR, Sarthi et al., 2024). A document of several sections that stand at the top has a summary of all.
 */
export async function wantedIn(
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
  const sections = slots.map((slot) => {
    const place = documents.facet(slot)!.places.find((one) => one.source === source)!
    return { slot, id: catalog.id(slot)!, place }
  })
  const idOf = new Map(sections.map(({ slot, id }) => [slot, id]))
  const below = new Map(sections.map(({ slot, id }) => [slot, rawChildren(context, id, now)]))
  for (const slot of [...below.values()].flat()) idOf.set(slot, catalog.id(slot)!)
  // From here on entries may go: what was read of them before is all that is used.
  const texts = await textsOf(context, [...idOf.keys()])
  const partOf = (slot: number): Part => ({ texts: [texts.get(slot) ?? ''], ids: [idOf.get(slot)!] })
  const summaries = new Summaries(context, source, summarizer)
  const parts = new Map<number, Part>()
  sections.sort((a, b) => b.place.path.length - a.place.path.length || a.slot - b.slot)
  for (const { slot, id, place } of sections) {
    const inside = below.get(slot)!.map((child) => parts.get(child) ?? partOf(child))
    const section: Section = { place: placeIn(place, id), heading: place.heading }
    parts.set(
      slot,
      inside.length < PARTS
        ? joined([partOf(slot), ...inside])
        : await summaries.of(section, [partOf(slot), ...inside]),
    )
  }
  const here = new Set(sections.map(({ id }) => id))
  const roots = sections.filter(({ place }) => !here.has(place.parent ?? ''))
  if (roots.length >= PARTS) {
    roots.sort((a, b) => a.place.start - b.place.start || a.slot - b.slot)
    const end = greatest(roots.map(({ place }) => place.end))
    const place: EntryPlace = { source, path: [], level: 1, start: roots[0].place.start, end }
    await summaries.of(
      { place },
      roots.map(({ slot }) => parts.get(slot)!),
    )
  }
  return summaries.wanted
}

/** Makes summaries of parts and notes which are wanted. */
class Summaries {
  readonly wanted = new Map<EntryId, Wanted>()
  readonly #context: DocumentContext
  readonly #source: string
  readonly #summarizer: Summarizer

  constructor(context: DocumentContext, source: string, summarizer: Summarizer) {
    this.#context = context
    this.#source = source
    this.#summarizer = summarizer
  }

  /** Summarizes the parts of a section; answers with what stands for it in what is above it. */
  async of(section: Section, all: readonly Part[]): Promise<Part> {
    let parts = all
    while (parts.length > AT_ONCE) {
      const fewer = await this.#clustered(section, parts)
      if (fewer.length >= parts.length) break
      parts = fewer
    }
    const whole = joined(parts)
    // One that is left is the summary of a cluster that has all.
    return parts.length >= PARTS && isLong(joined(all)) ? this.#summary(section, whole) : whole
  }

  /** The summaries of the clusters that parts fall into, with the parts that are in none. */
  async #clustered(section: Section, parts: readonly Part[]): Promise<Part[]> {
    const { latents } = this.#context.indexes
    if (latents === undefined) return [...parts]
    const found: Part[] = []
    for (let from = 0; from < parts.length; from += WINDOW) {
      const window = parts.slice(from, from + WINDOW)
      const vectors = latents.ofMany(window.map(({ texts }) => texts.join('\n')))
      const left = new Set(window)
      for (const { members, probabilities } of softClusters(vectors, Math.ceil(window.length / A_CLUSTER))) {
        if (members.length < PARTS) continue
        const cluster = members.map((i) => window[i])
        const summary = await this.#summary(section, joined(cluster), surest(cluster, probabilities))
        for (const part of cluster) left.delete(part)
        found.push(summary)
      }
      found.push(...left)
    }
    return found
  }

  /** A summary of texts that is wanted from now on; the texts where it cannot be one. */
  async #summary({ place, heading }: Section, whole: Part, memberships?: ReadonlyMap<EntryId, number>): Promise<Part> {
    if (whole.ids.length > FIELD_LIMITS.entry.summarizes.items) return whole
    const content = await summaryOf(this.#context, this.#summarizer, whole.texts, heading)
    if (content === undefined || content.trim() === '') return whole
    const id = entryIdOf(content)
    if (this.wanted.has(id) || this.#isAnother(id)) return whole
    const facet: EntryFacet = {
      type: 'summary',
      places: [place],
      summarizes: whole.ids,
      madeBy: this.#summarizer.id,
      ...(memberships && { memberships: whole.ids.map((one) => memberships.get(one)!) }),
    }
    this.wanted.set(id, { id, content, facet })
    return { texts: [content], ids: [id] }
  }

  /** Whether the content of a summary is an entry already that is no summary of this document. */
  #isAnother(id: EntryId): boolean {
    const { catalog, documents } = this.#context.indexes
    const slot = catalog.slot(id)
    if (slot === undefined) return false
    const facet = documents.facet(slot)
    return facet?.madeBy === undefined || facet.places[0]?.source !== this.#source
  }
}

/** How surely each entry belongs to a cluster: as the part does that rests on it, the surest of them. */
function surest(parts: readonly Part[], probabilities: readonly number[]): Map<EntryId, number> {
  const sure = new Map<EntryId, number>()
  for (const [i, { ids }] of parts.entries())
    for (const id of ids) sure.set(id, Math.max(sure.get(id) ?? 0, Math.min(1, probabilities[i])))
  return sure
}

function isLong({ texts }: Part): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) >= LONG
}

function rawChildren({ indexes }: DocumentContext, id: EntryId, now: number): number[] {
  return childSlots(indexes, id, now).filter((child) => indexes.documents.facet(child)!.type === 'raw')
}

async function textsOf(context: DocumentContext, slots: readonly number[]): Promise<Map<number, string>> {
  const episodes = await context.fetch(slots)
  return new Map(slots.flatMap((slot, i) => (episodes[i] === undefined ? [] : [[slot, episodes[i].text]])))
}

function joined(parts: readonly Part[]): Part {
  return { texts: parts.flatMap(({ texts }) => texts), ids: [...new Set(parts.flatMap(({ ids }) => ids))] }
}

/** Where the summaries of a section stand: in it. */
function placeIn({ source, path, heading, level, start, end }: EntryPlace, parent: EntryId): EntryPlace {
  return { source, path: heading === undefined ? path : [...path, heading], parent, level, start, end }
}
