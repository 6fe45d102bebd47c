import { AgidbError } from '../../base/errors.js'
import {
  checkBytes,
  checkImage,
  checkQuery,
  checkRows,
  checkScan,
  checkScanMany,
  checkSlot,
  checkSlots,
  checkVector,
  checkWhole,
  PLANES,
  refuse,
} from '../checks.js'
import {
  type Arena,
  type ArenaBlock,
  type ArenaImage,
  type AwaitedBlock,
  DIMENSION,
  type Hits,
  type Hypervector,
  type KeptImage,
  NO_SCORE,
  NO_SLOT,
  type Query,
  SIGNATURE_BYTES,
} from '../port.js'
import { TopK } from './top-k.js'

const WORDS = SIGNATURE_BYTES / 4
/** Rows that are allocated at a time, 1 MiB: growth never copies what is there. */
const CHUNK_ROWS = 1024

/** A block of an image that is to come. */
interface Awaited {
  readonly slots: Uint32Array
  readonly rows: Uint8Array
  given: number
  /** Slots whose signatures are still wanted. */
  left: number
}

/**
 * Signatures in dense rows; a table says which row belongs to which slot. In an image so many rows after one another
 * are a block.
 */
export class ReferenceArena implements Arena {
  readonly layout: string
  private readonly blocks = new Map<number, Awaited>()
  /** The block with which the signature of a slot is to come. */
  private readonly blockOf = new Map<number, number>()
  /** A number for what is in each run of as many rows as a block has. */
  private readonly stamps: number[] = []
  private stamp = 0
  private readonly chunks: Uint32Array[] = []
  private readonly rowOf = new Map<number, number>()
  private readonly slotOf: number[] = []
  private freed = false

  constructor(
    private readonly onFree: () => void,
    private readonly blockRows: number,
  ) {
    this.layout = `rows 2, ${blockRows} a block`
  }

  get size(): number {
    return this.slotOf.length + this.blockOf.size
  }

  get bytes(): number {
    const awaited = [...this.blocks.values()].reduce((sum, { rows }) => sum + rows.length, 0)
    return this.chunks.length * CHUNK_ROWS * SIGNATURE_BYTES + awaited
  }

  has(slot: number): boolean {
    this.live()
    checkSlot(slot)
    return this.rowOf.has(slot) || this.blockOf.has(slot)
  }

  set(slot: number, signature: Hypervector): void {
    this.live()
    checkSlot(slot)
    checkVector(signature, 'signature')
    this.write(slot, signature)
  }

  setMany(slots: Uint32Array, signatures: Uint8Array): void {
    this.live()
    checkRows(slots, signatures)
    slots.forEach((slot, i) => this.write(slot, signatures.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES)))
  }

  clear(slot: number): void {
    this.live()
    checkSlot(slot)
    this.leave(slot)
    const row = this.rowOf.get(slot)
    if (row === undefined) return
    // The last row fills the hole, so that rows stay dense.
    const last = this.slotOf.length - 1
    const moved = this.slotOf[last]
    this.row(row).set(this.row(last))
    this.row(last).fill(0)
    this.touch(row)
    this.touch(last)
    this.slotOf[row] = moved
    this.rowOf.set(moved, row)
    this.rowOf.delete(slot)
    this.slotOf.pop()
    if (this.slotOf.length % CHUNK_ROWS === 0) this.chunks.length = this.slotOf.length / CHUNK_ROWS
  }

  get(slot: number): Hypervector | undefined {
    this.live()
    checkSlot(slot)
    const row = this.rowOf.get(slot)
    if (row === undefined) return undefined
    return bytesOf(this.row(row)).slice()
  }

  scan(query: Query, k: number, allow?: Uint32Array): Hits {
    this.live()
    checkScan(query, k, allow)
    const best = new TopK(k)
    const score = scorer(query)
    for (let row = 0; row < this.slotOf.length; row++) {
      const slot = this.slotOf[row]
      // A word beyond the end of the set reads as undefined, thus as no slot allowed.
      if (allow !== undefined && ((allow[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
      best.offer(slot, score(this.row(row)))
    }
    return best.hits()
  }

  /** Exact: here a sketch saves nothing. */
  scanPruned(query: Query, k: number, allow?: Uint32Array): Hits {
    return this.scan(query, k, allow)
  }

  scanMany(queries: readonly Query[], k: number, allow?: Uint32Array): Hits[] {
    this.live()
    checkScanMany(queries, k, allow)
    return queries.map((query) => this.scan(query, k, allow))
  }

  score(query: Query, slots: Uint32Array): Int32Array {
    this.live()
    checkQuery(query)
    checkSlots(slots)
    const score = scorer(query)
    return Int32Array.from(slots, (slot) => {
      const row = this.rowOf.get(slot)
      return row === undefined ? NO_SCORE : score(this.row(row))
    })
  }

  image(): ArenaImage {
    this.live()
    checkWhole(this)
    const blocks = Math.floor(this.size / this.blockRows)
    const block = (number: number): ArenaBlock => ({
      stamp: this.stamps[number],
      bytes: () => this.rows(number * this.blockRows, (number + 1) * this.blockRows),
    })
    return {
      layout: this.layout,
      slots: Uint32Array.from(this.slotOf),
      blocks: Array.from({ length: blocks }, (_, number) => block(number)),
      rows: this.rows(blocks * this.blockRows, this.size),
    }
  }

  makeRows(): boolean {
    return false // there is nothing but rows
  }

  restore(image: KeptImage): number[] {
    this.live()
    checkImage(image, this.layout, (places) => places / this.blockRows, this.size)
    const { slots, rows, blocks } = image
    const held = slots.filter((slot) => slot !== NO_SLOT)
    if (new Set(held).size < held.length) refuse('image.slots', 'different slots', slots)
    for (let block = 0; block < blocks; block++) {
      const own = slots.slice(block * this.blockRows, (block + 1) * this.blockRows)
      const awaited = own.filter((slot) => slot !== NO_SLOT)
      this.blocks.set(block, {
        slots: own,
        rows: new Uint8Array(own.length * SIGNATURE_BYTES),
        given: 0,
        left: awaited.length,
      })
      for (const slot of awaited) this.blockOf.set(slot, block)
    }
    this.setMany(slots.slice(blocks * this.blockRows), rows)
    return Array.from({ length: blocks }, () => ++this.stamp)
  }

  awaited(): AwaitedBlock[] {
    this.live()
    return Array.from(this.blocks, ([block, { left }]) => ({ block, signatures: left }))
  }

  awaits(slot: number): number | undefined {
    this.live()
    checkSlot(slot)
    return this.blockOf.get(slot)
  }

  awaitedSlots(block: number): Uint32Array {
    this.live()
    return (this.blocks.get(block)?.slots ?? new Uint32Array(0)).filter((slot) => this.blockOf.get(slot) === block)
  }

  give(block: number, bytes: Uint8Array): void {
    this.live()
    checkBytes(bytes)
    const awaited = this.blocks.get(block)
    if (awaited === undefined || bytes.length % 64 !== 0 || awaited.given + bytes.length > awaited.rows.length) {
      refuse('bytes', `whole lines of the awaited block ${block} that it lacks`, bytes)
    }
    awaited.rows.set(bytes, awaited.given)
    awaited.given += bytes.length
  }

  admit(block: number): void {
    this.live()
    const awaited = this.blocks.get(block)
    if (awaited === undefined || awaited.given < awaited.rows.length)
      refuse('block', 'an awaited block of which all bytes were given', block)
    const { slots, rows } = awaited
    slots.forEach((slot, i) => {
      if (this.blockOf.get(slot) !== block) return
      this.blockOf.delete(slot)
      this.write(slot, rows.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES))
    })
    this.blocks.delete(block)
  }

  free(): void {
    this.freed = true
    this.chunks.length = 0
    this.slotOf.length = 0
    this.rowOf.clear()
    this.blocks.clear()
    this.blockOf.clear()
    this.onFree()
  }

  private live(): void {
    if (this.freed) throw new AgidbError('AGIDB_CLOSED', 'this arena was freed; make a new one')
  }

  private row(row: number): Uint32Array {
    const start = (row % CHUNK_ROWS) * WORDS
    return this.chunks[Math.floor(row / CHUNK_ROWS)].subarray(start, start + WORDS)
  }

  /** Copies of rows. */
  private rows(from: number, to: number): Uint8Array {
    const rows = new Uint8Array((to - from) * SIGNATURE_BYTES)
    for (let row = from; row < to; row++) rows.set(bytesOf(this.row(row)), (row - from) * SIGNATURE_BYTES)
    return rows
  }

  private touch(row: number): void {
    this.stamps[Math.floor(row / this.blockRows)] = ++this.stamp
  }

  /** The signature of a slot is awaited no more. */
  private leave(slot: number): void {
    const block = this.blockOf.get(slot)
    if (block === undefined) return
    this.blockOf.delete(slot)
    if (--this.blocks.get(block)!.left === 0) this.blocks.delete(block)
  }

  private write(slot: number, signature: Uint8Array): void {
    this.leave(slot)
    let row = this.rowOf.get(slot)
    if (row === undefined) {
      row = this.slotOf.length
      if (row % CHUNK_ROWS === 0) this.chunks.push(new Uint32Array(CHUNK_ROWS * WORDS))
      this.slotOf.push(slot)
      this.rowOf.set(slot, row)
    }
    bytesOf(this.row(row)).set(signature)
    this.touch(row)
  }
}

/** Set bits of a 32-bit word. */
export function onesOf(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The score of a row: all of the magnitudes, less twice those at the dimensions where the signs differ. */
export function scorer({ signs, planes }: Query): (row: Uint32Array) => number {
  const sign = wordsOf(signs)
  if (planes === undefined) {
    return (row) => {
      let differing = 0
      for (let i = 0; i < WORDS; i++) differing += onesOf(row[i] ^ sign[i])
      return DIMENSION - 2 * differing
    }
  }
  const plane = wordsOf(planes)
  let total = 0
  for (let p = 0; p < PLANES; p++) for (let i = 0; i < WORDS; i++) total += onesOf(plane[p * WORDS + i]) << p
  return (row) => {
    let differing = 0
    for (let i = 0; i < WORDS; i++) {
      const word = row[i] ^ sign[i]
      for (let p = 0; p < PLANES; p++) differing += onesOf(word & plane[p * WORDS + i]) << p
    }
    return total - 2 * differing
  }
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}

/** A copy as words: the bytes given need not be aligned. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}
