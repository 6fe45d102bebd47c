import { AgidbError } from '../../base/errors.js'
import { joinBytes } from '../../base/join-bytes.js'
import * as wasm from '../built/agidb_kernel.js'
import {
  checkArena,
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
  refuse,
} from '../checks.js'
import {
  type Arena,
  type ArenaImage,
  type ArenaOptions,
  type AwaitedBlock,
  type Hits,
  type Hypervector,
  type KeptImage,
  type Query,
  SIGNATURE_BYTES,
} from '../port.js'

const NO_PLANES = new Uint8Array(0)
/** Signatures that cross to WebAssembly at a time: its memory does not shrink again after a large copy. */
const ROWS_PER_CALL = 1024
/** Places of a full block, and of a line: the last block has some whole lines. */
const [BLOCK, LINE] = [32_768, 512]

/** An arena in the memory of the WebAssembly instance. */
export class WasmArena implements Arena {
  private held: wasm.WasmArena | undefined

  private readonly memory: WebAssembly.Memory
  /** Whether the module has the scans that no recall asks; that of a page is without them, and scans one by one. */
  private readonly hasAllScans: boolean

  constructor(exports: wasm.InitOutput, options: ArenaOptions = {}) {
    checkArena(options)
    this.memory = exports.memory
    this.hasAllScans = 'wasmarena_scanMany' in exports
    this.held = new wasm.WasmArena(options.rows ?? 0)
  }

  get size(): number {
    return this.held?.size ?? 0
  }

  get layout(): string {
    return wasm.layout()
  }

  get bytes(): number {
    return this.held?.bytes ?? 0
  }

  has(slot: number): boolean {
    checkSlot(slot)
    return this.live().has(slot)
  }

  set(slot: number, signature: Hypervector): void {
    checkSlot(slot)
    checkVector(signature, 'signature')
    this.write(Uint32Array.of(slot), signature)
  }

  setMany(slots: Uint32Array, signatures: Uint8Array): void {
    checkRows(slots, signatures)
    for (let i = 0; i < slots.length; i += ROWS_PER_CALL) {
      this.write(
        slots.subarray(i, i + ROWS_PER_CALL),
        signatures.subarray(i * SIGNATURE_BYTES, (i + ROWS_PER_CALL) * SIGNATURE_BYTES),
      )
    }
  }

  clear(slot: number): void {
    checkSlot(slot)
    this.live().clear(slot)
  }

  get(slot: number): Hypervector | undefined {
    checkSlot(slot)
    return this.live().get(slot)
  }

  scan(query: Query, k: number, allow?: Uint32Array): Hits {
    checkScan(query, k, allow)
    const arena = this.live()
    return hits(arena.scan(query.signs, query.planes ?? NO_PLANES, Math.min(k, arena.size), allow))
  }

  scanPruned(query: Query, k: number, allow?: Uint32Array): Hits {
    checkScan(query, k, allow)
    if (!this.hasAllScans) return this.scan(query, k, allow)
    const arena = this.live()
    return hits(arena.scanPruned(query.signs, query.planes ?? NO_PLANES, Math.min(k, arena.size), allow))
  }

  scanMany(queries: readonly Query[], k: number, allow?: Uint32Array): Hits[] {
    checkScanMany(queries, k, allow)
    if (!this.hasAllScans) return queries.map((query) => this.scan(query, k, allow))
    const arena = this.live()
    const signs = joinBytes(queries.map(({ signs }) => signs))
    const planes = joinBytes(queries.flatMap(({ planes }) => planes ?? []))
    const weighted = Uint8Array.from(queries, ({ planes }) => (planes === undefined ? 0 : 1))
    const found = arena.scanMany(signs, planes, weighted, Math.min(k, arena.size), allow)
    const count = found.length / 2 / queries.length
    return queries.map((_, i) => ({
      slots: new Uint32Array(found.subarray(i * count, (i + 1) * count)),
      scores: found.slice((queries.length + i) * count, (queries.length + i + 1) * count),
    }))
  }

  score(query: Query, slots: Uint32Array): Int32Array {
    checkQuery(query)
    checkSlots(slots)
    return this.live().score(query.signs, query.planes ?? NO_PLANES, slots)
  }

  image(): ArenaImage {
    const arena = this.live()
    checkWhole(this)
    const blocks = Array.from({ length: arena.blocks }, (_, block) => ({
      stamp: arena.stamp(block),
      bytes: () => this.view(arena.block(block)),
    }))
    return { layout: this.layout, slots: arena.byPlace(), blocks, rows: arena.rows() }
  }

  makeRows(): boolean {
    return this.live().makeRows()
  }

  restore(image: KeptImage): number[] {
    const arena = this.live()
    checkImage(image, wasm.layout(), blocksOf, arena.size)
    const restored = arena.restore(image.slots, image.rows)
    if (restored === wasm.Restored.OutOfMemory) throw this.full()
    if (restored === wasm.Restored.SlotTwice) refuse('image.slots', 'different slots', image.slots)
    return Array.from({ length: arena.blocks }, (_, block) => arena.stamp(block))
  }

  awaited(): AwaitedBlock[] {
    const numbers = this.live().awaited()
    return Array.from({ length: numbers.length / 2 }, (_, i) => ({
      block: numbers[2 * i],
      signatures: numbers[2 * i + 1],
    }))
  }

  awaits(slot: number): number | undefined {
    checkSlot(slot)
    return this.live().awaits(slot)
  }

  awaitedSlots(block: number): Uint32Array {
    return this.live().awaitedSlots(block)
  }

  give(block: number, bytes: Uint8Array): void {
    const arena = this.live()
    checkBytes(bytes)
    for (let at = 0; at < bytes.length; ) {
      const [address = 0, length = 0] = arena.more(block, bytes.length - at)
      if (length === 0) refuse('bytes', `whole lines of the awaited block ${block} that it lacks`, bytes)
      this.view(Uint32Array.of(address, length)).set(bytes.subarray(at, at + length))
      at += length
    }
  }

  admit(block: number): void {
    if (!this.live().admit(block)) refuse('block', 'an awaited block of which all bytes were given', block)
  }

  free(): void {
    this.held?.free()
    this.held = undefined
  }

  private live(): wasm.WasmArena {
    if (this.held === undefined) throw new AgidbError('AGIDB_CLOSED', 'this arena was freed; make a new one')
    return this.held
  }

  private write(slots: Uint32Array, signatures: Uint8Array): void {
    const arena = this.live()
    if (arena.setMany(slots, signatures) < slots.length) throw this.full()
  }

  private view([at, length]: Uint32Array): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length)
  }

  private full(): AgidbError {
    return new AgidbError('AGIDB_KERNEL', 'the memory of the kernel is full; a database must hold fewer episodes', {
      signatures: this.size,
      bytes: this.bytes,
    })
  }
}

/** All slots, then all scores. */
function hits(found: Int32Array): Hits {
  const count = found.length / 2
  return { slots: new Uint32Array(found.subarray(0, count)), scores: found.slice(count) }
}

function blocksOf(places: number): number {
  return places % LINE === 0 ? Math.ceil(places / BLOCK) : NaN
}
