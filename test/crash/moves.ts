import { inspectJournals, type JournalFiles } from '../../src/storage/journal/journal-pair.js'

/** What the two journal files of a database tell of its compactions. */
export interface Moved {
  /** How often the journal came to its end in the other file. */
  readonly epoch: number
  /** Whether a crash came before all of it was there, or before nothing was left of the file that it had been in. */
  readonly isCutShort: boolean
}

/** Looks at the journal files of a database that is not open. */
export async function movedIn(journals: JournalFiles): Promise<Moved> {
  const { sides, header } = await inspectJournals(journals)
  const epoch = header?.epoch ?? 0
  const isCutShort = sides.some(
    (side) =>
      side.damage !== undefined ||
      (side.incomplete?.epoch ?? 0) > epoch ||
      (side.header !== undefined && side.header !== header),
  )
  return { epoch, isCutShort }
}
