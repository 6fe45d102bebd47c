import type { Agidb } from '../../src/api/agidb.js'
import type { Observation } from '../../src/api/episode.js'
import { COMMIT_EPISODES } from '../../src/write/write-queue.js'
import { grown } from '../growth.js'

/** What was measured of observing; times in milliseconds. */
export interface Ingested {
  readonly observed: number
  /** Until the last turn was acknowledged. */
  readonly observeMs: number
  /** Turns a second, in each tenth of the calls. */
  readonly tenths: readonly number[]
  /** From the last acknowledgement until all files had everything. */
  readonly behindMs: number
  /** Bytes that the journal took. */
  readonly bytes: number
  /** Of appending as many bytes in as many chunks, each flushed. */
  readonly appendMs: number
  /** Of single turns, one after the other. */
  readonly singles: readonly number[]
  /** Of appending what a single turn takes, and flushing it: a turn and a chunk by turns. */
  readonly chunks: readonly number[]
  readonly closeMs: number
}

/** What a place knows of its files. */
export interface Files {
  /** Appends chunks to a file of no meaning and flushes each; the milliseconds of each. */
  append(bytes: number, chunks: number): Promise<number[]>
  journalBytes(): Promise<number>
}

/** Turns a call. */
const BATCH = 1000
/** Single turns between two looks at what a flush takes. */
const ROUND = 20

/**
 * Observes turns grown out of a conversation as fast as it goes, then single ones; `closeMs` is for the caller to add.
 */
export async function ingest(
  db: Agidb,
  source: readonly Observation[],
  count: number,
  singles: number,
  files: Files,
): Promise<Omit<Ingested, 'closeMs'>> {
  const turns = [...grown(source, count + singles)]
  const before = await files.journalBytes()
  const ends: number[] = []
  const started = performance.now()
  for (let i = 0; i < count; i += BATCH) {
    await db.observeMany(turns.slice(i, Math.min(count, i + BATCH)))
    ends.push(performance.now())
  }
  const observeMs = performance.now() - started
  await db.flush()
  const behindMs = performance.now() - started - observeMs
  const bytes = (await files.journalBytes()) - before
  const commits = Math.ceil(BATCH / COMMIT_EPISODES) * Math.ceil(count / BATCH)
  const appended = await files.append(Math.round(bytes / commits), commits)

  const [times, chunks]: [number[], number[]] = [[], []]
  for (let i = 0; i < singles; i++) {
    if (i % ROUND === 0) chunks.push(...(await files.append(Math.round(bytes / count), ROUND)))
    const { text, ...context } = turns[count + i]
    const started = performance.now()
    await db.observe(text, context)
    times.push(performance.now() - started)
  }
  return {
    observed: count,
    observeMs,
    behindMs,
    bytes,
    chunks,
    singles: times,
    tenths: tenthsOf(started, ends, count),
    appendMs: appended.reduce((sum, ms) => sum + ms, 0),
  }
}

function tenthsOf(started: number, ends: readonly number[], count: number): number[] {
  const at = (tenth: number) => (tenth === 0 ? started : ends[Math.ceil((tenth * ends.length) / 10) - 1])
  const calls = (tenth: number) => Math.ceil((tenth * ends.length) / 10)
  return Array.from(
    { length: 10 },
    (_, i) => (1000 * (calls(i + 1) - calls(i)) * (count / ends.length)) / Math.max(1, at(i + 1) - at(i)),
  )
}
