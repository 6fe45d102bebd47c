import { AgidbError } from '../core/errors.js'
import { checkImage, checkQuery, checkRows, checkScan, checkScanMany, checkSlot, checkSlots, checkVector, PLANES, refuse } from './checks.js'
import { type Arena, type ArenaImage, DIMENSION, type Hits, type Hypervector, type KeptImage, NO_SCORE, type Query, SIGNATURE_BYTES } from './port.js'
import { TopK } from './top-k.js'

const WORDS = SIGNATURE_BYTES / 4
/** How an image is laid out: signatures in rows, no blocks. */
const LAYOUT = 'rows 1'
/** Rows that are allocated at a time, 1 MiB: growth never copies what is there. */
const CHUNK_ROWS = 1024

/** Signatures in dense rows; a table says which row belongs to which slot. */
export class ReferenceArena implements Arena {
  readonly layout = LAYOUT
  private readonly chunks: Uint32Array[] = []
  private readonly rowOf = new Map<number, number>()
  private readonly slotOf: number[] = []
  private freed = false

  constructor(private readonly onFree: () => void) {}

  get size(): number {
    return this.slotOf.length
  }

  get bytes(): number {
    return this.chunks.length * CHUNK_ROWS * SIGNATURE_BYTES
  }

  has(slot: number): boolean {
    this.live()
    checkSlot(slot)
    return this.rowOf.has(slot)
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
    const row = this.rowOf.get(slot)
    if (row === undefined) return
    // The last row fills the hole, so that rows stay dense.
    const last = this.slotOf.length - 1
    const moved = this.slotOf[last]
    this.row(row).set(this.row(last))
    this.row(last).fill(0)
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
    const rows = new Uint8Array(this.size * SIGNATURE_BYTES)
    for (let row = 0; row < this.size; row++) rows.set(bytesOf(this.row(row)), row * SIGNATURE_BYTES)
    return { layout: LAYOUT, slots: Uint32Array.from(this.slotOf), blocks: [], rows }
  }

  makeRows(): boolean {
    return false // there is nothing but rows
  }

  async restore(image: KeptImage): Promise<void> {
    this.live()
    checkImage(image, LAYOUT, (places) => (places === 0 ? 0 : NaN), this.size)
    const { slots, rows } = image
    if (new Set(slots).size < slots.length) refuse('image.slots', 'different slots', slots)
    this.setMany(slots, rows)
  }

  free(): void {
    this.freed = true
    this.chunks.length = 0
    this.slotOf.length = 0
    this.rowOf.clear()
    this.onFree()
  }

  private live(): void {
    if (this.freed) throw new AgidbError('AGIDB_CLOSED', 'this arena was freed; make a new one')
  }

  private row(row: number): Uint32Array {
    const start = (row % CHUNK_ROWS) * WORDS
    return this.chunks[Math.floor(row / CHUNK_ROWS)].subarray(start, start + WORDS)
  }

  private write(slot: number, signature: Uint8Array): void {
    let row = this.rowOf.get(slot)
    if (row === undefined) {
      row = this.slotOf.length
      if (row % CHUNK_ROWS === 0) this.chunks.push(new Uint32Array(CHUNK_ROWS * WORDS))
      this.slotOf.push(slot)
      this.rowOf.set(slot, row)
    }
    bytesOf(this.row(row)).set(signature)
  }
}

/** Set bits of a 32-bit word. */
export function onesOf(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The score of a row: all of the magnitudes, less twice those at the dimensions where the signs differ. */
function scorer({ signs, planes }: Query): (row: Uint32Array) => number {
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
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}
