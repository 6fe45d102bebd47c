import type { BlockFile } from '../block/block-file.js'
import { pace } from '../../base/pace.js'

/** How much is overwritten at a time. */
const CHUNK_BYTES = 1 << 20

/**
 * Overwrites all of a file with zeros, then cuts it off, each flushed, so that what was in it cannot be read from its
 * blocks again. (What the file system or the disk has copied elsewhere is out of reach.)
 *
 * @param from what is before is cut off, but not overwritten: a crash in the middle leaves it as it was
 */
export async function erase(file: BlockFile, from = 0): Promise<void> {
  const size = await file.size()
  if (size === 0) return
  const rest = pace()
  const zeros = new Uint8Array(Math.min(size, CHUNK_BYTES))
  for (let at = from; at < size; at += zeros.length) {
    await file.write(at, zeros.subarray(0, Math.min(zeros.length, size - at)))
    await rest()
  }
  await file.flush()
  await file.truncate(0)
  await file.flush()
}
