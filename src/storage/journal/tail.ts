import type { StorageEvent } from '../../api/stats.js'
import { copyBytes, type BlockFile } from '../block/block-file.js'
import type { Extent, Tail } from './scan.js'

/** Keeps bytes of a journal from `offset` on, before they are cut off, and answers where for people to read. */
export type KeepDamagedTail = (journal: BlockFile, offset: number, bytes: number) => Promise<string>

/** Adds bytes of a file at the end of another, flushed. Answers the position there. */
export async function keepIn(side: BlockFile, file: BlockFile, offset: number, bytes: number): Promise<number> {
  const at = await side.size()
  await copyBytes(file, offset, bytes, side, at)
  await side.flush()
  return at
}

const FOUND: Record<Tail, string> = {
  'cut-short': 'a commit that is cut short, as a crash leaves it',
  'checksum-mismatch': 'a whole commit with a wrong checksum, as a crash of the machine or a damaged disk leaves it',
  'no-frame': 'no commit of this database',
  unflushed: 'commits that were not flushed when the machine crashed, of which the first did not reach the disk whole',
}

/**
 * Cuts what cannot be read off the end of a journal, so that it can go on. Whether it had been acknowledged cannot be
 * told from the file alone, so the bytes are kept first.
 */
export async function cutTail(
  file: BlockFile,
  { end, size, tail = 'no-frame' }: Extent,
  keep: KeepDamagedTail,
  report: (event: StorageEvent) => void,
): Promise<void> {
  const bytes = size - end
  const kept = await keep(file, end, bytes)
  await file.truncate(end)
  await file.flush()
  const found = `the last ${bytes} bytes of ${file.name} were ${FOUND[tail]}`
  const message = `${found}; they were cut off and are kept in ${kept}`
  report({ kind: 'torn-tail', message, details: { file: file.name, found: tail, offset: end, bytes, kept } })
}

/** Says what cannot be read at the end of a journal that may not be changed, and so stays there. */
export function reportTail(file: BlockFile, extent: Extent, report: (event: StorageEvent) => void): void {
  const { end, size, tail = 'no-frame' } = extent
  const bytes = size - end
  if (bytes === 0) return
  const message =
    `the last ${bytes} bytes of ${file.name} are ${FOUND[tail]}; they do not count, and stay in the file, ` +
    'which may not be changed'
  report({ kind: 'torn-tail', message, details: { file: file.name, found: tail, offset: end, bytes } })
}
