import type { ExportOptions } from '../api/portable.js'
import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import type { RecordKinds, SlotMap } from '../records/record-kind.js'
import { RECORD_KINDS } from '../records/registry.js'
import type { StoredEpisode } from '../api/storage.js'
import { toChunks } from './chunks.js'
import { sealing, type Sealing } from './cipher.js'
import type { ExportKeys } from './export-keys.js'
import { encodeContents, type About, type Rows } from './contents.js'
import { encodeExportHeader } from './header.js'
import { toJsonLines } from './json-lines.js'

/** What is exported: rows as they are stored, in ascending order of their slots, which are given beforehand. */
export interface Exported extends Omit<About, 'rows'> {
  readonly slots: readonly number[]
  readonly rows: Rows
  /** Default: those of agidb. */
  readonly recordKinds?: RecordKinds
  /** Where the rows are encrypted. */
  readonly sealed?: SealedExport
}

/** Rows that are encrypted. */
export interface SealedExport {
  readonly keys: ExportKeys
  /** See `SealedRows.change`. */
  readonly change: (stored: StoredEpisode, change: (row: Uint8Array) => Uint8Array) => StoredEpisode
}

/** The cipher of an export with these options; making its key takes a good part of a second. */
export async function sealingFor({ passphrase, sealed }: ExportOptions): Promise<Sealing | undefined> {
  return passphrase === undefined ? undefined : sealing(passphrase, { isSealed: sealed })
}

/** The bytes of an export. */
export async function* exportBytes(
  exported: Exported,
  { format = 'agidb' }: ExportOptions,
  chunks?: Sealing,
): AsyncGenerator<Uint8Array> {
  const { databaseId, exportedAt, slots, rows, sealed, recordKinds = RECORD_KINDS } = exported
  if (format === 'jsonl') return yield* toJsonLines(episodesOf(rows, recordKinds))
  // A copy: the consumer may change the bytes.
  yield chunks?.header.slice() ?? encodeExportHeader({ isSealed: sealed !== undefined })
  const about = { databaseId, exportedAt, rows: slots.length }
  const moved = renumbered(rows, slots, recordKinds, sealed?.change)
  yield* toChunks(encodeContents(about, moved, sealed?.keys), chunks?.seal)
}

/**
 * Rows get new slots, from 0 and without gaps: what was removed leaves no trace, and a reader needs no more room than
 * there are rows.
 */
async function* renumbered(
  rows: Rows,
  slots: readonly number[],
  kinds: RecordKinds,
  change?: SealedExport['change'],
): Rows {
  let next = 0
  const slotOf: SlotMap = (before) => countThrough(slots, before) - 1
  const moved = (row: Uint8Array) => kinds.find(row)?.moved?.(row, slotOf) ?? row
  for await (const batch of rows) {
    yield batch.map((stored): StoredEpisode => {
      const slot = next++
      // What is encrypted has an id of its own, which would tell the slot before.
      if (change !== undefined) return { ...change(stored, moved), slot, id: `row-${slot}` }
      return { ...stored, slot, row: moved(stored.row) }
    })
  }
}

/** How many of ascending numbers are no more than `last`. */
export function countThrough(ascending: readonly number[], last: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= last) low = middle + 1
    else high = middle
  }
  return low
}

async function* episodesOf(rows: Rows, kinds: RecordKinds) {
  for await (const batch of rows)
    for (const { row } of batch) if (kinds.find(row) === episodeKind) yield decodeEpisode(row)
}
