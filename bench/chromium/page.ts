import apollo13 from '../../demo/data/apollo13.jsonl?url'
import { Agidb, type Observation } from '../../src/runtimes/browser/index.js'
import { statements } from '../floors/extract.js'
import { type Background, readInBackground } from '../extraction/background.js'
import { type ForgetTimes, forgetTimes } from '../forget/times.js'
import { ingest, type Ingested } from '../sizes/ingest.js'
import { taken, type Taken } from '../sizes/measured.js'
import { ask, type Answered, begin, type Begun, fill, type Filled, type Question } from '../sizes/story.js'
import type { Asked } from './scan.worker.js'

const NAME = 'bench'
const GROWN = 'bench-grown'
const INGESTED = 'bench-ingested'

let scanner: Worker | undefined

/** What is timed in the page, in milliseconds of its clock. */
const bench = {
  /** Observes the transcript in one call; resolves when the last utterance is durable. */
  async observe(): Promise<{
    observed: number
    elapsedMs: number
    durability: string
    kernel: string
    codebook: string
    ranker: string
  }> {
    const items = await transcript()
    const db = await Agidb.open({ name: NAME })
    const started = performance.now()
    await db.observeMany(items)
    const elapsedMs = performance.now() - started
    const { durability, kernel, codebook, ranker } = await db.stats()
    await db.close()
    return { observed: items.length, elapsedMs, durability, kernel, codebook, ranker }
  },

  /** The time until a worker has the codebook that this origin keeps: read, checked and parsed. */
  async codebook(): Promise<number> {
    const worker = new Worker(new URL('./codebook.worker.ts', import.meta.url), { type: 'module' })
    const elapsedMs = await new Promise<number>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<number>) =>
        data < 0 ? reject(new Error('there is no codebook')) : resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })
    worker.terminate()
    return elapsedMs
  },

  /** Opens what is there and asks; resolves with the time from the call of `open` to the first answer. */
  async reopen(cue: string): Promise<number> {
    const started = performance.now()
    const db = await Agidb.open({ name: NAME })
    await db.recall(cue)
    const elapsedMs = performance.now() - started
    await db.close()
    return elapsedMs
  },

  /** The time of each recall in so many rounds, its way to the worker and back included. */
  async recall(cues: readonly string[], rounds: number): Promise<number[]> {
    const db = await Agidb.open({ name: NAME })
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (const cue of cues) {
        const started = performance.now()
        await db.recall(cue)
        times.push(performance.now() - started)
      }
    }
    await db.close()
    return times
  },

  /** Forgets a session and single episodes of a memory that has so many turns. */
  async forget(count: number, consolidated: boolean): Promise<ForgetTimes> {
    const db = await Agidb.open({ name: 'bench-forgetting', extract: 'none', seed: 1 })
    try {
      return await forgetTimes(db, await transcript(), count, consolidated)
    } finally {
      await db.close()
    }
  },

  /**
   * Consolidates the transcript with the triples of a small extractor; recalls before and meanwhile, if there are cues.
   */
  async consolidate(
    cues: readonly string[],
    pauseMs: number,
  ): Promise<{ elapsedMs: number; atoms: number; idle: number[]; meanwhile: number[] }> {
    const db = await Agidb.open({ name: 'bench-consolidation' })
    await db.observeMany((await transcript()).map((item) => ({ ...item, triples: statements(item) })))
    await recallsOf(db, cues, 0, (count) => count < 50)
    const idle = await recallsOf(db, cues, pauseMs, (count) => count < 150)
    let over = false
    const run = db.consolidate().finally(() => (over = true))
    const meanwhile = await recallsOf(db, cues, pauseMs, () => !over)
    const { elapsedMs, atomsFormed } = await run
    await db.close()
    return { elapsedMs, atoms: atomsFormed.length, idle, meanwhile }
  },

  /** Observes so many turns grown out of a conversation; the garbage of making them stays in this page. */
  async grow(source: readonly Observation[], count: number, queries: number): Promise<Filled> {
    return fill(await Agidb.open({ name: GROWN }), source, count, queries)
  },

  /** Observes turns grown out of a conversation, all of them made before, then some one by one. */
  async ingest(source: readonly Observation[], count: number, singles: number): Promise<Ingested> {
    const db = await Agidb.open({ name: INGESTED })
    const ingested = await ingest(db, source, count, singles, {
      append: appended,
      journalBytes: async () => {
        const root = await navigator.storage.getDirectory()
        const folder = await (await root.getDirectoryHandle('agidb')).getDirectoryHandle(`db-${INGESTED}`)
        return (await (await folder.getFileHandle('journal.agidb')).getFile()).size
      },
    })
    const started = performance.now()
    await db.close()
    return { ...ingested, closeMs: performance.now() - started }
  },

  /** Reads texts for statements behind observing and asking. */
  async extract(texts: readonly Observation[], cues: readonly string[]): Promise<Background> {
    const db = await Agidb.open({ name: 'bench-extraction' })
    try {
      return await readInBackground(db, texts, cues)
    } finally {
      await db.close()
    }
  },

  /** Has a worker make ready the scans of so many signatures; their names. */
  async scans(signatures: number): Promise<string[]> {
    scanner = new Worker(new URL('./scan.worker.ts', import.meta.url), { type: 'module' })
    return answered<string[]>(scanner, signatures)
  },

  /** The time that one of them takes for a query, by the worker's clock. */
  scan(contender: number, query: number): Promise<number> {
    return answered<number>(scanner!, { contender, query })
  },

  /** The times of MiniSearch for the same questions. It is loaded when it is wanted: the others need none of it. */
  async miniSearch(
    source: readonly Observation[],
    count: number,
    questions: readonly Question[],
  ): Promise<number[] | undefined> {
    const { askMiniSearch } = await import('../sizes/minisearch.js')
    return askMiniSearch(source, count, questions)
  },

  /** Opens what was grown, and asks; leaves it open, so that its memory can be measured. */
  async ask(questions: readonly Question[]): Promise<Begun & Answered & { diskBytes: number } & Taken> {
    const { db, ...begun } = await begin(() => Agidb.open({ name: GROWN }), questions[0].cue)
    const answered = await ask(db, questions)
    const { bytes: diskBytes, ...stats } = await db.stats()
    return { ...begun, ...answered, diskBytes, ...taken(stats) }
  },
}

function answered<T>(worker: Worker, asked: Asked): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(asked)
  })
}

/** Appends chunks to a file in a worker and flushes each; the milliseconds of each. */
function appended(bytes: number, chunks: number): Promise<number[]> {
  const worker = new Worker(new URL('./append.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<number[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage({ bytes, chunks, name: 'bench-append' })
  }).finally(() => worker.terminate())
}

async function transcript(): Promise<(Observation & { readonly speaker: string })[]> {
  return (await (await fetch(apollo13)).text())
    .trim()
    .split('\n')
    .map((line) => {
      const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
      return { at, speaker, text, session: 'transcript' }
    })
}

/** The time of each recall, one after the other with a pause before each; its way to the worker and back included. */
async function recallsOf(
  db: Agidb,
  cues: readonly string[],
  pauseMs: number,
  goesOn: (count: number) => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (cues.length > 0 && goesOn(times.length)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const started = performance.now()
    await db.recall(cues[times.length % cues.length])
    times.push(performance.now() - started)
  }
  return times
}

declare global {
  interface Window {
    bench: typeof bench
  }
}

window.bench = bench
