// The file of the key ring: two copies of all of it, of which the newer one that is whole counts. docs/format.md has
// the layout.
import { crc32c } from '../../base/crc32c.js'
import type { KeyFile } from '../../api/storage.js'
import { KEY_BYTES, NONCE_BYTES } from './cipher.js'
import { type Argon2Cost, isCost, type Wrapping, wrappingNumber, wrappingOf } from './secret.js'

/** `AGIDBKEY`. */
const MAGIC = Uint8Array.of(0x41, 0x47, 0x49, 0x44, 0x42, 0x4b, 0x45, 0x59)
export const RING_VERSION = 1
export const RING_HEADER_BYTES = 128
/** The copies lie in pieces of this length, in turns, so that both can grow in place. */
const PIECE = 16_384
const COPIES = 2
/** Longer files are none of agidb's: four million keys. */
const MAX_BYTES = 2 ** 29

/** What a copy says about itself. */
export interface RingHeader {
  readonly version: number
  /** One more with each writing; the highest counts. */
  readonly sequence: number
  readonly wrapping: Wrapping
  /** 16 random bytes. */
  readonly id: Uint8Array
  readonly salt: Uint8Array
  readonly cost: Argon2Cost
  readonly nonce: Uint8Array
  /** The key of the body where it lies beside it, else zeros. */
  readonly key: Uint8Array
}

/** A copy of the ring: its header, and the encrypted keys. */
export interface RingCopy {
  readonly header: RingHeader
  readonly body: Uint8Array
}

/** The bytes of a header that are authenticated with the body. */
export function authenticated(header: RingHeader): Uint8Array {
  return encodeHeader(header, 0).subarray(16)
}

/** What a file holds. */
export interface RingFileContent {
  /** The newest whole copy; absent in a file that is empty, or of which no copy is whole. */
  readonly copy?: RingCopy
  /** The copy beside it; absent where nothing was ever written. */
  readonly other?: RingCopy | 'damaged'
}

/** Reads both copies. */
export async function readRingFile(file: KeyFile): Promise<RingFileContent> {
  const size = await file.size()
  if (size === 0 || size > MAX_BYTES) return {}
  const bytes = new Uint8Array(size)
  const read = await file.read(0, bytes)
  const copies = Array.from({ length: COPIES }, (_, copy) => gather(bytes.subarray(0, read), copy))
  const found = copies.map(decodeCopy).filter((copy) => copy !== undefined)
  const [copy, other] = found.sort((a, b) => b.header.sequence - a.header.sequence)
  if (copy === undefined) return {}
  const isDamaged = found.length < copies.filter((bytes) => bytes.some((byte) => byte !== 0)).length
  return { copy, ...(isDamaged ? { other: 'damaged' } : other && { other }) }
}

/**
 * Writes a copy in the place of the older one, with zeros over what of that was longer, and flushes it. A crash leaves
 * the other copy.
 */
export async function writeRingCopy(file: KeyFile, { header, body }: RingCopy): Promise<void> {
  const copy = header.sequence % COPIES
  const before = gatheredLength(await file.size(), copy)
  const bytes = new Uint8Array(Math.max(before, RING_HEADER_BYTES + body.length))
  bytes.set(body, RING_HEADER_BYTES)
  bytes.set(encodeHeader(header, body.length))
  const end = RING_HEADER_BYTES + body.length
  new DataView(bytes.buffer).setUint32(12, crc32c(bytes, 16, end), true)
  for (let at = 0; at < bytes.length; at += PIECE)
    await file.write((COPIES * (at / PIECE) + copy) * PIECE, bytes.subarray(at, at + PIECE))
  await file.flush()
}

function encodeHeader(header: RingHeader, bodyBytes: number): Uint8Array {
  const { version, sequence, wrapping, id, salt, cost, nonce, key } = header
  const bytes = new Uint8Array(RING_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(MAGIC)
  view.setUint32(8, version, true)
  view.setBigUint64(16, BigInt(sequence), true)
  view.setUint32(24, bodyBytes, true)
  view.setUint8(28, wrappingNumber(wrapping))
  bytes.set(id, 32)
  bytes.set(salt, 48)
  view.setUint32(64, cost.memory, true)
  view.setUint32(68, cost.passes, true)
  bytes.set(nonce, 72)
  bytes.set(key, 96)
  return bytes
}

function decodeCopy(bytes: Uint8Array): RingCopy | undefined {
  if (bytes.length < RING_HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = RING_HEADER_BYTES + view.getUint32(24, true)
  if (end > bytes.length || view.getUint32(12, true) !== crc32c(bytes, 16, end)) return undefined
  const version = view.getUint32(8, true)
  const wrapping = wrappingOf(view.getUint8(28))
  const cost = { memory: view.getUint32(64, true), passes: view.getUint32(68, true) }
  // What a newer version writes may say other things here; its number is told to the caller.
  if (version <= RING_VERSION && (wrapping === undefined || !isCost(cost))) return undefined
  const header = {
    version,
    sequence: Number(view.getBigUint64(16, true)),
    wrapping: wrapping ?? 'keys-beside',
    id: bytes.slice(32, 48),
    salt: bytes.slice(48, 64),
    cost,
    nonce: bytes.slice(72, 72 + NONCE_BYTES),
    key: bytes.slice(96, 96 + KEY_BYTES),
  }
  return { header, body: bytes.slice(RING_HEADER_BYTES, end) }
}

/** The bytes of one copy, without those of the other. */
function gather(bytes: Uint8Array, copy: number): Uint8Array {
  const own = new Uint8Array(gatheredLength(bytes.length, copy))
  for (let at = 0; at < own.length; at += PIECE) {
    const from = (COPIES * (at / PIECE) + copy) * PIECE
    own.set(bytes.subarray(from, from + PIECE), at)
  }
  return own
}

/** How many bytes of a file of this length belong to a copy. */
function gatheredLength(size: number, copy: number): number {
  const whole = Math.floor(size / (COPIES * PIECE))
  const rest = size - whole * COPIES * PIECE - copy * PIECE
  return whole * PIECE + Math.max(0, Math.min(PIECE, rest))
}
