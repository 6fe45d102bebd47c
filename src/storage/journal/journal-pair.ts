import { AgidbError, type ErrorCode } from '../../base/errors.js'
import type { BlockFile } from '../block/block-file.js'
import { isComplete, type JournalHeader } from './frame.js'
import { readJournalHeader } from './journal-header.js'

/**
 * The two files that a journal can be in. One is it; the other is empty, or has what the journal was before it was
 * last rebuilt. So a rebuilding never writes over the journal that it replaces.
 */
export type JournalFiles = readonly [BlockFile, BlockFile]

/** One of them, as its header shows it: it has one, or the header is damaged, or there is nothing in it that counts. */
interface Side {
  readonly file: BlockFile
  readonly header?: JournalHeader
  readonly damage?: AgidbError
  /** The header of one that does not count, because it is being written or was moved to the other file. */
  readonly incomplete?: JournalHeader
}

export interface JournalPair {
  readonly sides: readonly [Side, Side]
  /** The newest header. */
  readonly header?: JournalHeader
  /** The newest epoch; -1 when there is none. */
  readonly epoch: number
}

/** Errors of a header that count as damage. Where no other program writes, a foreign header does, too. */
type Damages = readonly ErrorCode[]
const DAMAGES: Damages = ['AGIDB_CORRUPT']
export const DAMAGES_OF_OWN: Damages = ['AGIDB_CORRUPT', 'AGIDB_FOREIGN_FILE']

/** Reads both headers. Throws `AGIDB_NEWER_FORMAT`, and `AGIDB_FOREIGN_FILE` if that counts as no damage. */
export async function inspectJournals([first, second]: JournalFiles, damages = DAMAGES): Promise<JournalPair> {
  const sides = [await lookAtFile(first, damages), await lookAtFile(second, damages)] as const
  const headers = sides.flatMap(({ header }) => header ?? [])
  const header = headers.sort((a, b) => b.epoch - a.epoch).at(0)
  return { sides, header, epoch: header?.epoch ?? -1 }
}

async function lookAtFile(file: BlockFile, damages: Damages): Promise<Side> {
  try {
    const header = await readJournalHeader(file)
    return { file, ...(header && (isComplete(header) ? { header } : { incomplete: header })) }
  } catch (error) {
    if (error instanceof AgidbError && damages.includes(error.code)) return { file, damage: error }
    throw error
  }
}

/** Which journal a second copy follows. */
export interface Follower {
  readonly databaseId: string
  readonly epoch: number
}

/**
 * The side that is the journal, and the other file: the newer of the two. One that has no readable header may be the
 * newer, unless the tables follow the one that has.
 */
export function currentOf({ sides, header }: JournalPair, state?: Follower): Side & { readonly other: BlockFile } {
  const newest = Math.max(
    0,
    sides.findIndex((side) => side.header !== undefined && side.header === header),
  )
  const follows =
    header !== undefined && state?.databaseId === header.databaseId ? state.epoch - header.epoch : undefined
  const damaged = sides.findIndex(({ damage }) => damage !== undefined)
  let index = newest
  if (damaged >= 0 && follows !== 0) index = damaged
  // The tables follow a journal that is gone: what can be read is the one before it.
  else if (follows !== undefined && follows > 0) index = 1 - newest
  return { ...sides[index], other: sides[1 - index].file }
}
