import { crc32c } from '../../base/crc32c.js'
import type { Extent } from './extents.js'

/** There are two, each in a page of its own. */
export const SUPERBLOCKS = 2
export const SUPERBLOCK_BYTES = 4096

/** `AGIDBIMG`, as a little-endian number. */
const MAGIC = 0x474d_4942_4449_4741n
const VERSION = 1
const CHECKED_BYTES = 44

/** Names a directory of a checkpoint file. `docs/format.md` has the layout. */
export interface Superblock {
  /** One more with each checkpoint; the highest counts. */
  readonly generation: number
  readonly directory: Extent
  /** CRC-32C of the directory. */
  readonly checksum: number
}

export function encodeSuperblock({ generation, directory, checksum }: Superblock): Uint8Array {
  const bytes = new Uint8Array(SUPERBLOCK_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, MAGIC, true)
  view.setUint32(8, VERSION, true)
  view.setBigUint64(16, BigInt(generation), true)
  view.setBigUint64(24, BigInt(directory.at), true)
  view.setBigUint64(32, BigInt(directory.bytes), true)
  view.setUint32(40, checksum, true)
  view.setUint32(CHECKED_BYTES, crc32c(bytes, 0, CHECKED_BYTES), true)
  return bytes
}

/** `undefined` for what is none, or of another version: a checkpoint can be made again. */
export function decodeSuperblock(bytes: Uint8Array): Superblock | undefined {
  if (bytes.length < SUPERBLOCK_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getBigUint64(0, true) !== MAGIC || view.getUint32(8, true) !== VERSION) return undefined
  if (view.getUint32(CHECKED_BYTES, true) !== crc32c(bytes, 0, CHECKED_BYTES)) return undefined
  return {
    generation: Number(view.getBigUint64(16, true)),
    directory: { at: Number(view.getBigUint64(24, true)), bytes: Number(view.getBigUint64(32, true)) },
    checksum: view.getUint32(40, true),
  }
}
