import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/** What was run of a script, as V8 counts it. */
interface Run {
  readonly scriptId: string
  readonly url: string
  readonly functions: unknown[]
}

/** A file that is written. */
export interface Recording {
  /** The scripts as they were run, by address. */
  readonly sources: Record<string, string>
  readonly runs: readonly Run[]
}

/** How often what was run is fetched: a worker that ends takes with it what was not. */
const EVERY_MS = 1000

let pages = 0

/**
 * Records what the workers of a browser run of `src/storage` and `src/transfer`: block by block, as V8 counts it, in
 * files in a folder. Answers the function that ends it.
 */
export async function recordWorkers(context: BrowserContext, folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const recordings: Promise<() => Promise<void>>[] = []
  const add = (page: Page): void => void recordings.push(recordPage(context, page, folder))
  context.on('page', add)
  context.pages().forEach(add)
  await Promise.all(recordings)
  return async () => {
    for (const stop of await Promise.all(recordings)) await stop()
  }
}

async function recordPage(context: BrowserContext, page: Page, folder: string): Promise<() => Promise<void>> {
  const cdp = await context.newCDPSession(page)
  const workers = new Map<string, Worker>()
  const sources: Recording['sources'] = {}
  const runs: Run[] = []
  cdp.on('Target.attachedToTarget', ({ sessionId }) => {
    const worker = new Worker(cdp, sessionId, sources)
    workers.set(sessionId, worker)
    void worker.start()
  })
  cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
    workers.get(sessionId)?.end()
    workers.delete(sessionId)
  })
  cdp.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => workers.get(sessionId)?.receive(message))
  const take = async (): Promise<void> => {
    for (const worker of workers.values()) runs.push(...(await worker.take()))
  }
  // Workers wait until they are told to go on, so that nothing is run uncounted.
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false })
  let taking = Promise.resolve()
  const timer = setInterval(() => (taking = taking.then(take)), EVERY_MS)
  return async () => {
    clearInterval(timer)
    await taking
    await take()
    await writeFile(
      join(folder, `${process.pid}-${pages++}.json`),
      JSON.stringify({ sources, runs } satisfies Recording),
    )
  }
}

/** A worker that is counted in: commands are sent to it by way of its page. */
class Worker {
  readonly #answers = new Map<number, (result: unknown) => void>()
  #last = 0
  #started: Promise<unknown> | undefined

  constructor(
    private readonly cdp: CDPSession,
    private readonly sessionId: string,
    private readonly sources: Recording['sources'],
  ) {}

  start(): Promise<unknown> {
    void this.#send('Profiler.enable')
    void this.#send('Debugger.enable')
    void this.#send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    this.#started = this.#send('Runtime.runIfWaitingForDebugger')
    return this.#started
  }

  receive(message: string): void {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown }
    if (id === undefined) return
    this.#answers.get(id)?.(result)
    this.#answers.delete(id)
  }

  /** It is gone: nothing is answered any more. */
  end(): void {
    for (const answer of this.#answers.values()) answer(undefined)
    this.#answers.clear()
  }

  /** What was run since it was last asked. */
  async take(): Promise<Run[]> {
    await this.#started
    const { result = [] } = ((await this.#send('Profiler.takePreciseCoverage')) ?? {}) as { result?: Run[] }
    const runs = result.filter(({ url }) => /\/src\/(storage|transfer)\//.test(url))
    for (const { scriptId, url } of runs) {
      if (url in this.sources) continue
      const script = (await this.#send('Debugger.getScriptSource', { scriptId })) as
        | { scriptSource: string }
        | undefined
      if (script) this.sources[url] = script.scriptSource
    }
    return runs
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#last
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      const message = JSON.stringify({ id, method, params })
      this.cdp.send('Target.sendMessageToTarget', { sessionId: this.sessionId, message }).catch(() => this.end())
    })
  }
}
