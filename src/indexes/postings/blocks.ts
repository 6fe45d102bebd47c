import { longer, part, type CheckpointParts } from '../../base/checkpoint-parts.js'
import type { Lengths } from './documents.js'
import { pairWidth, readPairs, writePair } from './pairs.js'
import { Pool } from './pool.js'

/** Postings that a block has at most. */
export const BLOCK = 128
/** No block: they are numbered from 1. */
export const NONE = 0

/** What is told of a block without unpacking it: so many numbers in a row of {@link Blocks.table}. */
export const FIELDS = 8
/** Its lowest slot. */
export const FIRST = 0
/** Its highest slot. */
export const LAST = 1
/** The block after it. */
export const NEXT = 2
/** The length of the shortest document that has the term once; {@link LENGTHY} if none does. */
export const ONCE = 3
/** The length of the shortest document that has it more often; {@link LENGTHY} if none does. */
export const OFTEN = 4
/** How often that is at most. */
export const MAX_BITS = 5
const START = 6
/** Postings, bytes and room together: 8, 12 and 12 bits. */
const SIZE = 7

export const LENGTHY = 0xffff_ffff

/** Free bytes from which on the rest is moved together, if they are more than half. */
const LEAST_FREED = 1 << 16

/** The postings of a block, by ascending slot. One more than a block takes has room. */
export class Unpacked {
  count = 0
  readonly slots = new Uint32Array(BLOCK + 1)
  readonly frequencies = new Uint32Array(BLOCK + 1)
}

/**
 * Blocks of postings: the distance to the slot before and the frequency of each in a few bytes, and a row that tells
 * what can be in it.
 */
export class Blocks {
  /** Postings in the blocks that searches did not pass over, so far. */
  searched = 0
  #pool = new Pool()
  #table = new Uint32Array(FIELDS * 16)
  /** Rows, row 0 is {@link NONE}. */
  #rows = 1
  /** The first free row; the next one is its NEXT. */
  #free = NONE

  /** Bytes of memory. */
  get bytes(): number {
    return this.#pool.bytes + this.#table.byteLength
  }

  /** Row by row, {@link FIELDS} numbers for each block: a view, valid until the next change. */
  get table(): Uint32Array {
    return this.#table
  }

  count(block: number): number {
    return this.#table[block * FIELDS + SIZE] & 0xff
  }

  /** The bytes of all blocks: a view, valid until the next change. */
  get memory(): Uint8Array {
    return this.#pool.memory
  }

  /** Where the bytes of a block begin. */
  start(block: number): number {
    return this.#table[block * FIELDS + START]
  }

  /** An empty block, to be written or appended to. */
  create(): number {
    let block = this.#free
    if (block === NONE) {
      block = this.#rows++
      if (this.#rows * FIELDS > this.#table.length)
        this.#table = longer(this.#table, FIELDS * Math.ceil(1.5 * this.#rows))
    } else this.#free = this.#table[block * FIELDS + NEXT]
    this.#clear(block)
    return block
  }

  drop(block: number): void {
    const row = block * FIELDS
    const room = this.#table[row + SIZE] >>> 20
    if (room > 0) this.#pool.release(this.#table[row + START], room)
    this.#clear(block)
    this.#table[row + NEXT] = this.#free
    this.#free = block
  }

  /** Adds a posting after all others of a block that is not full. @param length of the document */
  append(block: number, slot: number, frequency: number, length: number): void {
    const table = this.#table
    const row = block * FIELDS
    const size = table[row + SIZE]
    const count = size & 0xff
    const used = (size >>> 8) & 0xfff
    const distance = count === 0 ? 0 : slot - table[row + LAST]
    const end = used + pairWidth(distance, frequency)
    let room = size >>> 20
    if (end > room) room = this.#widen(row, used, room, end)
    writePair(this.#pool.memory, table[row + START] + used, distance, frequency)
    if (count === 0) table[row + FIRST] = slot
    table[row + LAST] = slot
    table[row + SIZE] = ((room << 20) | (end << 8) | (count + 1)) >>> 0
    if (frequency === 1) {
      if (length < table[row + ONCE]) table[row + ONCE] = length
      return
    }
    if (length < table[row + OFTEN]) table[row + OFTEN] = length
    if (frequency > table[row + MAX_BITS]) table[row + MAX_BITS] = frequency
  }

  read(block: number, into: Unpacked): void {
    const row = block * FIELDS
    const { slots } = into
    const count = this.#table[row + SIZE] & 0xff
    readPairs(this.#pool.memory, this.#table[row + START], count, slots, into.frequencies)
    let slot = this.#table[row + FIRST]
    for (let i = 0; i < count; i++) slots[i] = slot += slots[i]
    into.count = count
  }

  /** Puts postings from `from` to `to` in the place of those that a block has. */
  write(block: number, { slots, frequencies }: Unpacked, from: number, to: number, documents: Lengths): void {
    const row = block * FIELDS
    const { [NEXT]: next, [START]: start, [SIZE]: size } = this.#table.subarray(row, row + FIELDS)
    const room = size >>> 20
    this.#pool.memory.fill(0, start, start + room)
    this.#clear(block)
    this.#table[row + NEXT] = next
    this.#table[row + START] = start
    this.#table[row + SIZE] = (room << 20) >>> 0
    for (let i = from; i < to; i++) this.append(block, slots[i], frequencies[i], documents.length(slots[i]))
  }

  /** Moves all blocks together once most bytes are free. */
  sweep(): void {
    if (this.#pool.freed < LEAST_FREED || this.#pool.freed < this.#pool.bytes / 2) return
    const { memory } = this.#pool
    const pool = new Pool()
    for (let row = FIELDS; row < this.#rows * FIELDS; row += FIELDS) {
      const room = this.#table[row + SIZE] >>> 20
      if (room === 0) continue
      const start = this.#table[row + START]
      this.#table[row + START] = pool.reserve(room)
      pool.memory.set(memory.subarray(start, start + room), this.#table[row + START])
    }
    this.#pool = pool
  }

  save(parts: CheckpointParts, name: string): void {
    this.#pool.save(parts, `${name}.pool`)
    parts.set(`${name}.table`, this.#table.subarray(0, this.#rows * FIELDS))
    parts.set(`${name}.free`, Uint32Array.of(this.#free))
  }

  load(parts: CheckpointParts, name: string): void {
    this.#pool.load(parts, `${name}.pool`)
    this.#table = part(parts, `${name}.table`, Uint32Array<ArrayBuffer>)
    this.#rows = this.#table.length / FIELDS
    ;[this.#free] = part(parts, `${name}.free`, Uint32Array)
  }

  /** Gives a block more room, with some to spare. Answers how much it is. */
  #widen(row: number, used: number, room: number, wanted: number): number {
    const wider = Pool.room(Math.max(wanted, 1.25 * used))
    const start = this.#pool.reserve(wider)
    const before = this.#table[row + START]
    if (room > 0) {
      this.#pool.memory.copyWithin(start, before, before + used)
      this.#pool.release(before, room)
    }
    this.#table[row + START] = start
    return wider
  }

  #clear(block: number): void {
    const row = block * FIELDS
    this.#table.fill(0, row, row + FIELDS)
    this.#table[row + ONCE] = LENGTHY
    this.#table[row + OFTEN] = LENGTHY
  }
}
