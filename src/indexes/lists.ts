import { Column } from '../base/column.js'
import { longer, part, type CheckpointParts } from '../base/checkpoint-parts.js'

/** Room in the pool that may be garbage before it is swept, in numbers. */
const LEAST_GARBAGE = 1 << 16

/** A list of small numbers for each slot, one after the other in one array. */
export class Lists<A extends Uint16Array | Uint32Array> {
  readonly #make: new (
    length: number,
  ) => A
  readonly #starts = new Column(Uint32Array, 0)
  readonly #lengths = new Column(Uint16Array, 0)
  #pool: A
  #end = 0
  #garbage = 0

  constructor(make: new (length: number) => A) {
    this.#make = make
    this.#pool = new make(1024)
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#pool.byteLength + this.#starts.bytes + this.#lengths.bytes
  }

  /** The list of a slot: a view, valid until the next change. Empty where there is none. */
  get(slot: number): A {
    const start = this.#starts.get(slot)
    return this.#pool.subarray(start, start + this.#lengths.get(slot)) as A
  }

  /** How many numbers the list of a slot has. */
  length(slot: number): number {
    return this.#lengths.get(slot)
  }

  /**
   * Copies the list of a slot to a place in an array; without the view, which would cost more than a list of a few
   * dozen numbers.
   */
  copy(slot: number, into: A, at: number): void {
    const start = this.#starts.get(slot)
    for (let i = 0, length = this.#lengths.get(slot); i < length; i++) into[at + i] = this.#pool[start + i]
  }

  /** @param list up to 65,535 numbers */
  set(slot: number, list: ArrayLike<number>): void {
    this.remove(slot)
    if (list.length === 0) return
    if (this.#end + list.length > this.#pool.length) this.#pool = longer(this.#pool, 2 * (this.#end + list.length))
    this.#pool.set(list, this.#end)
    this.#starts.set(slot, this.#end)
    this.#lengths.set(slot, list.length)
    this.#end += list.length
  }

  remove(slot: number): void {
    const length = this.#lengths.get(slot)
    if (length === 0) return
    // Not only unreachable: nothing of it is to be left.
    this.#pool.fill(0, this.#starts.get(slot), this.#starts.get(slot) + length)
    this.#starts.set(slot, 0)
    this.#lengths.set(slot, 0)
    this.#garbage += length
    if (this.#garbage > LEAST_GARBAGE && this.#garbage > this.#end / 2) this.#sweep()
  }

  /** The slots that have a list, ascending. */
  *slots(): Generator<number> {
    for (const [from, to] of this.#lengths.stretches())
      for (let slot = from; slot < to; slot++) if (this.#lengths.get(slot) > 0) yield slot
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.pool`, this.#pool.subarray(0, this.#end) as A)
    this.#starts.save(parts, `${name}.starts`)
    this.#lengths.save(parts, `${name}.lengths`)
    parts.set(`${name}.garbage`, Float64Array.of(this.#garbage))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#pool = part(parts, `${name}.pool`, this.#make)
    this.#end = this.#pool.length
    this.#starts.load(parts, `${name}.starts`)
    this.#lengths.load(parts, `${name}.lengths`)
    ;[this.#garbage] = part(parts, `${name}.garbage`, Float64Array)
  }

  #sweep(): void {
    const pool = new this.#make(Math.max(1024, this.#end - this.#garbage))
    let end = 0
    for (const [from, to] of this.#lengths.stretches()) {
      for (let slot = from; slot < to; slot++) {
        const list = this.get(slot)
        if (list.length === 0) continue
        pool.set(list, end)
        this.#starts.set(slot, end)
        end += list.length
      }
    }
    this.#pool = pool
    this.#end = end
    this.#garbage = 0
  }
}
