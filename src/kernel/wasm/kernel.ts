import * as wasm from '../built/agidb_kernel.js'
import {
  checkBytes,
  checkCipher,
  checkEnds,
  checkLatent,
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
import { packNames } from '../names.js'
import {
  type ArenaOptions,
  type Digesting,
  DIMENSION,
  type Hypervector,
  type Kernel,
  type Query,
  SIGNATURE_BYTES,
  type Terms,
  TAG_BYTES,
} from '../port.js'
import { WasmArena } from './arena.js'
import { WasmBatch } from './batch.js'
import { WasmCipher } from './cipher.js'
import { WasmLexicon } from './lexicon.js'

/** Some exports by which this kernel is told from another module, before the glue takes hold of it. */
const EXPORTS = ['memory', 'textSignature', 'wasmlexicon_signature', 'wasmarena_scan']

let loading: Promise<Kernel> | undefined

/**
 * The kernel in WebAssembly with 128-bit SIMD. There is one a thread: the first module given is the one that runs, and
 * all memories of the thread share it, with what it knows of words.
 *
 * Throws what `WebAssembly.instantiate` throws, and a `LinkError` for a module that is not this kernel.
 */
export async function wasmKernel(module: WebAssembly.Module): Promise<Kernel> {
  const exported = new Set(WebAssembly.Module.exports(module).map(({ name }) => name))
  const missing = EXPORTS.filter((name) => !exported.has(name))
  if (missing.length > 0) throw new WebAssembly.LinkError(`the module does not export ${missing.join(', ')}`)
  loading ??= instantiate(module)
  try {
    return await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

async function instantiate(module: WebAssembly.Module): Promise<Kernel> {
  return new WasmKernel(await wasm.default(module))
}

class WasmKernel implements Kernel {
  readonly name = 'wasm-simd'
  private readonly utf8 = new TextEncoder()
  private readonly made = new wasm.WasmMade()
  private readonly memory: WebAssembly.Memory
  private readonly cipher: WasmCipher

  constructor(readonly exports: wasm.InitOutput) {
    this.memory = exports.memory
    this.cipher = new WasmCipher(this.memory)
  }

  get memoryBytes(): number {
    return this.memory.buffer.byteLength
  }

  bind(a: Hypervector, b: Hypervector): Hypervector {
    checkVector(a, 'a')
    checkVector(b, 'b')
    return wasm.bind(a, b)
  }

  permute(a: Hypervector, shift: number): Hypervector {
    checkVector(a, 'a')
    checkShift(shift)
    return wasm.permute(a, shift % DIMENSION)
  }

  bundle(vectors: readonly Hypervector[], weights = new Int32Array(vectors.length).fill(1)): Hypervector {
    if (!Array.isArray(vectors)) refuse('vectors', 'an array of hypervectors', vectors)
    vectors.forEach((vector, i) => checkVector(vector, `vectors[${i}]`))
    checkWeights(weights, vectors.length)
    const together = new Uint8Array(vectors.length * SIGNATURE_BYTES)
    vectors.forEach((vector, i) => together.set(vector, i * SIGNATURE_BYTES))
    return wasm.bundle(together, weights)
  }

  hamming(a: Hypervector, b: Hypervector): number {
    checkVector(a, 'a')
    checkVector(b, 'b')
    return wasm.hamming(a, b)
  }

  similarity(a: Hypervector, b: Hypervector): number {
    return 1 - this.hamming(a, b) / DIMENSION
  }

  fromSeed(seed: Uint8Array): Hypervector {
    checkSeed(seed)
    return wasm.fromSeed(seed)
  }

  fromName(name: string): Hypervector {
    checkName(name)
    return wasm.fromName(this.utf8.encode(name))
  }

  superpose(names: readonly string[], weights: Int32Array): Int32Array {
    checkNames(names)
    checkWeights(weights, names.length)
    const { bytes, ends } = packNames(names)
    return wasm.superpose(bytes, ends, weights)
  }

  threshold(sum: Int32Array): Hypervector {
    checkSum(sum)
    return wasm.threshold(sum)
  }

  textSignature(names: readonly string[], weights: Int32Array): Hypervector {
    checkNames(names)
    checkWeights(weights, names.length)
    const { bytes, ends } = packNames(names)
    return wasm.textSignature(bytes, ends, weights)
  }

  quantise(sum: Int32Array): Query {
    checkSum(sum)
    return written((signs, planes) => wasm.quantise(sum, signs, planes))
  }

  query(signature: Hypervector): Query {
    checkVector(signature, 'signature')
    return { signs: new Uint8Array(signature), norm: Math.sqrt(DIMENSION) }
  }

  project(latent: Float32Array): Hypervector {
    checkLatent(latent)
    return wasm.project(latent)
  }

  projectQuery(latent: Float32Array): Query {
    checkLatent(latent)
    return written((signs, planes) => wasm.projectQuery(latent, signs, planes))
  }

  digest(bytes: Uint8Array): string {
    checkBytes(bytes)
    const { byteOffset, length } = bytes
    const own = bytes.buffer === this.memory.buffer
    const digesting = this.digesting()
    // The memory may have grown for it: then its views are lost, but what they showed is where it was.
    digesting.update(own ? new Uint8Array(this.memory.buffer, byteOffset, length) : bytes)
    return digesting.end()
  }

  digesting(): Digesting {
    const digest = new wasm.WasmDigest()
    return {
      update: (bytes) => {
        checkBytes(bytes)
        const space = new Uint8Array(this.memory.buffer, digest.address, digest.bytes)
        for (let at = 0; at < bytes.length; at += space.length) {
          const piece = bytes.subarray(at, at + space.length)
          space.set(piece)
          digest.update(piece.length)
        }
      },
      end: () => {
        const { value } = digest
        digest.free()
        return value.toString(16).padStart(16, '0')
      },
    }
  }

  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, text: Uint8Array, into?: Uint8Array): Uint8Array {
    checkCipher(key, nonce, associated, text)
    into ??= new Uint8Array(text.length + TAG_BYTES)
    checkSealedRoom(into, text)
    return this.cipher.seal(key, nonce, associated, text, into)
  }

  unseal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    checkCipher(key, nonce, associated, sealed)
    return this.cipher.unseal(key, nonce, associated, sealed)
  }

  projectSums(of: Terms, ends: Uint32Array, into: Uint8Array, every = SIGNATURE_BYTES): boolean[] {
    checkTerms(of)
    checkEnds(ends, of.terms.length)
    checkRoom(into, ends.length, every)
    const some = this.made.projectSums(of.rows, of.factors, of.terms, ends)
    const { address } = this.made
    for (let i = 0; i < ends.length; i++)
      into.set(new Uint8Array(this.memory.buffer, address + i * SIGNATURE_BYTES, SIGNATURE_BYTES), i * every)
    return Array.from(some, Boolean)
  }

  unitSums(of: Terms, ends: Uint32Array): Float32Array {
    checkTerms(of)
    checkEnds(ends, of.terms.length)
    return wasm.unitSums(of.rows, of.factors, of.terms, ends)
  }

  dots(vectors: Float32Array, others: Float32Array, length: number): Float64Array {
    checkVectors(vectors, length, 'vectors')
    checkVectors(others, length, 'others')
    return wasm.dots(vectors, others, length)
  }

  maxSim(of: Terms, ends: Uint32Array, others: Int8Array, length: number): Float64Array {
    checkTerms(of)
    checkEnds(ends, of.terms.length)
    checkOthers(of, others, length)
    return wasm.maxSim(of.rows, of.factors, of.terms, ends, others, length)
  }

  lexicon(): WasmLexicon {
    return new WasmLexicon(this.memory, this.made)
  }

  batch(): WasmBatch {
    return new WasmBatch(this.memory)
  }

  arena(options?: ArenaOptions): WasmArena {
    return new WasmArena(this.exports, options)
  }
}

/** The query whose signs and planes `write` writes; it answers the sum of the squared magnitudes. */
function written(write: (signs: Uint8Array, planes: Uint8Array) => number): Query {
  const signs = new Uint8Array(SIGNATURE_BYTES)
  const planes = new Uint8Array(PLANES * SIGNATURE_BYTES)
  const squares = write(signs, planes)
  return { signs, planes, norm: Math.sqrt(squares) }
}
