import { asBytes, type CheckpointParts } from '../../base/checkpoint-parts.js'
import { crc32c } from '../../base/crc32c.js'
import { pace } from '../../base/pace.js'
import { sameBytes } from '../../base/same-bytes.js'
import type { VerifyVisitor } from '../../api/storage.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'
import { decodeSuperblock, SUPERBLOCK_BYTES, SUPERBLOCKS } from '../journal/superblock.js'

/**
 * Reads all of a checkpoint.
 *
 * @param digest gives the mark of what has one.
 * @param wanted what the parts of the journal's table must be, if that is known.
 */
export async function checkCheckpoint(
  checkpoint: CheckpointFile,
  digest: (bytes: Uint8Array) => string,
  findings: VerifyVisitor['findings'],
  wanted?: CheckpointParts,
): Promise<void> {
  const { name: file, contents } = checkpoint
  const size = await checkpoint.size()
  findings.checked.bytes += size
  const heads = await checkpoint.read({ at: 0, bytes: SUPERBLOCKS * SUPERBLOCK_BYTES })
  const pages = Array.from({ length: SUPERBLOCKS }, (_, i) =>
    heads.subarray(i * SUPERBLOCK_BYTES, (i + 1) * SUPERBLOCK_BYTES),
  )
  if (contents === undefined) {
    if (size > 0)
      findings.add('image-damaged', 'none', `no superblock of ${file} names a directory that can be read`, { file })
    return
  }
  // The first checkpoint fills one of the two only.
  const torn = pages.findIndex((page) => decodeSuperblock(page) === undefined && page.some((byte) => byte !== 0))
  if (torn >= 0)
    findings.add('image-superblock', 'none', `superblock ${torn} of ${file} cannot be read; the other one counts`, {
      file,
      superblock: torn,
    })
  const rest = pace()
  let end = SUPERBLOCKS * SUPERBLOCK_BYTES
  const extents = [
    ...contents.parts.map((part) => ({ ...part, what: part.name })),
    { ...contents.directory, what: 'the directory' },
  ]
  for (const { at, bytes, what } of extents.sort((a, b) => a.at - b.at)) {
    if (at < end || at + bytes > size)
      findings.add('image-damaged', 'none', `${what} of ${file} lies where it cannot`, {
        file,
        part: what,
        at,
        bytes,
      })
    end = at + bytes
  }
  for (const { name, checksum, mark, ...extent } of contents.parts) {
    const bytes = await checkpoint.read(extent)
    const intact =
      bytes.length === extent.bytes && (mark === undefined ? crc32c(bytes) === checksum : digest(bytes) === mark)
    const fits = wanted?.get(name) === undefined || sameBytes(asBytes(wanted.get(name)!), bytes)
    if (!intact)
      findings.add('image-damaged', 'none', `the part ${name} of ${file} is not what was written`, {
        file,
        part: name,
        at: extent.at,
      })
    else if (!fits)
      findings.add('image-damaged', 'none', `the part ${name} of ${file} does not fit the journal`, {
        file,
        part: name,
        at: extent.at,
      })
    findings.checked.parts++
    await rest()
  }
}
