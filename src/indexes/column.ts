/** The typed arrays that a column can be made of. */
interface NumberArray {
  [index: number]: number
  readonly length: number
  set(from: this): void
  fill(value: number, start?: number): this
}

/** A growing array of numbers by slot; slots that were never set read as `empty`. */
export class Column<A extends NumberArray> {
  readonly #make: new (length: number) => A
  readonly #empty: number
  #values: A

  constructor(make: new (length: number) => A, empty: number) {
    this.#make = make
    this.#empty = empty
    this.#values = new make(1024).fill(empty)
  }

  get(slot: number): number {
    return slot < this.#values.length && slot >= 0 ? this.#values[slot] : this.#empty
  }

  set(slot: number, value: number): void {
    if (slot >= this.#values.length) {
      const grown = new this.#make(Math.max(slot + 1, this.#values.length * 2)).fill(this.#empty, this.#values.length)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[slot] = value
  }
}
