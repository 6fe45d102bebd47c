import { Agidb, type Observation } from '../../src/runtimes/browser/index.js'

/** What was seen of the page's thread while something ran; milliseconds. */
export interface Watched {
  readonly elapsedMs: number
  /**
   * Tasks of 50 and more, as the browser reports them, the time included for which the thread did not get the
   * processor.
   */
  readonly longTasks: number[]
  /** Between two ticks of a timer, beyond what the timer takes by itself. */
  readonly gaps: number[]
}

/** Browsers hold nested timers back for so long. */
const TICK_MS = 4

let db: Agidb

/** What a page asks of a memory, each watched. */
const longTasks = {
  open: (name: string) => watched(async () => void (db = await Agidb.open({ name }))),
  observeMany: (items: readonly Observation[]) => watched(() => db.observeMany(items)),
  recall: (cues: readonly string[]) =>
    watched(async () => {
      for (const cue of cues) await db.recall(cue)
    }),
  stats: () => watched(() => db.stats()),
  /** In pages as long as they may be. */
  walk: (expected: number) =>
    watched(async () => {
      let count = 0
      for await (const page of db.episodes({ limit: 10_000 })) count += page.length
      if (count !== expected) throw new Error(`${count} episodes were walked, not ${expected}`)
    }),
  /** Reads an export to its end and keeps nothing of it, as a page does that hands it on. */
  export: () =>
    watched(async () => {
      let bytes = 0
      for await (const chunk of await db.export()) bytes += chunk.length
      if (bytes === 0) throw new Error('the export is empty')
    }),
  /** As far as so many episodes. */
  consolidate: (most: number) =>
    watched(async () => {
      const enough = new AbortController()
      const onProgress = ({ done }: { done: number }) => void (done >= most && enough.abort())
      await db.consolidate({ signal: enough.signal, onProgress }).catch((error: unknown) => {
        if (!enough.signal.aborted) throw error
      })
    }),
  close: () => watched(() => db.close()),

  /** What must not happen: the page's thread works for so long without a break. */
  block: (ms: number) =>
    watched(async () => {
      await new Promise((resolve) => setTimeout(resolve, 0)) // in a task of its own
      for (const end = performance.now() + ms; performance.now() < end; );
    }),

  /** For comparison: a worker is as busy, and the page asks nothing. */
  async control(ms: number): Promise<Watched> {
    const source =
      'const end = performance.now() + ' +
      String(ms) +
      '; while (performance.now() < end) JSON.parse(JSON.stringify(Array(1000).fill({ a: 1 }))); postMessage(0)'
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    const seen = await watched(() => new Promise((resolve) => (worker.onmessage = resolve)))
    worker.terminate()
    return seen
  },
}

async function watched(run: () => Promise<unknown>): Promise<Watched> {
  const seen: number[] = []
  const gaps: number[] = []
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ entryTypes: ['longtask'] })
  let last = performance.now()
  let timer: ReturnType<typeof setTimeout>
  const tick = () => {
    const now = performance.now()
    gaps.push(now - last - TICK_MS)
    last = now
    timer = setTimeout(tick, TICK_MS)
  }
  timer = setTimeout(tick, TICK_MS)
  await run()
  const elapsedMs = performance.now() - last + gaps.reduce((sum, gap) => sum + gap + TICK_MS, 0)
  await new Promise((resolve) => setTimeout(resolve, 100)) // entries come late
  clearTimeout(timer)
  seen.push(...observer.takeRecords().map(({ duration }) => duration))
  observer.disconnect()
  return { elapsedMs, longTasks: seen, gaps }
}

declare global {
  interface Window {
    longTasks: typeof longTasks
  }
}

window.longTasks = longTasks
