import { longer, part, type CheckpointParts } from '../../base/checkpoint-parts.js'

/** Regions are multiples of so many bytes. */
const UNIT = 8
/** Sizes of regions, in units. */
const SIZES = 256

/** Regions of bytes in one array. What is given back is zeroed, and used again for the next region of its size. */
export class Pool {
  #memory = new Uint8Array(1024)
  /** The first unit is never given out, so that 0 is no region. */
  #end = UNIT
  /** The first free region of each size, in units; in the first four bytes of each is where the next one lies. */
  #free = new Uint32Array(SIZES)
  #freed = 0

  /** Bytes of memory. */
  get bytes(): number {
    return this.#memory.length + this.#free.byteLength
  }

  /** All regions: a view, valid until the next {@link reserve}. */
  get memory(): Uint8Array {
    return this.#memory
  }

  /** Bytes that are used by no region. */
  get freed(): number {
    return this.#freed
  }

  /** Bytes that a region must have for so many, at most 2,040. */
  static room(bytes: number): number {
    return Math.ceil(bytes / UNIT) * UNIT
  }

  /** Where a region of zeros begins. @param room as {@link Pool.room} says */
  reserve(room: number): number {
    const size = room / UNIT
    const found = this.#free[size]
    if (found !== 0) {
      this.#free[size] = this.#word(found)
      this.#memory.fill(0, found, found + 4)
      this.#freed -= room
      return found
    }
    const start = this.#end
    this.#end += room
    if (this.#end > this.#memory.length) this.#memory = longer(this.#memory, Math.ceil(1.5 * this.#end))
    return start
  }

  release(start: number, room: number): void {
    this.#memory.fill(0, start, start + room)
    const size = room / UNIT
    for (let i = 0, next = this.#free[size]; i < 4; i++, next >>>= 8) this.#memory[start + i] = next
    this.#free[size] = start
    this.#freed += room
  }

  save(parts: CheckpointParts, name: string): void {
    parts.set(`${name}.bytes`, this.#memory.subarray(0, this.#end))
    parts.set(`${name}.free`, this.#free)
    parts.set(`${name}.freed`, Float64Array.of(this.#freed))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#memory = part(parts, `${name}.bytes`, Uint8Array<ArrayBuffer>)
    this.#end = this.#memory.length
    this.#free = part(parts, `${name}.free`, Uint32Array<ArrayBuffer>)
    ;[this.#freed] = part(parts, `${name}.freed`, Float64Array)
  }

  #word(at: number): number {
    let word = 0
    for (let i = 3; i >= 0; i--) word = (word << 8) | this.#memory[at + i]
    return word >>> 0
  }
}
