import type { Observation } from '../src/api/episode.js'
import { quantile } from './section.js'
import type { Measured } from './sizes/measured.js'
import type { Table, TableRow } from './tabular.js'

/**
 * Where the engine runs: in this machine's Node with a folder, or in Chromium's worker with its origin's private files.
 */
export type Place = 'node' | 'chromium'

/** What is measured as it grows. */
export interface SizesOptions {
  readonly source: readonly Observation[]
  /** The files that the source was read from. */
  readonly transcripts: readonly string[]
  readonly places: readonly Place[]
  readonly sizes: readonly number[]
  readonly queries: number
}

/** The p50 of recall over that of MiniSearch. */
const TO_MINISEARCH = 'recall p50 to MiniSearch'

/** The figures of a row, by the name of its column. */
const COLUMNS: Readonly<Record<string, (figures: Measured) => number | undefined>> = {
  'observe /s': ({ observed, observeMs }) => (1000 * observed) / observeMs,
  'last tenth /s': ({ lastTenth }) => lastTenth,
  'observe, processor µs each': ({ observed, observeCpuMs }) => observeCpuMs && (1000 * observeCpuMs) / observed,
  'close s': ({ closeMs }) => closeMs / 1000,
  'open ms': ({ openMs }) => openMs,
  'open to answer ms': ({ answerMs }) => answerMs,
  'of so many episodes': ({ answered }) => answered,
  'open to complete answer ms': ({ completeMs }) => completeMs,
  'open to all texts read ms': ({ readMs }) => readMs,
  'open to all texts read, processor ms': ({ openCpuMs }) => openCpuMs,
  'first recalls p50 ms': ({ first }) => quantile(first, 0.5),
  'first recalls p95 ms': ({ first }) => quantile(first, 0.95),
  'recall p50 ms': ({ recalls }) => quantile(recalls, 0.5),
  'recall p95 ms': ({ recalls }) => quantile(recalls, 0.95),
  'one session p50 ms': ({ filtered }) => quantile(filtered, 0.5),
  'one session p95 ms': ({ filtered }) => quantile(filtered, 0.95),
  'recall, processor ms, mean of both': ({ recallCpuMs }) => recallCpuMs,
  'MiniSearch with stems p50 ms': ({ miniSearch }) => miniSearch && quantile(miniSearch, 0.5),
  [TO_MINISEARCH]: ({ recalls, miniSearch }) => miniSearch && quantile(recalls, 0.5) / quantile(miniSearch, 0.5),
  'hit@10': ({ hits }) => hits,
  'threads beside': ({ threads }) => threads,
  'WASM MB': ({ wasmBytes }) => wasmBytes / 1e6,
  'JS heap MB': ({ heapBytes }) => heapBytes / 1e6,
  'buffers MB': ({ bufferBytes }) => bufferBytes / 1e6,
  'all by its own account MB': ({ memoryBytes }) => memoryBytes / 1e6,
  'process MB': ({ residentBytes }) => residentBytes && residentBytes / 1e6,
  'disk MB': ({ diskBytes }) => diskBytes / 1e6,
}

/**
 * Recall's p50 over that of MiniSearch with stems, by size: `recall10k` in Node, `recall10kChromium` in Chromium.
 */
export function ratiosOf(tables: readonly Table[]): Record<string, number> {
  const ratios: Record<string, number> = {}
  for (const { subject, rows } of tables) {
    if (subject?.section !== 'sizes') continue
    for (const { cells } of rows) {
      const ratio = cells[TO_MINISEARCH]
      if (typeof ratio === 'number')
        ratios[`recall${Number(cells['count']) / 1000}k${subject.place === 'chromium' ? 'Chromium' : ''}`] = ratio
    }
  }
  return ratios
}

/** The engine from end to end, all signals on, as it grows: a table for each place. */
export async function* endToEnd({ source, transcripts, places, sizes, queries }: SizesOptions): AsyncGenerator<Table> {
  for (const place of places) {
    const rows: TableRow[] = []
    for (const count of sizes) rows.push(await measured(place, count))
    yield {
      title:
        place === 'node'
          ? `The engine in Node ${process.versions.node}, in a folder`
          : 'The engine in Chromium, in a worker with the private files of its origin',
      subject: { section: 'sizes', place },
      columns: Object.keys(COLUMNS),
      rows,
      notes: [
        'Observed a thousand turns a call. Opened, asked and its memory measured in a process of its own. One ' +
          'session: a hundredth of all turns.',
      ],
    }
  }

  async function measured(place: Place, count: number): Promise<TableRow> {
    const name = `${count.toLocaleString('en')} turns`
    try {
      const figures =
        place === 'node'
          ? await (await import('./sizes/node.js')).measureNode(transcripts, count, queries)
          : await (await import('./chromium.js')).chromiumGrown(source, count, queries)
      return { name, cells: { count, ...cells(figures) } }
    } catch (error) {
      return { name, cells: { count }, failure: error instanceof Error ? error.message.split('\n')[0] : String(error) }
    }
  }
}

function cells(figures: Measured): TableRow['cells'] {
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, figure]) => [name, figure(figures)]))
}
