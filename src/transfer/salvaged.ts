import type { Limits } from '../api/open-options.js'
import type { ExportOptions } from '../api/portable.js'
import { episodeKind } from '../records/kinds/episode.js'
import { RECORD_KINDS } from '../records/registry.js'
import type { StoredEpisode } from '../api/storage.js'
import { Acceptance } from './acceptance.js'
import { exportBytes, sealingFor, type Exported } from './export.js'

/** Whatever was accepted once is brought out: how long a text may be says the memory that it comes into. */
const NO_LIMITS: Limits = {
  textBytes: 2 ** 30,
  cueBytes: 2 ** 30,
  triples: 2 ** 30,
  nameBytes: 2 ** 30,
  batch: 2 ** 30,
  mediaBytes: 2 ** 30,
  traces: 2 ** 30,
}

/** Rows that were read of a damaged memory. */
export interface SalvagedRows extends Pick<Exported, 'databaseId' | 'exportedAt'> {
  /** All of them in ascending order of their slots; gives the same each time. */
  readonly rows: () => AsyncIterable<readonly StoredEpisode[]>
}

/** An export of what makes sense of them. */
export interface SalvagedExport {
  readonly bytes: AsyncGenerator<Uint8Array>
  /** Those that are in it. */
  readonly slots: readonly number[]
  readonly episodes: number
  readonly records: number
  /** Of the episodes, those without the signatures by which they are found. */
  readonly unsigned: number
  /** Rows that are left out, since no import takes them. */
  readonly refused: number
}

/**
 * Makes an export of rows, but for those that an import would refuse. Reads them twice: first to see which these are.
 */
export async function exportSalvaged(
  { databaseId, exportedAt, rows }: SalvagedRows,
  options: ExportOptions,
): Promise<SalvagedExport> {
  const slots = new Set<number>()
  const acceptance = new Acceptance(NO_LIMITS)
  const found = { episodes: 0, records: 0, unsigned: 0, refused: 0 }
  for await (const batch of rows()) {
    for (const stored of batch) {
      const kind = RECORD_KINDS.find(stored.row)
      if (kind?.isExported === false) continue
      if (!isAccepted(acceptance, stored)) {
        found.refused++
        continue
      }
      slots.add(stored.slot)
      if (kind !== episodeKind) found.records++
      else {
        found.episodes++
        if (stored.signatures.text === undefined) found.unsigned++
      }
    }
  }
  const exported: Exported = { databaseId, exportedAt, slots: [...slots], rows: only(rows(), slots) }
  return { bytes: exportBytes(exported, options, await sealingFor(options)), slots: exported.slots, ...found }
}

function isAccepted(acceptance: Acceptance, stored: StoredEpisode): boolean {
  try {
    acceptance.check(stored)
    return true
  } catch {
    return false
  }
}

async function* only(
  rows: AsyncIterable<readonly StoredEpisode[]>,
  slots: ReadonlySet<number>,
): AsyncGenerator<readonly StoredEpisode[]> {
  for await (const batch of rows) yield batch.filter(({ slot }) => slots.has(slot))
}
