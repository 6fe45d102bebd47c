import type { EntryId, EntryPlace } from '../../api/entry-facet.js'
import type { Indexes } from '../../indexes/indexes.js'

/** Characters of a long section that belong together, before and after a place: about two screens. */
export const AROUND = 4_000

/** Names the section of a place: the document and the headings down to it. */
export function sectionName({ source, path, heading }: EntryPlace): string {
  return JSON.stringify([source, ...path, ...(heading === undefined ? [] : [heading])])
}

/** Finds what stands around entries in their sections. Answers are kept for as long as it lives. */
export class Sections {
  readonly #indexes: Indexes
  readonly #isSeen: (slot: number) => boolean
  readonly #contents = new Map<EntryId, { readonly slot: number; readonly start: number }[]>()

  /** @param isSeen whether the entry of a slot may be looked at. */
  constructor(indexes: Indexes, isSeen: (slot: number) => boolean) {
    this.#indexes = indexes
    this.#isSeen = isSeen
  }

  /**
   * The slots of an entry and of what its section says within {@link AROUND} characters, the entry first. Those of a
   * summary are without itself, since it repeats the others; alone if there are none.
   */
  around(slot: number): number[] {
    const { catalog, documents } = this.#indexes
    const facet = documents.facet(slot)
    const place = facet?.places[0]
    const root = place?.heading === undefined ? place?.parent : catalog.id(slot)
    if (place === undefined || root === undefined) return [slot]
    const near = this.#contentsOf(root)
      .filter((other) => other.slot !== slot && Math.abs(other.start - place.start) < AROUND)
      .map((other) => other.slot)
    return facet?.type === 'summary' && near.length > 0 ? near : [slot, ...near]
  }

  /** The heading of a section and the texts under it, without the sections in it and without summaries. */
  #contentsOf(root: EntryId): { readonly slot: number; readonly start: number }[] {
    const kept = this.#contents.get(root)
    if (kept !== undefined) return kept
    const { catalog, documents } = this.#indexes
    const rootSlot = catalog.slot(root)
    const found = [...(rootSlot === undefined ? [] : [rootSlot]), ...documents.children(root)].flatMap((slot) => {
      const { places, type } = documents.facet(slot)!
      const place = slot === rootSlot ? places[0] : places.find(({ parent }) => parent === root)
      const isText = type !== 'summary' && (slot === rootSlot || place?.heading === undefined)
      return place !== undefined && isText && this.#isSeen(slot) ? [{ slot, start: place.start }] : []
    })
    this.#contents.set(root, found)
    return found
  }
}
