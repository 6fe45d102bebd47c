import { Window, type BlockFile } from '../block/block-file.js'
import type { JournalHeader } from './frame.js'
import { pace } from '../../base/pace.js'
import {
  findFrame,
  isSealedAt,
  READ_AHEAD_BYTES,
  readFrame,
  showsFlushed,
  startOf,
  tailAt,
  type Frame,
  type Tail,
} from './scan.js'

/** A stretch of a journal that cannot be read. */
export interface Damage {
  readonly at: number
  /** How many bytes it has. Some may be missing at the end of the file, where the seal says that they were there. */
  readonly bytes: number
  /** What it is, when it is the tail: it goes to the end of the file. */
  readonly tail?: Tail
}

/**
 * Every frame of a journal that can be read, wherever it stands before the tail, and what lies between them. Changes
 * nothing.
 */
export async function* walk(file: BlockFile, header: JournalHeader): AsyncGenerator<Frame | Damage> {
  const size = await file.size()
  const window = new Window(file, size, READ_AHEAD_BYTES)
  const rest = pace()
  let { lsn, at } = startOf(header)
  while (at < size) {
    await rest()
    const frame = await readFrame(window, header, at, size)
    if (frame) {
      lsn = frame.lsn
      at += frame.bytes.length
      yield frame
      continue
    }
    const witness = await findFrame(file, header, at + 1, size, showsFlushed(lsn + 1))
    const isFlushed = isSealedAt(header, at) || witness !== undefined
    if (!isFlushed) return yield { at, bytes: size - at, tail: await tailAt(file, header, { lsn, at }, size) }
    const next = await findFrame(file, header, at + 1, size, (later) => later.lsn > lsn)
    if (next === undefined) break
    yield { at, bytes: next - at }
    at = next
  }
  if (isSealedAt(header, at)) yield { at, bytes: Math.max(size, header.seal!.at) - at }
}
