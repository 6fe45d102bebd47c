import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { build, type Rolldown } from 'vite'

const ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url))
const KERNEL = 'agidb/kernel.wasm'
const CODEBOOK = 'agidb/codebook.bin'
const { resolve } = createRequire(import.meta.url)
/** Examples are packages of their own, in which this one has no name. */
const alias = { 'agidb/cloudflare': resolve('agidb/cloudflare') }

/**
 * A Cloudflare worker made of a program in this folder and the built library, bundled as Wrangler would.
 *
 * @param entry Path of the program. Default: `worker.ts`.
 * @param durableObjects Its classes by the names of their bindings. Default: none.
 * @param folder Where their databases and the buckets are kept. Default: in main memory.
 * @param buckets The names of bindings of R2 buckets. Default: none.
 */
export async function startWorkerd(
  entry = ENTRY,
  durableObjects: Record<string, string> = {},
  folder?: string,
  buckets: string[] = [],
): Promise<Miniflare> {
  return startBundled(await bundleWorker(entry), durableObjects, folder, buckets)
}

/** The same of what {@link bundleWorker} made. */
export async function startBundled(
  code: string,
  durableObjects: Record<string, string> = {},
  folder?: string,
  buckets: string[] = [],
): Promise<Miniflare> {
  const file = (path: string) => readFile(resolve(path))
  return new Miniflare({
    compatibilityDate: '2026-05-01',
    durableObjects: Object.fromEntries(
      Object.entries(durableObjects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
    ),
    r2Buckets: buckets,
    ...(folder !== undefined && { durableObjectsPersist: folder, r2Persist: join(folder, 'r2') }),
    modules: [
      { type: 'ESModule', path: 'worker.js', contents: code },
      { type: 'CompiledWasm', path: KERNEL, contents: await file(KERNEL) },
      ...(code.includes(CODEBOOK) ? [{ type: 'Data' as const, path: CODEBOOK, contents: await file(CODEBOOK) }] : []),
    ],
  })
}

/** The program and the library in one module; what it imports of the kernel, the codebook and the platform stays. */
export async function bundleWorker(entry: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    ssr: { target: 'webworker', noExternal: true, resolve: { conditions: ['workerd', 'worker', 'module', 'import'] } },
    build: {
      ssr: entry,
      write: false,
      minify: false,
      rolldownOptions: { external: [KERNEL, CODEBOOK, 'cloudflare:workers'] },
    },
  })) as Rolldown.RolldownOutput
  return built.output[0].code
}

/**
 * Calls a method of the object of a user, by the Worker of `durable-object.ts`.
 *
 * @throws the code and the message that the Worker answers.
 */
export async function callObject(workerd: Miniflare, user: string, method: string, args: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ user, method, args })
  const response = await workerd.dispatchFetch('http://localhost/call', { method: 'POST', body })
  const { answer, error } = (await response.json()) as { answer?: unknown; error?: unknown }
  if (error !== undefined) throw error as Error
  return answer
}

/** The processes of workerd that this one started: the id of each, and what `/proc` says of it. */
export async function workerdProcesses(): Promise<{ readonly id: number; readonly status: string }[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const all = ids.map(async (id) => ({ id, status: await readFile(`/proc/${id}/status`, 'utf8').catch(() => '') }))
  return (await Promise.all(all)).filter(
    ({ status }) => /^Name:\s+workerd$/m.test(status) && status.includes(`PPid:\t${process.pid}\n`),
  )
}
