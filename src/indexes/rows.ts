import { SPACES } from '../encoding/spaces/spaces.js'

/**
 * Signatures of each arena that are kept in rows beside the columns at most, 256 MiB: a recall looks at some hundred
 * candidates and their neighbours from every side, which from columns alone would take as long as a scan. In a larger
 * memory their signatures are read from the storage.
 */
export const MAX_ROW_COPIES = 262_144

/** Spaces whose signatures are kept in rows, too. */
const LARGE_SPACES = SPACES.filter(({ search }) => search.isLarge).length
const ROW_BYTES = 1024

/** How many signatures of each arena are kept in rows when copies may take so many bytes: a quarter of them. */
export function rowsWithin(budget: number): number {
  return Math.min(MAX_ROW_COPIES, Math.floor(budget / 4 / LARGE_SPACES / ROW_BYTES))
}
