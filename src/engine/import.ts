import type { Limits } from '../api/open-options.js'
import { checkSignal } from '../api/check.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import type { IdMaker } from '../base/ids.js'
import { toEpisode } from '../records/observation.js'
import type { ExportSource, ImportOptions, ImportReport } from '../api/portable.js'
import { toIso } from '../api/time.js'
import { turn } from '../base/event-loop-turn.js'
import { Acceptance } from '../transfer/acceptance.js'
import { decodeEpisode, encodeEpisode, episodeKind } from '../records/kinds/episode.js'
import type { RecordKinds } from '../records/record-kind.js'
import { ENCODER_VERSION } from '../encoding/encoder.js'
import type { Restorer } from './restore.js'
import { UnsealedRows } from './sealed-import.js'
import type { SealedRows, StoredEpisode } from '../api/storage.js'
import { pieces } from '../transfer/bytes.js'
import { readImport, type Imported } from '../transfer/import.js'

/** Rows that are written at a time. */
const ROWS_PER_BATCH = 256
/** Bytes of such rows after which no further one is waited for: pictures have rows of up to a megabyte. */
const BYTES_PER_BATCH = 8 * 2 ** 20

/** Into what an import is read. */
export interface ImportTarget {
  readonly restorer: Restorer
  readonly recordKinds: RecordKinds
  readonly limits: Limits
  readonly clock: () => number
  readonly makeId: IdMaker
  readonly writer: string
  readonly add: (rows: readonly StoredEpisode[]) => Promise<void>
  /** Of an encrypted memory. */
  readonly sealed?: SealedRows
}

/** Reads a file to its end, checks every row of it, stores it and indexes it. */
export async function readExportInto(
  place: ImportTarget,
  source: ExportSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const bytes = pieces(source, options.signal)
  try {
    const imported = await readImport(bytes, options, place.limits)
    const keys = imported.format === 'agidb' ? imported.keys : undefined
    const unsealed = keys && new UnsealedRows(keys, place.sealed, place.recordKinds)
    const stored = imported.format === 'agidb' ? imported.rows : observed(imported.observations, place)
    const rows = unsealed?.read(stored) ?? stored
    const { encoded, episodes, records } = await store(
      place,
      rows,
      options,
      imported.format === 'agidb' ? imported.about.rows : undefined,
      () => unsealed?.forgotten ?? 0,
    )
    const { format } = imported
    if (format === 'jsonl') return { format, episodes, records, encoded }
    return {
      format,
      episodes,
      records,
      encoded,
      ...(unsealed && { forgotten: unsealed.forgotten }),
      databaseId: imported.about.databaseId,
      exportedAt: toIso(imported.about.exportedAt),
    }
  } finally {
    await bytes.return(undefined)
  }
}

async function store(
  { restorer, recordKinds, limits, add }: ImportTarget,
  rows: AsyncIterable<StoredEpisode>,
  options: ImportOptions,
  total: number | undefined,
  skipped: () => number,
) {
  const acceptance = new Acceptance(limits, recordKinds)
  let [episodes, records, encoded] = [0, 0, 0]
  let batch: StoredEpisode[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    await add(batch)
    for (const row of batch) restorer.visit(row)
    batch = []
    bytes = 0
    options.onProgress?.({ done: episodes + records + skipped(), ...(total !== undefined && { total }) })
    await turn() // an abort
    checkSignal(options.signal)
  }
  for await (const row of rows) {
    acceptance.check(row)
    if (recordKinds.find(row.row) === episodeKind) {
      const fresh = row.encoder === ENCODER_VERSION ? row : signed(row, restorer)
      if (fresh !== row) encoded++
      batch.push(fresh)
      episodes++
    } else {
      batch.push(row)
      records++
    }
    bytes += row.row.length
    if (batch.length === ROWS_PER_BATCH || bytes >= BYTES_PER_BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return { episodes, records, encoded }
}

/** An episode with the signatures of this version. */
function signed(row: StoredEpisode, { indexes }: Restorer): StoredEpisode {
  const { signatures, encoder } = indexes.encode(decodeEpisode(row.row))
  return { ...row, encoder, signatures: { ...row.signatures, ...signatures } }
}

/** Observations as the episodes that they become now. */
async function* observed(
  observations: (Imported & { format: 'jsonl' })['observations'],
  { clock, makeId, writer }: ImportTarget,
): AsyncGenerator<StoredEpisode> {
  const now = clock()
  const taken = new Set<string>()
  let slot = 0
  for await (const item of observations) {
    if (item.id !== undefined && taken.has(item.id)) {
      throw new AgidbError(
        'AGIDB_DUPLICATE_ID',
        `two lines have the id ${JSON.stringify(item.id)}; nothing was imported`,
        { id: item.id },
      )
    }
    let id = item.id ?? makeId('ep_', now)
    while (taken.has(id)) id = makeId('ep_', now)
    taken.add(id)
    const episode: Episode = toEpisode(item, id, now, writer)
    yield { slot: slot++, id, row: encodeEpisode(episode), signatures: {} }
  }
}
