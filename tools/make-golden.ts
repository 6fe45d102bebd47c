/**
 * Writes test/golden: hypervectors, text signatures and projections as their definitions in
 * src/kernel/port.ts say, computed with nothing of src. Stored signatures depend on them, so these
 * files never change: run this again only to add to them, and see that the diff only adds.
 */
import { writeFileSync } from 'node:fs'
import { chacha20 } from '@noble/ciphers/chacha.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const DIMENSION = 8192

const NAMES = [
  '',
  'a',
  'b',
  'agidb',
  'agidb/tie',
  'agidb/projection/1',
  'agidb/projection/2',
  'agidb/projection/3',
  'ROLE/subject',
  'the quick brown fox jumps over the lazy dog',
  'Sarah',
  'sarah',
  ' sarah',
  'sarah\n',
  '\u0000',
  'naïve',
  'Škoda',
  'привет, мир',
  'Київ',
  '記憶',
  'ひらがな',
  '한국어',
  'नमस्ते',
  'שלום',
  'مرحبا',
  '😀',
  '👩‍👩‍👧',
  'e\u0301',
  '\u00e9',
  'x'.repeat(1023),
  'x'.repeat(1024),
  'x'.repeat(1025),
  'y'.repeat(5000),
]

const SEEDS = [
  '00'.repeat(32),
  'ff'.repeat(32),
  '00'.repeat(31) + '01',
  '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
]

const TEXTS: { names: string[]; weights: number[] }[] = [
  { names: [], weights: [] },
  { names: ['a'], weights: [1] },
  { names: ['a'], weights: [-1] },
  { names: ['a'], weights: [0] },
  { names: ['a', 'b'], weights: [1, 1] },
  { names: ['a', 'b', 'c'], weights: [1, 1, 1] },
  { names: ['привет', '記憶', '😀', 'sarah'], weights: [3, -2, 1, 5] },
  {
    names: Array.from({ length: 101 }, (_, i) => `feature ${i}`),
    weights: Array.from({ length: 101 }, (_, i) => i - 37),
  },
  { names: ['a', 'b', 'c'], weights: [1_000_000_000, -1_000_000_000, 147_483_647] },
]

const LATENTS = [
  [1],
  [-1],
  [0.5, -0.25],
  [1, 1, 1],
  [0, 0, 0, 1e-40],
  [3e38, -3e38, 1e38],
  Array.from({ length: 96 }, (_, i) => Math.sin(i)),
  Array.from({ length: 384 }, (_, i) => Math.cos(i * i)),
  Array.from({ length: 513 }, (_, i) => (i === 7 ? 100 : Math.sin(3 * i))),
  Array.from({ length: 8192 }, (_, i) => ((i * 7919) % 1000) - 499),
].map((latent) => latent.map(Math.fround))

function fromSeed(seed: Uint8Array): Uint8Array {
  return chacha20(seed, new Uint8Array(12), new Uint8Array(DIMENSION / 8))
}

function fromName(name: string): Uint8Array {
  return fromSeed(blake3(utf8ToBytes(name)))
}

/** +1 and −1 by dimension. */
function bipolar(vector: Uint8Array): number[] {
  return Array.from({ length: DIMENSION }, (_, d) => ((vector[d >> 3] >> (d & 7)) & 1 ? 1 : -1))
}

function signs(values: readonly number[]): Uint8Array {
  const tie = bipolar(fromName('agidb/tie'))
  const vector = new Uint8Array(DIMENSION / 8)
  values.forEach((value, d) => {
    if ((value === 0 ? tie[d] : value) > 0) vector[d >> 3] |= 1 << (d & 7)
  })
  return vector
}

function textSignature(names: readonly string[], weights: readonly number[]): Uint8Array {
  const sum = new Array<number>(DIMENSION).fill(0)
  names.forEach((name, i) => bipolar(fromName(name)).forEach((sign, d) => (sum[d] += weights[i] * sign)))
  return signs(sum)
}

function project(latent: readonly number[]): Uint8Array {
  let size = 256
  while (size < latent.length) size *= 2
  const exponent = Math.floor(Math.log2(Math.max(...latent.map(Math.abs))))
  // In two steps, for 2^149 and its like to be in range; both are exact.
  const half = Math.trunc(-exponent / 2)
  const scaled = latent.map((value) => Math.fround(value * 2 ** half * 2 ** (-exponent - half)))
  let values = Array.from({ length: DIMENSION }, (_, d) => scaled[d % size] ?? 0)
  for (const round of [1, 2, 3]) {
    const diagonal = bipolar(fromName(`agidb/projection/${round}`))
    values = values.map((value, d) => value * diagonal[d])
    for (let half = 1; half < size; half *= 2) {
      // The partner of a dimension is where the bit of this width differs.
      values = values.map((value, d) => Math.fround(d & half ? values[d - half] - value : value + values[d + half]))
    }
  }
  return signs(values)
}

/** The first 32 bytes to look at, the hash of all to compare. */
function digest(vector: Uint8Array): { first: string; blake3: string } {
  return { first: bytesToHex(vector.subarray(0, 32)), blake3: bytesToHex(blake3(vector)) }
}

function write(file: string, rows: readonly object[]): void {
  const lines = rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')
  writeFileSync(new URL(`../test/golden/${file}.json`, import.meta.url), `[\n${lines}\n]\n`)
}

write(
  'from-name',
  NAMES.map((name) => ({ name, ...digest(fromName(name)) })),
)
write(
  'from-seed',
  SEEDS.map((seed) => ({ seed, ...digest(fromSeed(hexToBytes(seed))) })),
)
write(
  'text-signature',
  TEXTS.map((text) => ({ ...text, ...digest(textSignature(text.names, text.weights)) })),
)
write(
  'project',
  LATENTS.map((latent) => ({ latent, ...digest(project(latent)) })),
)
