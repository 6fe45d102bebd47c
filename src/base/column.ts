import { part, type CheckpointArray, type CheckpointParts } from './checkpoint-parts.js'
import { PAGE, Pages } from './pages.js'

/**
 * A growing array of numbers by slot, with room for those pages alone in which any was set; slots that were never set
 * read as `empty`.
 */
export class Column<A extends CheckpointArray> {
  readonly #make: new (
    length: number,
  ) => A
  readonly #empty: number
  #pages = new Pages()
  /** By place. */
  #values: A
  #end = 0

  constructor(make: new (length: number) => A, empty: number) {
    this.#make = make
    this.#empty = empty
    this.#values = new make(PAGE).fill(empty) as A
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#values.byteLength + this.#pages.bytes
  }

  get(slot: number): number {
    const place = this.#pages.placeOf(slot)
    return place >= 0 && place < this.#values.length ? this.#values[place] : this.#empty
  }

  set(slot: number, value: number): void {
    const place = this.#pages.take(slot)
    if (place >= this.#values.length) {
      const grown = new this.#make(Math.max(this.#pages.places, this.#values.length * 2)).fill(
        this.#empty,
        this.#values.length,
      ) as A
      grown.set(this.#values as never)
      this.#values = grown
    }
    this.#values[place] = value
    if (place >= this.#end) this.#end = place + 1
  }

  /**
   * The numbers by place, where many are to be read: see {@link placeOf}. A view, valid until the next change; its end
   * may be cut off.
   */
  get values(): A {
    return this.#values
  }

  /**
   * The place in {@link values} of the number of a slot; those of the later slots of its page follow. Negative where
   * the page has none.
   */
  placeOf(slot: number): number {
    return this.#pages.placeOf(slot)
  }

  /** The slots that may have been set, ascending, as stretches: their first, and the one after their last. */
  stretches(): Generator<readonly [from: number, end: number]> {
    return this.#pages.stretches()
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(this.#pages.save(parts, name), this.#values.subarray(0, this.#end) as A)
  }

  load(parts: CheckpointParts, name: string): void {
    const values = part(parts, Pages.nameIn(parts, name), this.#make)
    this.#pages = Pages.load(parts, name, values.length)
    this.#values = values
    this.#end = values.length
  }
}
