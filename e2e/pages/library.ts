import {
  Agidb,
  AgidbError,
  type BrowserOptions,
  type MemoryChange,
  type Observation,
  type Recall,
} from '../../src/runtimes/browser/index.js'
import { sync, type SyncReport } from '../../src/adapters/sync/index.js'
import { PERCEIVING, perceivedBits } from '../../test/runtimes/perceived-bits.js'
import { type Answers, rememberAndRecall } from '../../test/runtimes/remember-and-recall.js'
import type { Loaded } from './loading.worker.js'
import type { Shared } from './shards.worker.js'
import type { Twins } from './twins.worker.js'
import twinsWorker from './twins.worker.ts?worker&url'
import userWorker from './user.worker.ts?worker&url'

/** The library, for tests that run code in the page. */
const library = {
  open: (options: BrowserOptions) => Agidb.open(options),

  /** The signatures of some latents. */
  perceivedBits: async () => perceivedBits(await Agidb.open({ storage: 'memory', ...PERCEIVING })),

  /** Opens with a worker that the page can end. */
  async openWithWorker(options: BrowserOptions): Promise<{ db: Agidb; worker: Worker }> {
    const worker = new Worker(new URL('../../workers/engine.ts', import.meta.url), { type: 'module' })
    return { db: await Agidb.open({ ...options, worker }), worker }
  },

  /** Opens with a worker that can be told to sleep. */
  async openSleepy(options: BrowserOptions): Promise<{ db: Agidb }> {
    const worker = new Worker(new URL('./sleepy-engine.worker.ts', import.meta.url), { type: 'module' })
    return { db: await Agidb.open({ ...options, worker }) }
  },

  /** What an engine answers that shares its scans with another thread, and one that does not. */
  shared: (): Promise<Shared> => told(new Worker(new URL('./shards.worker.ts', import.meta.url), { type: 'module' })),

  /** What a large memory answers while older memories are still being loaded, and after it. */
  loaded: (): Promise<Loaded> => told(new Worker(new URL('./loading.worker.ts', import.meta.url), { type: 'module' })),

  /** Compares memories that forgot with twins that never knew, on so many random histories. */
  twins: (runs: number, seed: number): Promise<Twins> => {
    const url = asking(twinsWorker, { runs: String(runs), seed: String(seed) })
    return told(new Worker(url, { type: 'module' }))
  },

  /** The address of a worker that uses the library, and answers on the channel `user-` and this word. */
  userWorker: (kind: string): URL => asking(userWorker, { kind }),

  /** Remembers in an engine whose clock stands still, and asks. */
  async answersAtNoon(
    observations: readonly Observation[],
    cues: readonly string[],
  ): Promise<{ codebook: string; ranker: string; recalls: Recall[] }> {
    const worker = new Worker(new URL('./engine-at-noon.worker.ts', import.meta.url), { type: 'module' })
    const db = await Agidb.open({ storage: 'memory', seed: 7, worker, autoConsolidate: false })
    await db.observeMany(observations)
    await db.recall('anything', { whole: true })
    while ((await db.stats()).codebookPending !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    const recalls: Recall[] = []
    for (const cue of cues) recalls.push(await db.recall(cue, { traceAttention: true }))
    const { codebook, ranker } = await db.stats()
    await db.close()
    return { codebook, ranker, recalls }
  },

  /** What all floors answer in an engine whose clock stands still. */
  async allFloorsAtNoon(options: Partial<BrowserOptions>): Promise<Answers> {
    const worker = new Worker(new URL('./engine-at-noon.worker.ts', import.meta.url), { type: 'module' })
    const db = await Agidb.open({ storage: 'memory', worker, ...options } as BrowserOptions)
    while ((await db.stats()).codebookPending !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
    return rememberAndRecall(db)
  },

  /** What a memory says of its codebook once it is there or cannot be had. */
  async codebook(options: BrowserOptions): Promise<{ id: string; problem?: string; late?: unknown; best?: string }> {
    const db = await Agidb.open(options)
    const [best] = (await db.recall('who had trouble with the car?', { whole: true })).matches
    const { codebook: id, opening } = await db.stats()
    await db.close()
    const event = (kind: string) => opening.find((event) => event.kind === kind)
    return { id, problem: event('no-codebook')?.message, late: event('codebook-late')?.details, best: best?.text }
  },

  /** The codebooks that this origin keeps, by path, and how to damage them. */
  async keptCodebooks(damage = false): Promise<string[]> {
    const cache = await caches.open('agidb-codebook')
    const keys = await cache.keys()
    if (damage) for (const key of keys) await cache.put(key, new Response('damaged'))
    return keys.map(({ url }) => new URL(url).pathname).sort()
  },

  /** Two memories exchange what they hold over a pair of streams. */
  exchange: (a: Agidb, b: Agidb, maxBytes?: number): Promise<[SyncReport, SyncReport]> => {
    const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
    return Promise.all([
      sync(a, { readable: there.readable, writable: back.writable }, { maxBytes }),
      sync(b, { readable: back.readable, writable: there.writable }, { maxBytes }),
    ])
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

  salvage: (name: string, passphrase?: string, repair?: boolean) => Agidb.salvage({ name, passphrase, repair }),

  /** The files of a database in OPFS. */
  async files(name: string): Promise<File[]> {
    const found: File[] = []
    for await (const [, file] of (await folderOf(name)).entries())
      found.push(await (file as FileSystemFileHandle).getFile())
    return found.filter(({ size }) => size > 0)
  },

  /**
   * Writes over stretches of a file of a database in OPFS, which nobody may have open. Negative places are from the
   * end.
   */
  async overwrite(
    name: string,
    file: string,
    stretches: readonly (readonly [at: number, bytes: number])[],
  ): Promise<void> {
    const handle = await (await folderOf(name)).getFileHandle(file)
    const { size } = await handle.getFile()
    const writing = await handle.createWritable({ keepExistingData: true })
    for (const [at, bytes] of stretches)
      await writing.write({
        type: 'write',
        position: at < 0 ? size + at : at,
        data: crypto.getRandomValues(new Uint8Array(bytes)),
      })
    await writing.close()
  },

  observations: (count: number, prefix: string): Observation[] =>
    Array.from({ length: count }, (_, i) => ({
      id: `${prefix}${i}`,
      text: `Note ${i} of ${prefix}: the ${i % 7 ? 'tank' : 'valve'} was checked.`,
    })),
}

/** The address of a worker that reads what it is to do there; a development server has a question of its own in it. */
function asking(address: string, values: Readonly<Record<string, string>>): URL {
  return new URL(`${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(values)}`, location.href)
}

/** What a worker tells, which is all that it is for. */
function told<T>(worker: Worker): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  }).finally(() => worker.terminate())
}

async function folderOf(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('agidb')
  return root.getDirectoryHandle(`db-${name}`)
}

declare global {
  interface Window {
    library: typeof library
    /** What a test keeps in the page from one step to the next. */
    kept: { db: Agidb; worker?: Worker; changes?: MemoryChange[]; call?: Promise<unknown>; done?: number; bytes?: Blob }
    /** Tells the test what was acknowledged. */
    acknowledged(id: string): Promise<void>
  }
}

window.library = library
