import { systemClock } from '../../base/clock.js'
import type { BlockFile } from '../block/block-file.js'
import { vacate } from '../journal/compaction.js'
import { newHeader, SEALED_VERSION } from '../journal/frame.js'
import { Journal } from '../journal/journal.js'
import type { Origin } from './salvage.js'
import { keepIn } from '../journal/tail.js'

/**
 * Puts what was read of a damaged journal in its place, as a database with an id of its own: copies in IndexedDB are
 * another's from then on, and stay as they are. With its seal the other file counts, and the damaged one is cleared. Up
 * to the seal the damaged journal is as it was.
 *
 * @param from what was read, in a third file
 * @param slots of those of its rows that are wanted, ascending
 * @param tails takes the damaged files, whole, before anything else is done
 * @returns where they are, for people to read
 * @throws AgidbError `AGIDB_QUOTA`, `AGIDB_STORAGE`
 */
export async function install(
  { file, other, epoch }: Origin,
  from: Journal,
  slots: readonly number[],
  tails: BlockFile,
): Promise<string[]> {
  const kept = await keepWhole([file, other], tails)
  const {
    nextSlot,
    header: { baseLsn },
  } = from
  const { databaseId, createdAt } = newHeader(systemClock())
  const start = { nextSlot, baseLsn, epoch: epoch + 1 }
  const journal = await Journal.begin(other, {
    version: SEALED_VERSION,
    databaseId,
    createdAt,
    ...start,
    checked: true,
  })
  for await (const rows of from.pages(slots)) await journal.build(rows.map((row) => ({ op: 'put', ...row })))
  await journal.finish(baseLsn)
  await vacate(file, journal.header)
  return kept
}

/** Adds whole files to the end of another, all or none of them. */
async function keepWhole(files: readonly BlockFile[], tails: BlockFile): Promise<string[]> {
  const before = await tails.size()
  const kept: string[] = []
  try {
    for (const file of files) {
      const size = await file.size()
      if (size > 0)
        kept.push(`${file.name}: ${size} bytes of ${tails.name} from byte ${await keepIn(tails, file, 0, size)} on`)
    }
  } catch (error) {
    await tails.truncate(before)
    throw error
  }
  return kept
}
