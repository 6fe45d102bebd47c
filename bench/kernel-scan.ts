import { readFile } from 'node:fs/promises'
import { readKernel } from '../src/kernel/built-node.js'
import { loadKernel } from '../src/kernel/load.js'
import { type Arena, type Kernel, SIGNATURE_BYTES } from '../src/kernel/port.js'
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
  readonly run: () => void
  readonly samples: number[]
}

const WORDS = SIGNATURE_BYTES / 4
const BASE = 'naive WebAssembly rows, binary query'
/** Larger than the largest cache there is. */
const EVICT_BYTES = 512 << 20

/**
 * The kernel's scan for the ten best, beside a plain JavaScript scan and the WebAssembly row scan as
 * anyone would write it first, of the same signatures. Before each sample all caches are emptied by
 * reading a large buffer; the contenders take turns in random order, so that what else the machine
 * does falls on all alike. A ratio is the median of ratios within a round. The base runs twice: how
 * far its second ratio is from 1 is how far the others can be trusted.
 */
export async function kernelScan(options: KernelScanOptions = {}): Promise<Section> {
  const { signatures = 98_304, rounds = 15 } = options
  const kernel = await loadKernel({ kernel: await readKernel() })
  const words = randomWords(signatures * WORDS)
  const contenders = await enlist(kernel, words)
  const evict = new Float64Array(EVICT_BYTES / 8).fill(1)
  let read = 0
  for (let round = -2; round < rounds; round++) {
    for (const contender of shuffled(contenders)) {
      for (let i = 0; i < evict.length; i += 8) read += evict[i]
      const started = performance.now()
      contender.run()
      // The first rounds let the compilers finish.
      if (round >= 0) contender.samples.push(performance.now() - started)
    }
  }
  if (read === 0) throw new Error('the caches were not emptied')
  const base = contenders.find(({ name }) => name === BASE)!
  return {
    title: `Scan of ${signatures} signatures, cold, one thread, Node ${process.versions.node}`,
    rows: contenders.map(({ name, samples }) => ({
      name,
      value: quantile(samples, 0.5),
      unit: 'ms',
      ratio: quantile(samples.map((ms, round) => ms / base.samples[round]), 0.5),
    })),
  }
}

async function enlist(kernel: Kernel, words: Uint32Array): Promise<Contender[]> {
  const signs = kernel.fromName('query')
  const naive = await naiveScan(words, signs)
  const arena = filled(kernel.arena(), words)
  const binary = kernel.query(signs)
  const weighted = kernel.quantise(kernel.superpose(['a', 'b', 'c', 'd', 'e'], Int32Array.of(5, 3, 2, 2, 1)))
  const query = new Uint32Array(signs.buffer.slice(0))
  const runs: [string, () => void][] = [
    [BASE, naive],
    ['the same again', naive],
    ['kernel, binary query', () => arena.scan(binary, 10)],
    ['kernel, weighted query', () => arena.scan(weighted, 10)],
    ['plain JavaScript, binary query', () => plainScan(words, query)],
  ]
  // One answer, before there is talk of speed.
  const nearest = arena.scan(binary, 1).slots[0]
  for (const other of [naive(), plainScan(words, query)]) {
    if (other !== nearest) throw new Error(`the scans disagree: ${other} and ${nearest}`)
  }
  return runs.map(([name, run]) => ({ name, run, samples: [] }))
}

function filled(arena: Arena, words: Uint32Array): Arena {
  const bytes = new Uint8Array(words.buffer)
  arena.setMany(Uint32Array.from({ length: words.length / WORDS }, (_, slot) => slot), bytes)
  return arena
}

/** The nearest row by crate/examples/naive_scan.rs. */
async function naiveScan(words: Uint32Array, signs: Uint8Array): Promise<() => number> {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL('naive_scan.wasm', import.meta.url)))
  const { memory, allocate, nearest } = instance.exports as {
    memory: WebAssembly.Memory
    allocate: (lanes: number) => number
    nearest: (rows: number, count: number, query: number) => bigint
  }
  const rows = allocate(words.length / 4)
  const query = allocate(SIGNATURE_BYTES / 16)
  new Uint32Array(memory.buffer, rows, words.length).set(words)
  new Uint8Array(memory.buffer, query, SIGNATURE_BYTES).set(signs)
  return () => Number(nearest(rows, words.length / WORDS, query) & 0xffff_ffffn)
}

/** The nearest row as plain JavaScript finds it, 32 bits at a time. */
function plainScan(words: Uint32Array, query: Uint32Array): number {
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
