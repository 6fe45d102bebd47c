import { SPACES } from '../encoding/spaces/spaces.js'

/**
 * Signatures of each arena that are kept in rows beside the columns at most, 256 MiB: a recall looks at some hundred
 * candidates and their neighbours from every side, which from columns alone would take as long as a scan. In a larger
 * memory their signatures are read from the storage.
 */
export const MAX_ROW_COPIES = 262_144

/** Spaces of texts, whose signatures are kept in rows, too. */
const TEXT_SPACES = SPACES.filter(({ search, isPerceived }) => search.isLarge && !isPerceived).length
const ROW_BYTES = 1024

/**
 * How many signatures of each arena are kept in rows when those of texts may take so many bytes: a quarter of them.
 * What a sense perceived is kept in as many rows, which only a memory that uses this sense has.
 */
export function rowsWithin(budget: number): number {
  return Math.min(MAX_ROW_COPIES, Math.floor(budget / 4 / TEXT_SPACES / ROW_BYTES))
}
