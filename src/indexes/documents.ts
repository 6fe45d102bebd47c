import type { EntryFacet, EntryId, EntryVisibility } from '../api/entry-facet.js'
import { Bits, clearBit } from '../base/bits.js'
import { loadStrings, part, saveStrings, type CheckpointParts } from '../base/checkpoint-parts.js'
import { HEAP, heapBytes } from '../base/heap-size.js'
import { enter, leave } from '../base/set-map.js'
import type { Index } from './port.js'

/** Visibilities of what a standard search shows. */
const SHOWN: ReadonlySet<EntryVisibility> = new Set<EntryVisibility>(['always', 'normal', 'seasonal', 'expiring'])
export const DEFAULT_VISIBILITY: EntryVisibility = 'normal'

/** Who sees an entry, and until when. */
export interface Shown {
  readonly visibility: EntryVisibility
  /** When an entry that is `expiring` is seen no more (ISO 8601, UTC). */
  readonly expiresAt?: string
}

/** Indexes which episodes are entries, where they stand in documents, and who sees them. */
export function documentIndex(): Index<Documents> {
  const documents = new Documents()
  return {
    contents: documents,
    add: (slot, { id, entry }) => documents.set(slot, id, entry),
    update: (slot, { id, entry }) => documents.set(slot, id, entry),
    remove: (slot, { id }) => documents.set(slot, id, undefined),
  }
}

/** The entries by slot: their facets, what stands below each, and which are hidden from standard searches. */
export class Documents {
  readonly #slots = new Bits()
  readonly #facets = new Map<number, EntryFacet>()
  /** Entries by the entry of the section that they are in. */
  readonly #children = new Map<EntryId, Set<number>>()
  /** Summaries by what they are of. */
  readonly #summaries = new Map<EntryId, Set<number>>()
  readonly #sources = new Map<string, Set<number>>()
  /** What was said of visibility after an entry was stored. */
  #said: (id: EntryId, slot: number) => Shown | undefined = () => undefined
  readonly #ids = new Map<number, EntryId>()
  readonly #slotOf = new Map<EntryId, number>()
  /** Those that no standard search shows, whenever it is asked. */
  readonly #hidden = new Bits()
  /** When others are shown no more, epoch milliseconds. */
  readonly #expiring = new Map<number, number>()
  #bytes = 0

  /** Entries. */
  get size(): number {
    return this.#slots.count
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const keys = this.#children.size + this.#summaries.size + this.#sources.size
    // An entry stands under a section, in a document and mostly under a summary.
    const links = keys * (HEAP.entry + HEAP.map + HEAP.name) + 3 * this.size * HEAP.entry
    const shown = this.#hidden.bytes + (this.#expiring.size + 2 * this.#ids.size) * (HEAP.entry + HEAP.object)
    return this.#slots.bytes + this.#bytes + links + shown
  }

  /** The slots of all entries, as a bit set: a view, not a copy. */
  get words(): Uint32Array {
    return this.#slots.words
  }

  has(slot: number): boolean {
    return this.#slots.has(slot)
  }

  facet(slot: number): EntryFacet | undefined {
    return this.#facets.get(slot)
  }

  /** The slots of the entries that are in a section, ascending. */
  children(id: EntryId): number[] {
    return sorted(this.#children.get(id))
  }

  /** The slots of the summaries of an entry, ascending. */
  summaries(id: EntryId): number[] {
    return sorted(this.#summaries.get(id))
  }

  /** The slots of the entries of a document, ascending. */
  ofSource(source: string): number[] {
    return sorted(this.#sources.get(source))
  }

  /** The slots of the entries that stand in some documents, and in others, too; ascending. */
  shared(sources: ReadonlySet<string>): number[] {
    const inSome = new Set([...sources].flatMap((source) => this.ofSource(source)))
    return sorted(inSome).filter((slot) => this.#facets.get(slot)!.places.some(({ source }) => !sources.has(source)))
  }

  /** All documents, sorted, with how many entries each has. */
  sources(): { readonly source: string; readonly entries: number }[] {
    const all = Array.from(this.#sources.entries(), ([source, { size: entries }]) => ({ source, entries }))
    return all.sort((a, b) => (a.source < b.source ? -1 : 1))
  }

  /** Who sees an entry now. */
  shown(slot: number): Shown {
    const id = this.#ids.get(slot)
    const said = id === undefined ? undefined : this.#said(id, slot)
    if (said !== undefined) return said
    const { visibility = DEFAULT_VISIBILITY, expiresAt } = this.#facets.get(slot) ?? {}
    return { visibility, ...(expiresAt !== undefined && { expiresAt }) }
  }

  /** Asks `said` from now on who sees an entry; `undefined`: as was said when it was stored. */
  follow(said: (id: EntryId, slot: number) => Shown | undefined): void {
    this.#said = said
  }

  /** Asks again who sees an entry. */
  refresh(id: EntryId): void {
    const slot = this.#slotOf.get(id)
    if (slot !== undefined) this.#place(slot)
  }

  /** Whether a standard search shows an entry at a time, epoch milliseconds. */
  isShown(slot: number, now: number): boolean {
    return !this.#hidden.has(slot) && now < (this.#expiring.get(slot) ?? Infinity)
  }

  /** Whether a standard search shows all entries at a time. */
  areAllShown(now: number): boolean {
    if (this.#hidden.count > 0) return false
    for (const end of this.#expiring.values()) if (end <= now) return false
    return true
  }

  /** Takes out of a bit set what no standard search shows at a time. */
  hide(mask: Uint32Array, now: number): void {
    const { words } = this.#hidden
    for (let word = Math.min(mask.length, words.length) - 1; word >= 0; word--) mask[word] &= ~words[word]
    for (const [slot, end] of this.#expiring) if (end <= now) clearBit(mask, slot)
  }

  /** Takes an entry in, in the place of what the slot had; `undefined` for an episode that is none. */
  set(slot: number, id: EntryId, facet: EntryFacet | undefined): void {
    const before = this.#facets.get(slot)
    if (before === undefined && facet === undefined) return
    if (before !== undefined) {
      this.#link(before, (links, key) => leave(links, key, slot))
      this.#bytes -= HEAP.entry + heapBytes(before)
      this.#facets.delete(slot)
      this.#slots.remove(slot)
      this.#ids.delete(slot)
      this.#slotOf.delete(id)
    }
    if (facet !== undefined) {
      this.#link(facet, (links, key) => enter(links, key, slot))
      this.#bytes += HEAP.entry + heapBytes(facet)
      this.#facets.set(slot, facet)
      this.#slots.add(slot)
      this.#ids.set(slot, id)
      this.#slotOf.set(id, slot)
    }
    this.#place(slot)
  }

  save(parts: CheckpointParts, name: string): void {
    const slots = [...this.#facets.keys()].sort((a, b) => a - b)
    parts.set(`${name}.slots`, Uint32Array.from(slots))
    saveStrings(
      parts,
      `${name}.ids`,
      slots.map((slot) => this.#ids.get(slot)!),
    )
    saveStrings(
      parts,
      `${name}.facets`,
      slots.map((slot) => JSON.stringify(this.#facets.get(slot))),
    )
  }

  /** What was said of visibility later comes from the log. */
  load(parts: CheckpointParts, name: string): void {
    const [ids, facets] = [loadStrings(parts, `${name}.ids`), loadStrings(parts, `${name}.facets`)]
    part(parts, `${name}.slots`, Uint32Array).forEach((slot, i) => {
      this.set(slot, ids[i], JSON.parse(facets[i]) as EntryFacet)
    })
  }

  #link({ places, summarizes = [] }: EntryFacet, change: (links: Map<string, Set<number>>, key: string) => void): void {
    for (const parent of new Set(places.map((place) => place.parent)))
      if (parent !== undefined) change(this.#children, parent)
    for (const source of new Set(places.map((place) => place.source))) change(this.#sources, source)
    for (const id of new Set(summarizes)) change(this.#summaries, id)
  }

  /** Puts an entry among those that are hidden, or takes it out. */
  #place(slot: number): void {
    this.#expiring.delete(slot)
    if (!this.#slots.has(slot)) return this.#hidden.remove(slot)
    const { visibility, expiresAt } = this.shown(slot)
    if (SHOWN.has(visibility)) this.#hidden.remove(slot)
    else this.#hidden.add(slot)
    if (visibility === 'expiring' && expiresAt !== undefined) this.#expiring.set(slot, Date.parse(expiresAt))
  }
}

function sorted(slots: ReadonlySet<number> | undefined): number[] {
  return [...(slots ?? [])].sort((a, b) => a - b)
}
