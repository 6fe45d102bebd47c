import { longer } from '../base/checkpoint-parts.js'
import type { Column } from '../base/column.js'

/** Entries in any order, from which one can be taken without looking for it. No entry is in two lists. */
export class EntryList {
  #entries: Uint32Array<ArrayBuffer> = new Uint32Array(2)
  #count = 0
  readonly #placeOf: Column<Uint32Array>

  /** @param placeOf where each entry stands in its list: shared by all lists. */
  constructor(placeOf: Column<Uint32Array>) {
    this.#placeOf = placeOf
  }

  get size(): number {
    return this.#count
  }

  /** Bytes of memory, without the shared places. */
  get bytes(): number {
    return this.#entries.byteLength
  }

  /** The entries: a view, valid until the next change. */
  get entries(): Uint32Array {
    return this.#entries.subarray(0, this.#count)
  }

  add(entry: number): void {
    if (this.#count === this.#entries.length) this.#entries = longer(this.#entries, 2 * this.#count)
    this.#entries[this.#count] = entry
    this.#placeOf.set(entry, this.#count++)
  }

  /** Takes an entry out that is in it; the last one takes its place. */
  remove(entry: number): void {
    const place = this.#placeOf.get(entry)
    const last = this.#entries[--this.#count]
    this.#entries[place] = last
    this.#placeOf.set(last, place)
    this.#placeOf.set(entry, 0)
  }
}
