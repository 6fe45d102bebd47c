/**
 * One contender in a process of its own: `child.ts <kind> <number> <data> <folder> <count> build|open`, started by
 * race.ts.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contender, Index } from './contender.js'
import { type Kind, read, readQueries } from './data.js'
import { contenders } from './kinds.js'

/** What comes from a child. */
export type Report =
  | { readonly built: number; readonly rssBytes: number; readonly ownBytes?: number }
  | { readonly openedMs: number }
  | { readonly ms: number; readonly found: readonly number[] }
  | { readonly saved: true }
  | { readonly failed: string }

/** What a child is asked for: the answer to a query, or to save and go. */
export type Request = { readonly query: number } | { readonly save: true }

const K = 10

const [kind, number, data, folder, count, mode] = process.argv.slice(2) as [
  Kind,
  string,
  string,
  string,
  string,
  'build' | 'open',
]
const contender = contenders[kind][Number(number)] as Contender<unknown>
const setting = { folder, count: Number(count) }
const send = (report: Report) => process.send!(report)
const fail = (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) })
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const queries = await readQueries(kind, data)
const index = await (mode === 'build' ? build() : open())

process.on('message', (request: Request) => {
  answer(request).then(send, fail)
})

async function answer(request: Request): Promise<Report> {
  if ('save' in request) {
    await index.save?.()
    return { saved: true }
  }
  const started = performance.now()
  const found = await index.search(queries[request.query], K)
  return { ms: performance.now() - started, found }
}

async function build(): Promise<Index<unknown>> {
  const index = await contender.open(setting)
  const before = await rss()
  let built = 0
  for await (const batch of read(kind, data)) {
    const started = performance.now()
    await index.add(batch)
    built += performance.now() - started
  }
  const started = performance.now()
  await index.finish?.()
  built += performance.now() - started
  send({ built, rssBytes: (await rss()) - before, ownBytes: index.bytes?.() })
  return index
}

/** From the call to the first answer, once the library has been loaded for another, empty index. */
async function open(): Promise<Index<unknown>> {
  const other = join(folder, 'other')
  await mkdir(other)
  await contender.open({ folder: other, count: 1 })
  const started = performance.now()
  const index = await contender.reopen!(setting)
  await index.search(queries[0], K)
  send({ openedMs: performance.now() - started })
  return index
}

/** Once the garbage is gone and given back. */
async function rss(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return process.memoryUsage.rss()
}
