import apollo13 from '../../demo/data/apollo13.jsonl?url'
import { Agidb, type Observation } from '../../src/browser.js'

const NAME = 'bench'

/** What is timed in the page, in milliseconds of its clock. */
const bench = {
  /** Observes the transcript in one call; resolves when the last utterance is durable. */
  async observe(): Promise<{ observed: number; elapsedMs: number; durability: string; kernel: string; codebook: string; ranker: string }> {
    const items = (await (await fetch(apollo13)).text()).trim().split('\n').map((line): Observation => {
      const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
      return { at, speaker, text, session: 'transcript' }
    })
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
      worker.onmessage = ({ data }: MessageEvent<number>) => (data < 0 ? reject(new Error('there is no codebook')) : resolve(data))
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
}

declare global {
  interface Window {
    bench: typeof bench
  }
}

window.bench = bench
