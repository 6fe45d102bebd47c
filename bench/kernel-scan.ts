import { readFile } from 'node:fs/promises'
import { readKernel } from '../src/kernel/built-node.js'
import { loadKernel } from '../src/kernel/load.js'
import { type Arena, type Kernel, type Query, SIGNATURE_BYTES } from '../src/kernel/port.js'
import { nativeScan, type NativeScan } from './native-scan.js'
import { quantile, type Section } from './section.js'

/** How large and how long the measurement is. */
export interface KernelScanOptions {
  /** Signatures scanned. Default 98,304. */
  readonly signatures?: number
  /** Samples of each scan; the medians are reported. Default 15. */
  readonly rounds?: number
}

interface Contender {
  readonly name: string
  readonly key?: string
  /** Answers one query, and how long that took in ms where it is not for the caller to measure. */
  readonly run: (query: number) => number | void | Promise<number | void>
  readonly samples: number[]
}

const WORDS = SIGNATURE_BYTES / 4
/** Larger than the largest cache there is. */
const EVICT_BYTES = 512 << 20
/** More than rounds: an arena remembers what it counted for the last query. */
const QUERIES = 64

/**
 * The kernel's scan for the ten best, beside the row scan as a native program would write it, the
 * same in plain JavaScript and, as anyone would write it first, in WebAssembly: all of the same
 * signatures. Before each sample all caches are emptied by reading a large buffer; the contenders
 * take turns in random order, so that what else the machine does falls on all alike. A ratio is the
 * median of ratios within a round. The base runs twice: how far its second ratio is from 1 is how far
 * the others can be trusted. Without Rust there is no native program, and the WebAssembly rows are the base.
 */
export async function kernelScan(options: KernelScanOptions = {}): Promise<Section> {
  const { signatures = 98_304, rounds = 15 } = options
  const kernel = await loadKernel({ kernel: await readKernel() })
  const words = randomWords(signatures * WORDS)
  const queries = Array.from({ length: QUERIES }, (_, i) => kernel.fromName(`query ${i}`))
  const native = await nativeScan(words)
  const contenders = await enlist(kernel, words, queries, native)
  const evict = new Float64Array(EVICT_BYTES / 8).fill(1)
  let read = 0
  for (let round = -2; round < rounds; round++) {
    for (const contender of shuffled(contenders)) {
      for (let i = 0; i < evict.length; i += 8) read += evict[i]
      const started = performance.now()
      const own = await contender.run((round + QUERIES) % QUERIES)
      // The first rounds let the compilers finish.
      if (round >= 0) contender.samples.push(own ?? performance.now() - started)
    }
  }
  native?.stop()
  if (read === 0) throw new Error('the caches were not emptied')
  const [base] = contenders
  return {
    count: signatures,
    title: `Scan of ${signatures} signatures, cold, one thread, Node ${process.versions.node}`,
    rows: contenders.map(({ name, key, samples }) => ({
      name,
      // What the keys promise is a ratio to the native program.
      key: native && key,
      value: quantile(samples, 0.5),
      unit: 'ms',
      ratio: quantile(samples.map((ms, round) => ms / base.samples[round]), 0.5),
    })),
  }
}

async function enlist(kernel: Kernel, words: Uint32Array, queries: Uint8Array[], native?: NativeScan): Promise<Contender[]> {
  const naive = await naiveScan(words)
  const arena = filled(kernel.arena(), words)
  const weighted = queries.map((_, i) => {
    const names = Array.from({ length: 12 }, (_, j) => `feature ${i} ${j}`)
    return kernel.quantise(kernel.superpose(names, Int32Array.from(names, (_, j) => 1 + (j % 4))))
  })
  const few = new Uint32Array(words.length / WORDS / 32).fill(-1, 0, words.length / WORDS / 3200)
  const base: [string, Contender['run']] = native
    ? [`native rows (${native.level}), binary query`, async (i) => (await native.nearest(queries[i])).ms]
    : ['naive WebAssembly rows, binary query', (i) => void naive(queries[i])]
  const runs: [string, Contender['run'], string?][] = [
    base,
    ['the same again', base[1]],
    ...(native === undefined
      ? []
      : ([
          ['native, reading all rows and no more', () => native.read()],
          ['naive WebAssembly rows, binary query', (i) => void naive(queries[i])],
        ] satisfies [string, Contender['run']][])),
    ['kernel, binary query', (i) => void arena.scan(kernel.query(queries[i]), 10), 'exact1'],
    ['kernel, eight binary queries, each', batched((i) => kernel.query(queries[i % QUERIES]), arena), 'batch8'],
    ['kernel, eight weighted queries, each', batched((i) => weighted[i % QUERIES], arena)],
    ['kernel, weighted query', (i) => void arena.scan(weighted[i], 10)],
    ['kernel, weighted query, one slot in a hundred', (i) => void arena.scan(weighted[i], 10, few)],
    ['plain JavaScript, binary query', (i) => void plainScan(words, queries[i])],
  ]
  // One answer, before there is talk of speed.
  const nearest = arena.scan(kernel.query(queries[0]), 1).slots[0]
  for (const other of [naive(queries[0]), plainScan(words, queries[0]), (await native?.nearest(queries[0]))?.row ?? nearest]) {
    if (other !== nearest) throw new Error(`the scans disagree: ${other} and ${nearest}`)
  }
  return runs.map(([name, run, key]) => ({ name, run, key, samples: [] }))
}

/** A query's share of the time for eight. */
function batched(query: (i: number) => Query, arena: Arena): (i: number) => number {
  return (i) => {
    const queries = Array.from({ length: 8 }, (_, j) => query(i + j))
    const started = performance.now()
    arena.scanMany(queries, 10)
    return (performance.now() - started) / 8
  }
}

function filled(arena: Arena, words: Uint32Array): Arena {
  const bytes = new Uint8Array(words.buffer)
  arena.setMany(Uint32Array.from({ length: words.length / WORDS }, (_, slot) => slot), bytes)
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
function randomWords(count: number): Uint32Array {
  const words = new Uint32Array(count)
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
