import { mergeHits } from '../src/kernel/merge.js'
import { type Arena, DIMENSION, type Kernel, type Query, SIGNATURE_BYTES } from '../src/kernel/port.js'
import { type Contender, QUERIES } from './race.js'
import { seeded } from './random.js'

/** What is scanned, and for what. */
export interface Scanned {
  /** Signatures one after the other. */
  readonly words: Uint32Array
  readonly queries: readonly Uint8Array[]
}

/** The nearest row of a query. */
export type Nearest = (signs: Uint8Array) => number

const WORDS = SIGNATURE_BYTES / 4
/** Signatures that are planted near to each query, and the share of their bits that differ from it. */
const [PLANTED, TURNED] = [20, 0.4]
/** An arena of fewer signatures than this has them in rows. */
const ROWS = 4096

/** Random signatures, some of them near to the queries. The same on every run. */
export function scanned(kernel: Kernel, signatures: number): Scanned {
  const words = randomWords(signatures * WORDS)
  const queries = Array.from({ length: QUERIES }, (_, i) => kernel.fromName(`query ${i}`))
  plant(words, queries)
  return { words, queries }
}

/**
 * The scans of a kernel for the ten best, and those in plain JavaScript and as anyone would write it first in
 * WebAssembly, for the nearest. Throws where they disagree.
 *
 * @param wanted says by its key who takes part
 * @param clock in ms
 */
export function kernelContenders(
  kernel: Kernel,
  { words, queries }: Scanned,
  naive: Nearest,
  clock: () => number,
  wanted: (key?: string) => boolean = () => true,
): Contender[] {
  const count = words.length / WORDS
  const arena = filled(kernel.arena(), words)
  const keeping = wanted('twoStage') ? filled(kernel.arena({ rows: count }), words) : arena
  const inRows = wanted('rows')
    ? Array.from({ length: Math.ceil(count / (ROWS - 1)) }, (_, i) =>
        filled(kernel.arena(), words, i * (ROWS - 1), (i + 1) * (ROWS - 1)),
      )
    : []
  const weighted = queries.map((_, i) => {
    const names = Array.from({ length: 12 }, (_, j) => `feature ${i} ${j}`)
    return kernel.quantise(
      kernel.superpose(
        names,
        Int32Array.from(names, (_, j) => 1 + (j % 4)),
      ),
    )
  })
  const few = new Uint32Array(count / 32).fill(-1, 0, count / 3200)
  // One answer, before there is talk of speed.
  const ten = arena.scan(kernel.query(queries[0]), 10)
  const tens = [
    keeping.scanPruned(kernel.query(queries[0]), 10),
    ...(inRows.length > 0
      ? [
          mergeHits(
            inRows.map((arena) => arena.scan(kernel.query(queries[0]), 10)),
            10,
          ),
        ]
      : []),
  ]
  for (const other of [naive(queries[0]), plainScan(words, queries[0]), ...tens.map(({ slots }) => slots[0])]) {
    if (other !== ten.slots[0]) throw new Error(`the scans disagree: ${other} and ${ten.slots[0]}`)
  }
  if (tens.some(({ slots }) => slots.join() !== ten.slots.join())) throw new Error('the scans disagree on the ten best')
  const all: Contender[] = [
    { name: 'naive WebAssembly rows, binary query', key: 'naive', run: (i) => void naive(queries[i]) },
    { key: 'exact1', name: 'kernel, binary query', run: (i) => void arena.scan(kernel.query(queries[i]), 10) },
    {
      key: 'batch8',
      name: 'kernel, eight binary queries, each',
      run: batched((i) => kernel.query(queries[i % QUERIES]), arena, clock),
    },
    {
      key: 'twoStage',
      name: 'kernel, binary query in two stages',
      run: (i) => void keeping.scanPruned(kernel.query(queries[i]), 10),
    },
    {
      key: 'rows',
      name: 'kernel, binary query, rows',
      run: (i) => inRows.forEach((arena) => void arena.scan(kernel.query(queries[i]), 10)),
    },
    { name: 'kernel, eight weighted queries, each', run: batched((i) => weighted[i % QUERIES], arena, clock) },
    { name: 'kernel, weighted query', run: (i) => void arena.scan(weighted[i], 10) },
    { name: 'kernel, weighted query, one slot in a hundred', run: (i) => void arena.scan(weighted[i], 10, few) },
    { key: 'plain', name: 'plain JavaScript, binary query', run: (i) => void plainScan(words, queries[i]) },
  ]
  return all.filter(({ key }) => wanted(key))
}

/** Writes signatures near to the queries over some of the others. */
function plant(words: Uint32Array, queries: readonly Uint8Array[]): void {
  const random = seeded(1)
  const bytes = new Uint8Array(words.buffer)
  for (const query of queries) {
    for (let i = 0; i < PLANTED; i++) {
      const row = bytes
        .subarray(SIGNATURE_BYTES * Math.floor((random() * words.length) / WORDS))
        .subarray(0, SIGNATURE_BYTES)
      row.set(query)
      for (let d = 0; d < DIMENSION; d++) if (random() < TURNED) row[d >> 3] ^= 1 << (d & 7)
    }
  }
}

/** A query's share of the time for eight. */
function batched(query: (i: number) => Query, arena: Arena, clock: () => number): (i: number) => number {
  return (i) => {
    const queries = Array.from({ length: 8 }, (_, j) => query(i + j))
    const started = clock()
    arena.scanMany(queries, 10)
    return (clock() - started) / 8
  }
}

/** With the signatures from one on to another. */
export function filled(arena: Arena, words: Uint32Array, from = 0, to = words.length / WORDS): Arena {
  const own = words.subarray(from * WORDS, to * WORDS)
  const slots = Uint32Array.from({ length: own.length / WORDS }, (_, i) => from + i)
  arena.setMany(slots, new Uint8Array(own.buffer, own.byteOffset, own.byteLength))
  return arena
}

/** The nearest row by crate/examples/naive_scan.rs, whose code this is. */
export async function naiveScan(code: BufferSource, words: Uint32Array): Promise<Nearest> {
  const { instance } = await WebAssembly.instantiate(code)
  const { memory, allocate, nearest } = instance.exports as {
    memory: WebAssembly.Memory
    allocate: (lanes: number) => number
    nearest: (rows: number, count: number, query: number) => bigint
  }
  const rows = allocate(words.length / 4)
  const query = allocate(SIGNATURE_BYTES / 16)
  new Uint32Array(memory.buffer, rows, words.length).set(words)
  return (signs) => {
    new Uint8Array(memory.buffer, query, SIGNATURE_BYTES).set(signs)
    return Number(nearest(rows, words.length / WORDS, query) & 0xffff_ffffn)
  }
}

/** The nearest row as plain JavaScript finds it, 32 bits at a time. */
function plainScan(words: Uint32Array, signs: Uint8Array): number {
  const query = new Uint32Array(signs.slice().buffer)
  let nearest = -1
  let least = Infinity
  for (let row = 0; row < words.length / WORDS; row++) {
    let distance = 0
    for (let i = 0, at = row * WORDS; i < WORDS; i++, at++) {
      let x = words[at] ^ query[i]
      x -= (x >>> 1) & 0x55555555
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
      distance += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    if (distance < least) {
      least = distance
      nearest = row
    }
  }
  return nearest
}

/** The same on every run: xorshift32 (Marsaglia 2003). */
export function randomWords(count: number, words: Uint32Array = new Uint32Array(count)): Uint32Array {
  let x = 2463534242
  for (let i = 0; i < count; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    words[i] = x
  }
  return words
}
