/** How long a memory in a Durable Object takes to answer, first after its eviction and then warm, in workerd. */
import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { startWorkerd } from '../test/runtimes/workerd.js'
import { commandLine, UsageError } from './command.js'
import { quantile } from './section.js'
import { readTurns } from './turns.js'

const HELP = `
The conversation of Apollo 13 in a Durable Object: stored, evicted by ending workerd, and asked again. Then many objects
with a part of it each, in one process. Needs npm run build.

  npm run bench:cloudflare -- [--questions 100] [--objects 0] [--episodes 500]

  --questions N   warm questions
  --objects N     further objects, each of which stores --episodes and answers one question
`
const { values } = commandLine(HELP, {
  options: {
    questions: { type: 'string', default: '100' },
    objects: { type: 'string', default: '0' },
    episodes: { type: 'string', default: '500' },
  },
})
const [questions, objects, episodes] = [values.questions, values.objects, values.episodes].map(Number)
if (![questions, objects, episodes].every((number) => Number.isInteger(number) && number >= 0))
  throw new UsageError('--questions, --objects and --episodes take whole numbers')

const BATCH = 500
/** Longer than the pause in which a checkpoint is written. */
const PAUSE_MS = 5_000
const ENTRY = fileURLToPath(new URL('cloudflare/worker.ts', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'agidb-cloudflare-'))
let workerd = await start()
const turns = await readTurns(fileURLToPath(new URL('../demo/data/apollo13.jsonl', import.meta.url)))
const asked = JSON.parse(await readFile(new URL('data/apollo13-questions.json', import.meta.url), 'utf8')) as readonly {
  readonly question: string
}[]
try {
  const stored = performance.now()
  for (let from = 0; from < turns.length; from += BATCH)
    await call('apollo', 'observeMany', turns.slice(from, from + BATCH))
  console.log(`${turns.length} episodes stored in ${seconds(performance.now() - stored)}`)
  await pause()
  console.log(`workerd, with the memory open: ${await residentMb()} MB`)
  await workerd.dispose()
  workerd = await start()
  await call('somebody', 'recall', 'the worker is up')
  console.log(`cold: ${ms(await timed('apollo', asked[0].question))}, opening the memory included`)
  const warm: number[] = []
  for (let i = 0; i < questions; i++) warm.push(await timed('apollo', asked[i % asked.length].question))
  console.log(`warm: p50 ${ms(quantile(warm, 0.5))}, p95 ${ms(quantile(warm, 0.95))}, ${questions} questions`)
  console.log(`workerd: ${await residentMb()} MB`)
  if (objects > 0) await manyObjects()
} finally {
  await workerd.dispose()
  await rm(folder, { recursive: true, force: true })
}
process.exit()

async function manyObjects(): Promise<void> {
  const part = turns.slice(0, episodes)
  const started = performance.now()
  for (let i = 0; i < objects; i++) {
    await call(`user ${i}`, 'observeMany', part)
    if ((i + 1) % 100 === 0) console.log(`  ${i + 1} objects; workerd: ${await residentMb()} MB`)
  }
  console.log(`${objects} objects of ${part.length} episodes stored in ${seconds(performance.now() - started)}`)
  const times: number[] = []
  for (let i = 0; i < objects; i++) times.push(await timed(`user ${i}`, asked[i % asked.length].question))
  console.log(`one question each: p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`)
  console.log(`workerd: ${await residentMb()} MB`)
}

async function start(): Promise<Miniflare> {
  return startWorkerd(ENTRY, { MEMORY: 'Memory', CONTRACT: 'Contract' }, folder)
}

async function call(user: string, method: string, ...args: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ user, method, args })
  const response = await workerd.dispatchFetch('http://localhost/call', { method: 'POST', body })
  if (!response.ok) throw new Error(await response.text())
  return ((await response.json()) as { answer: unknown }).answer
}

/** Milliseconds of a recall, as whoever sends the request to the Worker waits for it. */
async function timed(user: string, question: string): Promise<number> {
  const from = performance.now()
  await call(user, 'recall', question)
  return performance.now() - from
}

/** Resident memory of the processes of workerd that this one started. */
async function residentMb(): Promise<number> {
  let bytes = 0
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    if (!/^Name:\s+workerd$/m.test(status) || !status.includes(`PPid:\t${process.pid}\n`)) continue
    bytes += 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  }
  return Math.round(bytes / 1e6)
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(1)} s`
}
