import { part, type ImageArray, type ImageParts } from '../core/image.js'

/** A growing array of numbers by slot; slots that were never set read as `empty`. */
export class Column<A extends ImageArray> {
  readonly #make: new (length: number) => A
  readonly #empty: number
  #values: A
  #length = 0

  constructor(make: new (length: number) => A, empty: number) {
    this.#make = make
    this.#empty = empty
    this.#values = new make(1024).fill(empty) as A
  }

  /** One more than the highest slot that was set. */
  get length(): number {
    return this.#length
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#values.byteLength
  }

  get(slot: number): number {
    return slot < this.#values.length && slot >= 0 ? this.#values[slot] : this.#empty
  }

  set(slot: number, value: number): void {
    if (slot >= this.#values.length) {
      const grown = new this.#make(Math.max(slot + 1, this.#values.length * 2)).fill(this.#empty, this.#values.length) as A
      grown.set(this.#values as never)
      this.#values = grown
    }
    this.#values[slot] = value
    if (slot >= this.#length) this.#length = slot + 1
  }

  save(parts: ImageParts, name: string): void {
    parts.set(name, this.#values.subarray(0, this.#length) as A)
  }

  load(parts: ImageParts, name: string): void {
    this.#values = part(parts, name, this.#make)
    this.#length = this.#values.length
  }
}
