import { open, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '../src/api/episode.js'
import { chromiumIngest } from './chromium.js'
import { Agidb } from './library.js'
import { quantile } from './section.js'
import type { Place } from './sizes.js'
import { ingest, type Files, type Ingested } from './sizes/ingest.js'
import type { Table, TableRow } from './tabular.js'

const SINGLES = 400

export interface IngestionOptions {
  readonly source: readonly Observation[]
  readonly places: readonly Place[]
  readonly sizes: readonly number[]
}

const COLUMNS = [
  'observed /s',
  'slowest tenth /s',
  '× append + flush',
  'behind ms',
  'close ms',
  'one p50 ms',
  'one p95 ms',
  'flush p50 ms',
  'flush p95 ms',
  '× flush',
  'MB',
]

/**
 * Observing as fast as it goes, beside appending the same bytes to a file and flushing them: what a durable memory
 * cannot be quicker than.
 */
export async function* ingestion({ source, places, sizes }: IngestionOptions): AsyncGenerator<Table> {
  const rows: TableRow[] = []
  for (const place of places) {
    for (const count of sizes) {
      const name =
        `${place === 'node' ? `Node ${process.versions.node}` : 'Chromium'}, ` + `${count.toLocaleString('en')} turns`
      const ingested = place === 'node' ? await nodeIngest(source, count) : await chromiumIngest(source, count, SINGLES)
      rows.push({ name, cells: { place, count, ...cells(ingested) } })
    }
  }
  yield {
    title: 'Observing, durable, with the codebook',
    subject: { section: 'ingest' },
    columns: COLUMNS,
    rows,
    notes: [
      'A thousand turns a call, one call after the other; then single turns, by turns with appending as many ' +
        'bytes to a file and flushing them.',
      '× append + flush: the time of the calls to that of appending as many bytes to a file in as many chunks, ' +
        'each flushed. × flush: of p50.',
      'Behind: how long IndexedDB took, after the last turn was acknowledged, until it had everything.',
    ],
  }
}

async function nodeIngest(source: readonly Observation[], count: number): Promise<Ingested> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-ingest-'))
  const path = join(folder, 'memory.agidb')
  try {
    const db = await Agidb.open({ path })
    const files: Files = {
      journalBytes: async () => (await stat(join(path, 'journal.agidb'))).size,
      append: (bytes, chunks) => appended(join(folder, 'plain'), bytes, chunks),
    }
    const ingested = await ingest(db, source, count, SINGLES, files)
    const started = performance.now()
    await db.close()
    return { ...ingested, closeMs: performance.now() - started }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function appended(path: string, bytes: number, chunks: number): Promise<number[]> {
  const file = await open(path, 'a')
  const chunk = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))
  const whole = Buffer.alloc(bytes, chunk)
  const times: number[] = []
  for (let i = 0; i < chunks; i++) {
    const started = performance.now()
    await file.write(whole)
    await file.datasync()
    times.push(performance.now() - started)
  }
  await file.close()
  return times
}

function cells({
  observed,
  observeMs,
  tenths,
  appendMs,
  behindMs,
  closeMs,
  singles,
  chunks,
  bytes,
}: Ingested): TableRow['cells'] {
  return {
    'observed /s': (1000 * observed) / observeMs,
    'slowest tenth /s': Math.min(...tenths),
    '× append + flush': observeMs / appendMs,
    'behind ms': behindMs,
    'close ms': closeMs,
    'one p50 ms': quantile(singles, 0.5),
    'one p95 ms': quantile(singles, 0.95),
    'flush p50 ms': quantile(chunks, 0.5),
    'flush p95 ms': quantile(chunks, 0.95),
    '× flush': quantile(singles, 0.5) / quantile(chunks, 0.5),
    MB: bytes / 1e6,
  }
}
