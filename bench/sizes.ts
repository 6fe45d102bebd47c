import type { Observation } from '../src/core/episode.js'
import { quantile } from './section.js'
import type { Measured } from './sizes/measured.js'
import type { Table, TableRow } from './tabular.js'

/** Where the engine runs: in this machine's Node with a folder, or in Chromium's worker with its origin's private files. */
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

const COLUMNS = ['observe /s', 'last tenth /s', 'close s', 'open ms', 'open to answer ms', 'recall p50 ms', 'recall p95 ms', 'one session p50 ms', 'one session p95 ms', 'hit@10', 'kernel MB', 'JS heap MB', 'buffers MB', 'RSS MB', 'disk MB']

/** The engine from end to end, all signals on, as it grows: a table for each place. */
export async function* endToEnd({ source, transcripts, places, sizes, queries }: SizesOptions): AsyncGenerator<Table> {
  for (const place of places) {
    const rows: TableRow[] = []
    for (const count of sizes) rows.push(await measured(place, count))
    yield {
      title: place === 'node' ? `The engine in Node ${process.versions.node}, in a folder` : 'The engine in Chromium, in a worker with the private files of its origin',
      subject: { section: 'sizes', place },
      columns: COLUMNS,
      rows,
      notes: ['Observed a thousand turns a call. Opened, asked and its memory measured in a process of its own. One session: a hundredth of all turns.'],
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
  const { observed, observeMs, lastTenth, closeMs, openMs, answerMs, recalls, filtered, hits, kernelBytes, heapBytes, bufferBytes, residentBytes, diskBytes } = figures
  const mb = (bytes: number | undefined) => bytes && bytes / 1e6
  return {
    'observe /s': (1000 * observed) / observeMs,
    'last tenth /s': lastTenth,
    'close s': closeMs / 1000,
    'open ms': openMs,
    'open to answer ms': answerMs,
    'recall p50 ms': quantile(recalls, 0.5),
    'recall p95 ms': quantile(recalls, 0.95),
    'one session p50 ms': quantile(filtered, 0.5),
    'one session p95 ms': quantile(filtered, 0.95),
    'hit@10': hits,
    'kernel MB': mb(kernelBytes),
    'JS heap MB': mb(heapBytes),
    'buffers MB': mb(bufferBytes),
    'RSS MB': mb(residentBytes),
    'disk MB': mb(diskBytes),
  }
}
