import type { RecallOptions } from '../../src/api/recall.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { grown } from '../growth.js'
import { quantile } from '../section.js'
import type { Table, TableRow } from '../tabular.js'
import { readTurns } from '../turns.js'

/** Episodes that are observed at a time. */
const BATCH = 1_000
/** Recalls of each question, with and without graphs in turns. */
const ROUNDS = 7

const BASE = 'no graph'
const WAYS: Readonly<Record<string, RecallOptions>> = {
  [BASE]: { graph: false },
  'PageRank alone': { graph: { forward: 0, backward: 0 } },
  'all but PageRank': { graph: { pageRank: 0 } },
  'all graphs': {},
}

/**
 * Time of a recall of ten with all graphs and without any, in turns on the same memory: grown out of a transcript, with
 * what its texts state.
 */
export async function graphSpeed(
  transcript: string,
  counts: readonly number[],
  cues: readonly string[],
): Promise<Table> {
  const rows: TableRow[] = []
  for (const count of counts) {
    const db = await Agidb.open({
      storage: 'memory',
      seed: 1,
      autoConsolidate: false,
      learnFromRecall: false,
      extract: 'rules',
    })
    try {
      await fill(db, transcript, count)
      rows.push(...(await timed(db, count, cues)))
    } finally {
      await db.close()
    }
  }
  return {
    title: 'Recall of ten with and without graphs, in turns',
    subject: { section: 'graph-speed' },
    columns: ['episodes', 'p50 ms', 'p95 ms', 'ratio p50', 'ratio p95', 'more p50 ms', 'more p95 ms'],
    rows,
    notes: [
      `Of each question the shortest of ${ROUNDS} recalls: a busy machine makes the others longer. More: what a`,
      'question takes longer with graphs than without.',
    ],
  }
}

async function fill(db: Agidb, transcript: string, count: number): Promise<void> {
  let batch = []
  for (const turn of grown(await readTurns(transcript), count)) {
    batch.push(turn)
    if (batch.length < BATCH) continue
    await db.observeMany(batch)
    batch = []
  }
  if (batch.length > 0) await db.observeMany(batch)
  // Waits until all texts are read.
  await db.recall('anything', { whole: true })
}

async function timed(db: Agidb, count: number, cues: readonly string[]): Promise<TableRow[]> {
  const ways = Object.keys(WAYS)
  const times = Object.fromEntries(ways.map((way) => [way, [] as number[]]))
  for (const cue of cues) {
    const best = Object.fromEntries(ways.map((way) => [way, Infinity]))
    for (let round = 0; round < ROUNDS; round++)
      // Who comes later finds what the others have read still in the cache.
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const started = performance.now()
        await db.recall(cue, WAYS[way])
        best[way] = Math.min(best[way], performance.now() - started)
      }
    for (const way of ways) times[way].push(best[way])
  }
  const base = times[BASE]
  const more = (way: string, q: number) =>
    quantile(
      times[way].map((time, i) => time - base[i]),
      q,
    )
  return ways.map((name) => ({
    name,
    cells: {
      episodes: count,
      'p50 ms': quantile(times[name], 0.5),
      'p95 ms': quantile(times[name], 0.95),
      'ratio p50': quantile(times[name], 0.5) / quantile(base, 0.5),
      'ratio p95': quantile(times[name], 0.95) / quantile(base, 0.95),
      ...(name !== BASE && { 'more p50 ms': more(name, 0.5), 'more p95 ms': more(name, 0.95) }),
    },
  }))
}
