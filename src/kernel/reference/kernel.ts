import { chacha20, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { blake3 } from '@noble/hashes/blake3.js'
import {
  checkArena,
  checkBytes,
  checkCipher,
  checkEnds,
  checkName,
  checkNames,
  checkRoom,
  checkOthers,
  checkSealedRoom,
  checkSeed,
  checkShift,
  checkSum,
  checkTerms,
  checkVector,
  checkVectors,
  checkWeights,
  PLANES,
  refuse,
} from '../checks.js'
import type { GraphKernel } from '../graph.js'
import {
  type ArenaOptions,
  type Digesting,
  DIMENSION,
  type Hypervector,
  type Kernel,
  type Query,
  SIGNATURE_BYTES,
  TAG_BYTES,
  type Terms,
} from '../port.js'
import { onesOf, ReferenceArena } from './arena.js'
import { xxh64 } from './digest.js'
import { referenceGraphs } from './graph/kernel.js'
import { ReferenceBatch } from './batch.js'
import { ReferenceLexicon } from './lexicon.js'
import { PROJECTION_NAMES, projectSigns } from './projection.js'

const TIE_NAME = 'agidb/tie'
const NONCE = new Uint8Array(12)
const ZEROS = new Uint8Array(SIGNATURE_BYTES)
/**
 * The largest projected number as a whole one, at least: fine enough that rounding moves no magnitude of 4 bits by more
 * than a hair.
 */
const LARGEST = 2 ** 20
/** Signatures of a block of an image, 1 MiB. */
const BLOCK_ROWS = 1024
/** Hypervectors of names that are kept, 4 MiB of them: the features of a text recur. */
const CACHED_NAMES = 4096

/**
 * The kernel in plain TypeScript: the oracle of the tests, and what runs where WebAssembly SIMD is
 * missing. It says what each operation means; the WebAssembly kernel must agree to the bit.
 *
 * @param blockRows signatures of a block of an image: fewer for tests with few of them.
 */
export function referenceKernel(blockRows = BLOCK_ROWS, fallback?: string): Kernel {
  return new ReferenceKernel(blockRows, fallback)
}

class ReferenceKernel implements Kernel {
  readonly name = 'reference'
  private readonly arenas = new Set<ReferenceArena>()
  private readonly named = new Map<string, Hypervector>()
  private readonly utf8 = new TextEncoder()

  constructor(
    private readonly blockRows: number,
    readonly fallback?: string,
  ) {}

  get memoryBytes(): number {
    let bytes = this.named.size * SIGNATURE_BYTES
    for (const arena of this.arenas) bytes += arena.bytes
    return bytes
  }

  bind(a: Hypervector, b: Hypervector): Hypervector {
    checkVector(a, 'a')
    checkVector(b, 'b')
    return Uint8Array.from(a, (byte, i) => byte ^ b[i])
  }

  permute(a: Hypervector, shift: number): Hypervector {
    checkVector(a, 'a')
    checkShift(shift)
    const turn = ((shift % DIMENSION) + DIMENSION) % DIMENSION
    const bytes = turn >> 3
    const bits = turn & 7
    const turned = new Uint8Array(SIGNATURE_BYTES)
    for (let i = 0; i < SIGNATURE_BYTES; i++) {
      turned[(i + bytes) % SIGNATURE_BYTES] |= a[i] << bits
      turned[(i + bytes + 1) % SIGNATURE_BYTES] |= a[i] >> (8 - bits)
    }
    return turned
  }

  bundle(vectors: readonly Hypervector[], weights = new Int32Array(vectors.length).fill(1)): Hypervector {
    if (!Array.isArray(vectors)) refuse('vectors', 'an array of hypervectors', vectors)
    vectors.forEach((vector, i) => checkVector(vector, `vectors[${i}]`))
    checkWeights(weights, vectors.length)
    const sum = new Int32Array(DIMENSION)
    vectors.forEach((vector, i) => addTo(sum, vector, weights[i]))
    return this.threshold(sum)
  }

  hamming(a: Hypervector, b: Hypervector): number {
    checkVector(a, 'a')
    checkVector(b, 'b')
    let distance = 0
    for (let i = 0; i < SIGNATURE_BYTES; i++) distance += onesOf(a[i] ^ b[i])
    return distance
  }

  similarity(a: Hypervector, b: Hypervector): number {
    return 1 - this.hamming(a, b) / DIMENSION
  }

  fromSeed(seed: Uint8Array): Hypervector {
    checkSeed(seed)
    return chacha20(seed, NONCE, ZEROS)
  }

  fromName(name: string): Hypervector {
    checkName(name)
    return this.ofName(name).slice()
  }

  superpose(names: readonly string[], weights: Int32Array): Int32Array {
    checkNames(names)
    checkWeights(weights, names.length)
    const sum = new Int32Array(DIMENSION)
    names.forEach((name, i) => addTo(sum, this.ofName(name), weights[i]))
    return sum
  }

  threshold(sum: Int32Array): Hypervector {
    checkSum(sum)
    return signsOf(sum, this.ofName(TIE_NAME))
  }

  textSignature(names: readonly string[], weights: Int32Array): Hypervector {
    return this.threshold(this.superpose(names, weights))
  }

  quantise(sum: Int32Array): Query {
    const signs = this.threshold(sum)
    let max = 0
    for (const value of sum) max = Math.max(max, Math.abs(value))
    const planes = new Uint8Array(PLANES * SIGNATURE_BYTES)
    let squares = 0
    for (let d = 0; max > 0 && d < DIMENSION; d++) {
      const magnitude = Math.floor((30 * Math.abs(sum[d]) + max) / (2 * max))
      squares += magnitude * magnitude
      for (let p = 0; p < PLANES; p++) {
        planes[p * SIGNATURE_BYTES + (d >> 3)] |= ((magnitude >> p) & 1) << (d & 7)
      }
    }
    return { signs, planes, norm: Math.sqrt(squares) }
  }

  query(signature: Hypervector): Query {
    checkVector(signature, 'signature')
    return { signs: new Uint8Array(signature), norm: Math.sqrt(DIMENSION) }
  }

  project(latent: Float32Array): Hypervector {
    return signsOf(this.projected(latent), this.ofName(TIE_NAME))
  }

  projectQuery(latent: Float32Array): Query {
    const projected = this.projected(latent)
    let largest = 0
    for (const value of projected) largest = Math.max(largest, Math.abs(value))
    // By a power of two, which costs no digit: every kernel and runtime rounds the same numbers.
    let factor = 1
    while (largest * factor < LARGEST) factor *= 2
    while (largest * factor >= 2 * LARGEST) factor /= 2
    return this.quantise(Int32Array.from(projected, (value) => Math.round(value * factor)))
  }

  digest(bytes: Uint8Array): string {
    checkBytes(bytes)
    return xxh64(bytes).toString(16).padStart(16, '0')
  }

  digesting(): Digesting {
    const pieces: Uint8Array[] = []
    return {
      update: (bytes) => {
        checkBytes(bytes)
        pieces.push(bytes.slice())
      },
      end: () => {
        const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
        pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0)
        return this.digest(all)
      },
    }
  }

  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, text: Uint8Array, into?: Uint8Array): Uint8Array {
    checkCipher(key, nonce, associated, text)
    into ??= new Uint8Array(text.length + TAG_BYTES)
    checkSealedRoom(into, text)
    into.set(xchacha20poly1305(key, nonce, associated).encrypt(text))
    return into
  }

  unseal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    checkCipher(key, nonce, associated, sealed)
    if (sealed.length < TAG_BYTES) return undefined
    try {
      return xchacha20poly1305(key, nonce, associated).decrypt(sealed)
    } catch {
      return undefined // the tag does not fit
    }
  }

  private projectSum(rows: Int8Array, factors: Float64Array, terms: Uint16Array): Hypervector | undefined {
    const sum = new Float32Array(rows.length / Math.max(1, factors.length))
    for (const term of terms) {
      for (let i = 0; i < sum.length; i++) sum[i] += factors[term] * rows[term * sum.length + i]
    }
    const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
    return length === 0 ? undefined : this.project(sum.map((value) => value / length))
  }

  projectSums(of: Terms, ends: Uint32Array, into: Uint8Array, every = SIGNATURE_BYTES): boolean[] {
    checkTerms(of)
    checkEnds(ends, of.terms.length)
    checkRoom(into, ends.length, every)
    return Array.from(ends, (end, i) => {
      const projected = this.projectSum(of.rows, of.factors, of.terms.subarray(ends[i - 1] ?? 0, end))
      into.set(projected ?? new Uint8Array(SIGNATURE_BYTES), i * every)
      return projected !== undefined
    })
  }

  unitSums({ rows, factors, terms }: Terms, ends: Uint32Array): Float32Array {
    checkTerms({ rows, factors, terms })
    checkEnds(ends, terms.length)
    const width = rows.length / Math.max(1, factors.length)
    const sums = new Float32Array(width * ends.length)
    ends.forEach((end, i) => {
      const sum = sums.subarray(i * width, (i + 1) * width)
      for (const term of terms.subarray(ends[i - 1] ?? 0, end)) {
        const factor = Math.fround(factors[term])
        for (let d = 0; d < width; d++) sum[d] += Math.fround(factor * rows[term * width + d])
      }
      const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
      if (length > 0)
        sum.forEach((value, d) => {
          sum[d] = value / length
        })
    })
    return sums
  }

  dots(vectors: Float32Array, others: Float32Array, length: number): Float64Array {
    checkVectors(vectors, length, 'vectors')
    checkVectors(others, length, 'others')
    const width = others.length / length
    return Float64Array.from({ length: (vectors.length / length) * width }, (_, i) => {
      const sums = [0, 0, 0, 0]
      for (let d = 0; d < length; d++) {
        const product = vectors[Math.floor(i / width) * length + d] * others[(i % width) * length + d]
        sums[d < length - (length % 4) ? d % 4 : 0] += product
      }
      return sums[0] + sums[1] + (sums[2] + sums[3])
    })
  }

  maxSim(of: Terms, ends: Uint32Array, others: Int8Array, length: number): Float64Array {
    checkTerms(of)
    checkEnds(ends, of.terms.length)
    checkOthers(of, others, length)
    const count = others.length / length
    const most = new Float64Array(ends.length * count)
    const product = (term: number, other: number) => {
      let sum = 0
      for (let d = 0; d < length; d++) sum += of.rows[term * length + d] * others[other * length + d]
      return of.factors[term] * sum
    }
    ends.forEach((end, i) => {
      for (const term of of.terms.subarray(ends[i - 1] ?? 0, end))
        for (let other = 0; other < count; other++)
          most[i * count + other] = Math.max(most[i * count + other], product(term, other))
    })
    return most
  }

  lexicon(): ReferenceLexicon {
    return new ReferenceLexicon(this)
  }

  batch(): ReferenceBatch {
    return new ReferenceBatch()
  }

  /** All of its signatures are in rows, whatever is asked for. */
  arena(options: ArenaOptions = {}): ReferenceArena {
    checkArena(options)
    const arena: ReferenceArena = new ReferenceArena(() => this.arenas.delete(arena), this.blockRows)
    this.arenas.add(arena)
    return arena
  }

  graphs(): GraphKernel {
    return referenceGraphs
  }

  private projected(latent: Float32Array): Float32Array {
    return projectSigns(
      latent,
      PROJECTION_NAMES.map((name) => this.ofName(name)),
    )
  }

  /** The hypervector of a name, shared with the cache: not to be written to. */
  private ofName(name: string): Hypervector {
    let vector = this.named.get(name)
    if (vector === undefined) {
      vector = this.fromSeed(blake3(this.utf8.encode(name)))
      if (this.named.size >= CACHED_NAMES) this.named.delete(this.named.keys().next().value as string)
    } else {
      this.named.delete(name)
    }
    // Last in the order of the map: the least recently used name goes first.
    this.named.set(name, vector)
    return vector
  }
}

function addTo(sum: Int32Array, vector: Hypervector, weight: number): void {
  for (let i = 0, d = 0; i < SIGNATURE_BYTES; i++) {
    const byte = vector[i]
    for (let bit = 0; bit < 8; bit++, d++) {
      // 0 where the bit is set, −1 where it is clear: then the weight is negated.
      const clear = ((byte >> bit) & 1) - 1
      sum[d] += (weight ^ clear) - clear
    }
  }
}

function signsOf(sum: Int32Array | Float32Array, tie: Hypervector): Hypervector {
  const signs = new Uint8Array(SIGNATURE_BYTES)
  for (let d = 0; d < DIMENSION; d++) {
    const bit = sum[d] === 0 ? (tie[d >> 3] >> (d & 7)) & 1 : sum[d] > 0 ? 1 : 0
    signs[d >> 3] |= bit << (d & 7)
  }
  return signs
}
