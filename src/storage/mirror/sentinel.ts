import type { BlockFile } from '../block/block-file.js'
import { crc32c } from '../../base/crc32c.js'

const SENTINEL_BYTES = 16
/** `AGMR`, read as a little-endian number. */
const MAGIC = 0x524d4741

/**
 * Remembers outside of IndexedDB how far its copy came, so that an empty IndexedDB can be told from
 * one that was wiped. Not flushed: it decides what is reported, never what is kept.
 */
export async function writeSentinel(file: BlockFile, lsn: number): Promise<void> {
  const bytes = new Uint8Array(SENTINEL_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setBigUint64(8, BigInt(lsn), true)
  view.setUint32(4, crc32c(bytes, 8), true)
  await file.write(0, bytes)
}

/** The LSN that IndexedDB once had; 0 when none was ever written, or it cannot be read. */
export async function readSentinel(file: BlockFile): Promise<number> {
  const bytes = new Uint8Array(SENTINEL_BYTES)
  if ((await file.read(0, bytes)) < SENTINEL_BYTES) return 0
  const view = new DataView(bytes.buffer)
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== crc32c(bytes, 8)) return 0
  return Number(view.getBigUint64(8, true))
}
