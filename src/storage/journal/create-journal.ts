import { systemClock } from '../../base/clock.js'
import type { StorageEvent } from '../../api/stats.js'
import type { BlockFile } from '../block/block-file.js'
import { newHeader } from './frame.js'
import { Journal } from './journal.js'
import { writeHeader } from './journal-header.js'
import type { KeepDamagedTail } from './tail.js'

/** Begins the journal of a new database in an empty file, and reports that with `message`. */
export async function createJournal(
  file: BlockFile,
  message: string,
  keep: KeepDamagedTail,
  report: (event: StorageEvent) => void,
): Promise<Journal> {
  const header = newHeader(systemClock())
  await writeHeader(file, header)
  report({ kind: 'created', message, details: { databaseId: header.databaseId } })
  return Journal.open(file, header, keep, report)
}
