import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { entryChange, readEntries } from '../../../src/storage/journal/changes.js'
import {
  decodeHeader,
  encodeFrame,
  encodeHeader,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  readFrameHeader,
} from '../../../src/storage/journal/frame.js'
import { MAX_SLOTS } from '../../../src/storage/journal/slot-table.js'
import { withFolder } from '../../unit/engine/open.js'

/** Moves what is in a folder to slots as a memory has them that has forgotten millions. */
function moved(path: string, slotOf: (slot: number) => number): void {
  const file = join(path, 'journal.agidb')
  const bytes = new Uint8Array(readFileSync(file))
  const header = { ...decodeHeader(bytes.subarray(0, 128), file)!, nextSlot: MAX_SLOTS - 100 }
  const parts = [encodeHeader(header)]
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const { lsn, bytes: length } = readFrameHeader(bytes.subarray(at, at + FRAME_HEADER_BYTES), header)!
    const frame = bytes.subarray(at, at + length)
    parts.push(
      encodeFrame(
        header,
        lsn,
        readEntries(frame, FRAME_HEADER_BYTES)
          .map((entry) => entryChange(frame, entry))
          .map((change) => ({ ...change, slot: slotOf(change.slot) })),
      ).bytes,
    )
    at += length
  }
  writeFileSync(file, Buffer.concat(parts))
}

test('memory use depends on live episodes after millions of used slots; recall, compaction and reopening work', () =>
  withFolder(async (path) => {
    const texts = ['The cat sat on the mat.', 'Ada lives in Paris.', 'Bob repaired the red valve.']
    const first = await Agidb.open({ path, codebook: 'none', extract: 'none' })
    await first.observeMany(texts.map((text, i) => ({ text, id: `m${i}`, session: 's', speaker: 'Ann' })))
    await first.close()
    moved(path, (slot) => [5, 30_000_000, MAX_SLOTS - 90][slot])
    for (const added of ['n0', 'n1']) {
      const db = await Agidb.open({ path, codebook: 'none', extract: 'none' })
      const { memory, opening } = await db.stats()
      expect(memory).toBeLessThan(100 * 2 ** 20)
      expect(opening.map(({ kind }) => kind)).toEqual([])
      expect((await db.recall('Where does Ada live?', { k: 1 })).matches[0]).toMatchObject({ id: 'm1' })
      expect(
        (await db.recall('Who repaired the valve?', { k: 1, session: 's', speaker: 'Ann' })).matches[0],
      ).toMatchObject({ id: 'm2' })
      await db.observe(`A note that is new: ${added}.`, { id: added, session: 's' })
      expect((await db.recall(`a note that is new: ${added}`, { k: 1 })).matches[0]).toMatchObject({ id: added })
      expect((await db.verify()).problems).toEqual([])
      await db.compact()
      await db.close()
    }
  }))
