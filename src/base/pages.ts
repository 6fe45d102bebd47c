import { longer, part, type CheckpointParts } from './checkpoint-parts.js'

/** Slots of a page, 2 to the power of this. */
export const PAGE_BITS = 10

/** Slots of a page. */
export const PAGE = 1 << PAGE_BITS

/** Pages, at most: slots have 32 bits. */
const MAX_PAGES = 2 ** (32 - PAGE_BITS)

/**
 * Where the numbers of a slot are in arrays that have places for pages of slots in use, and no others. No slot is used
 * twice, so a memory that forgets comes to high ones, of which few have anything; and a number in a file can name any.
 */
export class Pages {
  /** By page the number of its room, from 1 on; 0 is none. */
  #rooms = new Uint32Array(0)
  #places = 0
  /** Whether the first room is that of the first page, and so on: then slots and places are the same. */
  #inOrder = true

  /** Places that there are. */
  get places(): number {
    return this.#places
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#rooms.byteLength
  }

  /** The place of a slot; negative where it has none. */
  placeOf(slot: number): number {
    if (this.#inOrder) return slot < this.#places ? slot : -1
    const page = slot >>> PAGE_BITS
    return page < this.#rooms.length ? ((this.#rooms[page] - 1) << PAGE_BITS) | (slot & (PAGE - 1)) : -1
  }

  /** The place of a slot, which is made if there is none. */
  take(slot: number): number {
    const place = this.placeOf(slot)
    if (place >= 0) return place
    this.#add(slot >>> PAGE_BITS)
    return this.placeOf(slot)
  }

  /** The slots that have a place, ascending, as stretches: their first, and the one after their last. */
  *stretches(from = 0, end = Infinity): Generator<readonly [from: number, end: number]> {
    for (let page = from >>> PAGE_BITS; page < this.#rooms.length && page * PAGE < end; page++) {
      const first = page
      while (page < this.#rooms.length && this.#rooms[page] > 0) page++
      if (page > first) yield [Math.max(from, first * PAGE), Math.min(end, page * PAGE)]
    }
  }

  /** Saves which pages have places, unless these are the slots. Answers the name for what is saved by place. */
  save(parts: CheckpointParts, name: string): string {
    if (this.#inOrder) return name
    const pages = new Uint32Array(this.#places / PAGE)
    this.#rooms.forEach((room, page) => room > 0 && (pages[room - 1] = page))
    parts.set(`${name}.pages`, pages)
    return `${name}.paged`
  }

  /** The name by which something was saved by place. */
  static nameIn(parts: CheckpointParts, name: string): string {
    return parts.has(`${name}.pages`) ? `${name}.paged` : name
  }

  /**
   * What was saved. Throws when it is none.
   *
   * @param places of the arrays that are loaded with it
   * @param slots that there can be
   */
  static load(parts: CheckpointParts, name: string, places: number, slots = MAX_PAGES * PAGE): Pages {
    const count = Math.ceil(places / PAGE)
    const saved = parts.has(`${name}.pages`)
      ? part(parts, `${name}.pages`, Uint32Array)
      : Uint32Array.from({ length: count }, (_, page) => page)
    const fits = saved.length === count && saved.every((page) => page * PAGE < slots)
    if (!fits)
      throw new TypeError(`the checkpoint has ${saved.length} pages ${name} for ${places} places of ${slots} slots`)
    const pages = new Pages()
    for (const page of saved) {
      if (pages.placeOf(page * PAGE) >= 0) throw new TypeError(`the checkpoint has page ${page} of ${name} twice`)
      pages.#add(page)
    }
    return pages
  }

  #add(page: number): void {
    if (page >= this.#rooms.length)
      this.#rooms = longer(this.#rooms, Math.max(page + 1, Math.ceil(1.5 * this.#rooms.length)))
    this.#inOrder &&= page * PAGE === this.#places
    this.#places += PAGE
    this.#rooms[page] = this.#places / PAGE
  }
}

/** An array with a place for each that pages have, by half more than it had. Places that are new have zeros. */
export function roomier<A extends Parameters<typeof longer>[0]>(array: A, { places }: Pages): A {
  return places <= array.length ? array : longer(array, Math.max(places, Math.ceil(1.5 * array.length)))
}
