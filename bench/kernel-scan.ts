import { readFile } from 'node:fs/promises'
import { readKernel } from '../src/kernel/built-node.js'
import { loadKernel } from '../src/kernel/load.js'
import { mergeHits } from '../src/kernel/merge.js'
import { type Arena, DIMENSION, type Kernel, type Query, SIGNATURE_BYTES } from '../src/kernel/port.js'
import { nativeScan, type NativeScan } from './native-scan.js'
import { seeded } from './random.js'
import { quantile, type Section } from './section.js'

/** How large and how long the measurement is. */
export interface KernelScanOptions {
  /** Signatures scanned. Default 98,304. */
  readonly signatures?: number
  /** Samples of each scan; the medians are reported. Default 15. */
  readonly rounds?: number
  /** The keys of what is measured beside the native program; default: all, and what has no key. */
  readonly only?: readonly string[]
}

/** One that takes part in a race. */
export interface Contender {
  readonly name: string
  readonly key?: string
  /** Answers one query, and how long that took in ms where it is not for the caller to measure. */
  readonly run: (query: number) => number | void | Promise<number | void>
}

const WORDS = SIGNATURE_BYTES / 4
/** Larger than the largest cache there is. */
const EVICT_BYTES = 512 << 20
/** More than rounds: an arena remembers what it counted for the last query. */
const QUERIES = 64
/** Signatures that are planted near to each query, and the share of their bits that differ from it. */
const [PLANTED, TURNED] = [20, 0.4]
/** An arena of fewer signatures than this has them in rows. */
const ROWS = 4096

/**
 * The kernel's scan for the ten best, beside the row scan as a native program would write it, the
 * same in plain JavaScript and, as anyone would write it first, in WebAssembly: all of the same
 * signatures. Before each sample all caches are emptied by reading a large buffer; the contenders
 * take turns in random order, so that what else the machine does falls on all alike. A ratio is the
 * median of ratios within a round. The base runs twice: how far its second ratio is from 1 is how far
 * the others can be trusted. Without Rust there is no native program, and the WebAssembly rows are the base.
 */
export async function kernelScan(options: KernelScanOptions = {}): Promise<Section> {
  const { signatures = 98_304, rounds = 15, only } = options
  const kernel = await loadKernel({ kernel: await readKernel() })
  const words = randomWords(signatures * WORDS)
  const queries = Array.from({ length: QUERIES }, (_, i) => kernel.fromName(`query ${i}`))
  plant(words, queries)
  const native = await nativeScan(words)
  const contenders = await enlist(kernel, words, queries, native, (key) => only === undefined || (key !== undefined && only.includes(key)))
  const samples = await race(contenders, rounds, processorMs)
  native?.stop()
  const [base] = samples
  return {
    count: signatures,
    title: `Scan of ${signatures} signatures, cold, one thread, time of the processor, Node ${process.versions.node}`,
    rows: contenders.map(({ name, key }, i) => ({
      name,
      key,
      value: quantile(samples[i], 0.5),
      unit: 'ms',
      ratio: quantile(samples[i].map((ms, round) => ms / base[round]), 0.5),
    })),
  }
}

/** How long each contender took in each round, in ms of a clock. */
export async function race(contenders: readonly Contender[], rounds: number, clock: () => number): Promise<number[][]> {
  const samples = contenders.map((): number[] => [])
  const evict = new Float64Array(EVICT_BYTES / 8).fill(1)
  let read = 0
  for (let round = -2; round < rounds; round++) {
    for (const i of shuffled(contenders.map((_, i) => i))) {
      for (let i = 0; i < evict.length; i += 8) read += evict[i]
      const started = clock()
      const own = await contenders[i].run((round + QUERIES) % QUERIES)
      // The first rounds let the compilers finish.
      if (round >= 0) samples[i].push(own ?? clock() - started)
    }
  }
  if (read === 0) throw new Error('the caches were not emptied')
  return samples
}

async function enlist(
  kernel: Kernel, words: Uint32Array, queries: Uint8Array[], native: NativeScan | undefined, wanted: (key?: string) => boolean,
): Promise<Contender[]> {
  const count = words.length / WORDS
  const naive = await naiveScan(words)
  const arena = filled(kernel.arena(), words)
  const keeping = wanted('twoStage') ? filled(kernel.arena({ rows: count }), words) : arena
  const inRows = wanted('rows') ? Array.from({ length: Math.ceil(count / (ROWS - 1)) }, (_, i) => filled(kernel.arena(), words, i * (ROWS - 1), (i + 1) * (ROWS - 1))) : []
  const weighted = queries.map((_, i) => {
    const names = Array.from({ length: 12 }, (_, j) => `feature ${i} ${j}`)
    return kernel.quantise(kernel.superpose(names, Int32Array.from(names, (_, j) => 1 + (j % 4))))
  })
  const few = new Uint32Array(count / 32).fill(-1, 0, count / 3200)
  const naiveRun: Contender = { name: 'naive WebAssembly rows, binary query', run: (i) => void naive(queries[i]) }
  const base: Contender = native ? { name: `native rows (${native.level}), binary query`, run: async (i) => (await native.nearest(queries[i])).processorMs } : naiveRun
  const others: Contender[] = [
    ...(native
      ? [
          { name: 'native, reading all rows and no more', run: () => native.read() },
          { name: 'native, reading half of the columns and no more', run: () => native.readColumns() },
          naiveRun,
        ]
      : []),
    { key: 'exact1', name: 'kernel, binary query', run: (i) => void arena.scan(kernel.query(queries[i]), 10) },
    { key: 'batch8', name: 'kernel, eight binary queries, each', run: batched((i) => kernel.query(queries[i % QUERIES]), arena) },
    { key: 'twoStage', name: 'kernel, binary query in two stages', run: (i) => void keeping.scanPruned(kernel.query(queries[i]), 10) },
    { key: 'rows', name: 'kernel, binary query, rows', run: (i) => inRows.forEach((arena) => void arena.scan(kernel.query(queries[i]), 10)) },
    { name: 'kernel, eight weighted queries, each', run: batched((i) => weighted[i % QUERIES], arena) },
    { name: 'kernel, weighted query', run: (i) => void arena.scan(weighted[i], 10) },
    { name: 'kernel, weighted query, one slot in a hundred', run: (i) => void arena.scan(weighted[i], 10, few) },
    { key: 'plain', name: 'plain JavaScript, binary query', run: (i) => void plainScan(words, queries[i]) },
  ]
  // One answer, before there is talk of speed.
  const ten = arena.scan(kernel.query(queries[0]), 10)
  const tens = [keeping.scanPruned(kernel.query(queries[0]), 10), ...(inRows.length > 0 ? [mergeHits(inRows.map((arena) => arena.scan(kernel.query(queries[0]), 10)), 10)] : [])]
  for (const other of [naive(queries[0]), plainScan(words, queries[0]), (await native?.nearest(queries[0]))?.row ?? ten.slots[0], ...tens.map(({ slots }) => slots[0])]) {
    if (other !== ten.slots[0]) throw new Error(`the scans disagree: ${other} and ${ten.slots[0]}`)
  }
  if (tens.some(({ slots }) => slots.join() !== ten.slots.join())) throw new Error('the scans disagree on the ten best')
  return [base, { ...base, name: 'the same again' }, ...others.filter(({ key }) => wanted(key))]
}

/** Writes signatures near to the queries over some of the others. */
function plant(words: Uint32Array, queries: readonly Uint8Array[]): void {
  const random = seeded(1)
  const bytes = new Uint8Array(words.buffer)
  for (const query of queries) {
    for (let i = 0; i < PLANTED; i++) {
      const row = bytes.subarray(SIGNATURE_BYTES * Math.floor((random() * words.length) / WORDS)).subarray(0, SIGNATURE_BYTES)
      row.set(query)
      for (let d = 0; d < DIMENSION; d++) if (random() < TURNED) row[d >> 3] ^= 1 << (d & 7)
    }
  }
}

/** A query's share of the time for eight. */
function batched(query: (i: number) => Query, arena: Arena): (i: number) => number {
  return (i) => {
    const queries = Array.from({ length: 8 }, (_, j) => query(i + j))
    const started = processorMs()
    arena.scanMany(queries, 10)
    return (processorMs() - started) / 8
  }
}

/** Time that this program had the processor: what others take does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** With the signatures from one on to another. */
export function filled(arena: Arena, words: Uint32Array, from = 0, to = words.length / WORDS): Arena {
  const own = words.subarray(from * WORDS, to * WORDS)
  const slots = Uint32Array.from({ length: own.length / WORDS }, (_, i) => from + i)
  arena.setMany(slots, new Uint8Array(own.buffer, own.byteOffset, own.byteLength))
  return arena
}

/** The nearest row by crate/examples/naive_scan.rs. */
async function naiveScan(words: Uint32Array): Promise<(signs: Uint8Array) => number> {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL('naive_scan.wasm', import.meta.url)))
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

function shuffled<T>(items: readonly T[]): T[] {
  return items.map((item) => ({ item, key: Math.random() })).sort((a, b) => a.key - b.key).map(({ item }) => item)
}
