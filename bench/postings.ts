import type { CheckpointParts } from '../src/base/checkpoint-parts.js'
import type { Observation } from '../src/api/episode.js'
import { termCounts } from '../src/encoding/tokens.js'
import { Postings } from '../src/indexes/postings/postings.js'
import { NaivePostings } from '../test/unit/indexes/naive-postings.js'
import { grown, Questions } from './growth.js'
import { quantile } from './section.js'
import type { Table, TableRow } from './tabular.js'

/** How many the recall asks for. */
const DEPTH = 200
/** Documents that are added at a time: to one, then to the other. */
const BATCH = 1_000
const ROUNDS = 5
/** As many index terms as a cue has that is a sentence or two. */
const CUE_TERMS = [8, 12] as const

type Counts = ReadonlyMap<string, number>

/**
 * The posting lists beside naive ones, arrays of slots and frequencies that are summed up for every question: the same
 * texts grown out of a transcript, the same questions, in turns. Throws where the answers are not the same to the bit.
 */
export async function* postingLists(
  source: readonly Observation[],
  sizes: readonly number[],
  queries: number,
): AsyncGenerator<Table> {
  for (const size of sizes) yield compared(source, size, queries)
}

function compared(source: readonly Observation[], size: number, queries: number): Table {
  const postings = new Postings()
  const naive = new NaivePostings()
  const adding = { postings: 0, naive: 0 }
  const questions = new Questions(size, 2 * queries)
  let entries = 0
  let slot = 0
  for (const batch of batches(grown(source, size))) {
    const counts = batch.map((turn, i) => {
      questions.offer(slot + i, turn)
      return termCounts(`${turn.speaker}: ${turn.text}`)
    })
    entries += counts.reduce((sum, { size }) => sum + size, 0)
    // The one that goes first pays for what is not in the caches.
    const runs = [
      () => (adding.postings += timed(() => counts.forEach((terms, i) => postings.add(slot + i, terms)))),
      () => (adding.naive += timed(() => counts.forEach((terms, i) => naive.add(slot + i, terms)))),
    ]
    if ((slot / BATCH) % 2 === 1) runs.reverse()
    for (const run of runs) run()
    slot += batch.length
  }
  const cues = cuesOf(questions, queries)
  const found = { postings: [] as number[], naive: [] as number[] }
  let [asked, searched] = [0, 0]
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, cue] of cues.entries()) {
      const answers: unknown[] = []
      const runs: ['postings' | 'naive', () => unknown][] = [
        ['postings', () => postings.search(cue, DEPTH)],
        ['naive', () => naive.search(cue, DEPTH)],
      ]
      for (const [name, run] of (round + i) % 2 === 0 ? runs : runs.reverse()) {
        const ms = timed(() => answers.push(run()))
        // The first round lets the compilers finish.
        if (round >= 0) found[name].push(ms)
      }
      if (round < 0) {
        searched = postings.searched
        if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1]))
          throw new Error(`the answers to ${[...cue.keys()].join(' ')} differ`)
        asked += [...cue.keys()].reduce((sum, term) => sum + postings.documentFrequency(term), 0)
      }
    }
  }
  return {
    title:
      `Posting lists of ${size.toLocaleString('en')} texts: the ${DEPTH} best for ${cues.length} cues of ` +
      `${CUE_TERMS.join(' to ')} terms, Node ${process.versions.node}`,
    subject: { section: 'postings', count: size },
    columns: ['add, µs', 'p50, ms', 'p95, ms', 'B a posting', 'B a text', 'load, ms'],
    rows: [
      {
        name: 'posting lists',
        cells: {
          ...row(adding.postings, size, found.postings),
          'B a posting': postings.bytes / entries,
          'B a text': postings.bytes / size,
          'load, ms': loading(postings),
        },
      },
      { name: 'naive', cells: row(adding.naive, size, found.naive) },
    ],
    notes: [
      `${(100 * (1 - searched / asked)).toFixed(0)} % of the postings of a cue are passed over; ` +
        `${(entries / size).toFixed(1)} postings a text, ${postings.terms.toLocaleString('en')} terms`,
    ],
  }
}

/** Cues of two questions about texts at a time, as long as there is enough to them. */
function cuesOf({ asked }: Questions, queries: number): Counts[] {
  const [least, most] = CUE_TERMS
  const cues: Counts[] = []
  for (let i = 0; i + 1 < asked.length; i += 2) {
    const terms = [...new Set([asked[i], asked[i + 1]].flatMap(({ cue }) => [...termCounts(cue).keys()]))]
    if (terms.length >= least && cues.length < queries)
      cues.push(new Map(terms.slice(0, most).map((term) => [term, 1])))
  }
  return cues
}

function row(adding: number, size: number, found: readonly number[]): TableRow['cells'] {
  return { 'add, µs': (1000 * adding) / size, 'p50, ms': quantile(found, 0.5), 'p95, ms': quantile(found, 0.95) }
}

/** How long it takes to load what was kept, ms. */
function loading(postings: Postings): number {
  const parts: CheckpointParts = new Map()
  postings.save(parts, 'postings')
  return timed(() => new Postings().load(parts, 'postings'))
}

function* batches(turns: Iterable<Observation>): Generator<Observation[]> {
  let batch: Observation[] = []
  for (const turn of turns) {
    batch.push(turn)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Milliseconds. */
function timed(run: () => unknown): number {
  const started = performance.now()
  run()
  return performance.now() - started
}
