import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleWorker, startBundled } from '../../test/runtimes/workerd.js'

const ENTRY = fileURLToPath(new URL('small-worker.ts', import.meta.url))
const EMPTY = fileURLToPath(new URL('empty-worker.ts', import.meta.url))
const { resolve } = createRequire(import.meta.url)

export interface WorkerBytes {
  /** Bytes of the bundle after gzip. */
  readonly code: number
  readonly kernel: number
  readonly codebook: number
}

/** How large a Worker with a memory is, and apart from it the codebook. */
export async function workerBytes(): Promise<WorkerBytes> {
  const gzipped = (bytes: string | Buffer) => gzipSync(bytes, { level: 9 }).length
  return {
    code: gzipped(await bundleWorker(ENTRY)),
    kernel: gzipped(await readFile(resolve('agidb/kernel.wasm'))),
    codebook: gzipped(await readFile(resolve('agidb/codebook.bin'))),
  }
}

/** Milliseconds of the first request to a Worker. */
export interface FirstRequest {
  /** From when workerd is ready. */
  readonly request: number
  /** From when workerd is started: it then evaluates the program. */
  readonly start: number
}

/**
 * The first request to a Worker in a workerd that has just started, several times: it opens a memory that is new,
 * without the codebook, stores a text durably, and recalls it.
 */
export function firstRequests(times: number): Promise<FirstRequest[]> {
  return measure(times, ENTRY)
}

/** The same of a Worker whose object holds no memory. */
export function firstEmptyRequests(times: number): Promise<FirstRequest[]> {
  return measure(times, EMPTY)
}

async function measure(times: number, entry: string): Promise<FirstRequest[]> {
  const measured: FirstRequest[] = []
  const code = await bundleWorker(entry)
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    const workerd = await startBundled(code, { MEMORY: 'Memory' })
    await workerd.ready
    const asked = performance.now()
    const body = JSON.stringify({ user: 'sarah', text: 'Bawri is a thai place.', question: 'thai food' })
    const response = await workerd.dispatchFetch('http://localhost/', { method: 'POST', body })
    const { matches } = (await response.json()) as { matches: readonly unknown[] }
    const answered = performance.now()
    await workerd.dispose()
    if (matches.length !== 1) throw new Error(`the memory recalls ${matches.length} episodes instead of 1`)
    measured.push({ request: answered - asked, start: answered - started })
  }
  return measured
}
