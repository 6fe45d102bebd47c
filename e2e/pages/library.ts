import { Agidb, AgidbError, type BrowserOptions, type Observation } from '../../src/browser.js'

/** The library, for tests that run code in the page. */
const library = {
  open: (options: BrowserOptions) => Agidb.open(options),

  /** Opens with a worker that the page can end. */
  async openWithWorker(options: BrowserOptions): Promise<{ db: Agidb; worker: Worker }> {
    const worker = new Worker(new URL('../../workers/engine.ts', import.meta.url), { type: 'module' })
    return { db: await Agidb.open({ ...options, worker }), worker }
  },

  /** How a call fails: what an AgidbError carries, or `undefined` if it does not fail. */
  async failure(call: Promise<unknown>): Promise<{ code: string; message: string; details: unknown } | undefined> {
    try {
      await call
      return undefined
    } catch (error) {
      if (!(error instanceof AgidbError)) throw error
      const { code, message, details } = error
      return { code, message, details }
    }
  },

  observations: (count: number, prefix: string): Observation[] =>
    Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}`, text: `Note ${i} of ${prefix}: the ${i % 7 ? 'tank' : 'valve'} was checked.` })),
}

declare global {
  interface Window {
    library: typeof library
    /** What a test keeps in the page from one step to the next. */
    kept: { db: Agidb; worker?: Worker }
    /** Tells the test what was acknowledged. */
    acknowledged(id: string): Promise<void>
  }
}

window.library = library
