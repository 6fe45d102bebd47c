import { expect, test } from 'vitest'
import { encodeFrame, encodeHeader, newHeader } from '../../../../src/storage/journal/frame.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { currentOf, inspectJournals } from '../../../../src/storage/journal/journal-pair.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { salvage } from '../../../../src/storage/recovery/salvage.js'
import { noise, put } from '../../../../src/storage/contract/episodes.js'
import { MemoryFile } from '../memory-file.js'

/** A journal with these commits, whether they fit each other or not. */
function journalOf(...commits: StorageChange[][]): MemoryFile {
  const header = newHeader(0)
  return new MemoryFile(
    new Uint8Array(
      Buffer.concat([
        encodeHeader(header),
        ...commits.map((changes, index) => encodeFrame(header, index + 1, changes).bytes),
      ]),
    ),
  )
}

test.each<[string, StorageChange]>([
  ['a slot that was used before', put(1)],
  ['a slot that there cannot be', put(2 ** 28)],
  ['a slot far beyond the others', put(2 ** 26 - 1)],
  ['a row for a slot that was used before', { op: 'update', slot: 1, id: 'ep_1', row: noise(1, 8) }],
])('what makes no sense is left out of what is saved: %s', async (_, change) => {
  const files = [
    journalOf([put(0), put(1)], [{ op: 'remove', slot: 1, id: 'ep_1' }], [change], [put(2)]),
    new MemoryFile(),
  ] as const
  expect(await salvage(files, async () => 'elsewhere')).toMatchObject({ rows: 2, orphans: 1 })
  const { file, header } = currentOf(await inspectJournals(files))
  const journal = await Journal.open(
    file,
    header!,
    async () => 'elsewhere',
    () => {},
  )
  expect(journal.liveSlots(0, journal.nextSlot)).toEqual([0, 2])
})
