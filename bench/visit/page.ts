import { Agidb, type BrowserOptions } from '../../src/runtimes/browser/index.js'

/** How long a first visit takes, in milliseconds since the page asked for the memory. */
export interface Visited {
  readonly openMs: number
  /** To the first answer, after one observation. */
  readonly answerMs: number
  /** To an answer with the codebook. */
  readonly wholeMs: number
  readonly kernel: string
  readonly ranker: string
}

const visit = {
  /** Opens a memory that keeps nothing, observes, and asks; `answered` is called after the first answer. */
  async run(options: Pick<BrowserOptions, 'codebook'>, question: string): Promise<Visited> {
    const started = performance.now()
    const elapsed = (): number => performance.now() - started
    const db = await Agidb.open({ storage: 'memory', ...options })
    const openMs = elapsed()
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah' })
    await db.recall(question)
    const answerMs = elapsed()
    await window.answered()
    await db.recall(question, { whole: true })
    const wholeMs = elapsed()
    const { kernel, ranker } = await db.stats()
    await db.close()
    return { openMs, answerMs, wholeMs, kernel, ranker }
  },
}

declare global {
  interface Window {
    visit: typeof visit
    /** Told when the first answer is there. */
    answered(): Promise<void>
  }
}

window.visit = visit
