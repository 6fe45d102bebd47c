import { fromHex } from '../base/hex.js'
import { DIMENSION, type Hypervector, type Kernel, type Query } from '../kernel/port.js'

/**
 * The signature of a dense latent: its sign projection. Two of them differ in about `angle / π` of their bits.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` on an empty, zero, non-finite or over-long (> 8192) latent
 */
export function latentSignature(kernel: Kernel, latent: Float32Array): Hypervector {
  return kernel.project(latent)
}

/**
 * A latent as a query against {@link latentSignature | signatures} of latents of the same length. It keeps how much of
 * it each projected direction has, so that scores order memories nearly as the cosine of the latents does.
 *
 * @throws AgidbError as {@link latentSignature}
 */
export function latentQuery(kernel: Kernel, latent: Float32Array): Query {
  return kernel.projectQuery(latent)
}

/** Bytes before a signature that say what made it. */
export const MAKER_BYTES = 8
/** Bytes of a signature with these before it. */
export const MARKED_BYTES = MAKER_BYTES + DIMENSION / 8

/**
 * A signature after the first eight bytes of `maker`, the hexadecimal hash of what made its latent: in this form it is
 * stored.
 */
export function marked(maker: string, signature: Hypervector): Uint8Array {
  const bytes = new Uint8Array(MAKER_BYTES + signature.length)
  mark(maker, bytes)
  bytes.set(signature, MAKER_BYTES)
  return bytes
}

/** Writes what stands before a signature in what {@link marked} gives. */
export function mark(maker: string, into: Uint8Array, at = 0): void {
  into.set(bytesOf(maker), at)
}

/**
 * Where the signature of a maker begins among those that stand behind each other from `at` to `end`, each as {@link
 * marked} gives it; −1 where there is only what others made, whose latents cannot be compared.
 */
export function startOf(maker: string, bytes: Uint8Array, at: number, end: number): number {
  for (; at < end; at += MARKED_BYTES) if (isMarked(maker, bytes, at)) return at + MAKER_BYTES
  return -1
}

/** Whether the bytes from `at` on begin with the mark of a maker. */
function isMarked(maker: string, bytes: Uint8Array, at: number): boolean {
  const mark = bytesOf(maker)
  for (let i = 0; i < MAKER_BYTES; i++) if (bytes[at + i] !== mark[i]) return false
  return true
}

let last: { readonly maker: string; readonly bytes: Uint8Array } | undefined

/** {@link makerBytes}, of which the last are kept: most often they are the same again. */
function bytesOf(maker: string): Uint8Array {
  if (last?.maker !== maker) last = { maker, bytes: makerBytes(maker) }
  return last.bytes
}

function makerBytes(maker: string): Uint8Array {
  return fromHex(maker.slice(0, 2 * MAKER_BYTES))
}
