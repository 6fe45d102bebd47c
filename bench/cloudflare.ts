/** How long a memory in a Durable Object takes to answer, first after its eviction and then warm, in workerd. */
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { startWorkerd, workerdProcesses } from '../test/runtimes/workerd.js'
import { firstEmptyRequests, type FirstRequest, firstRequests, workerBytes } from './cloudflare/first-request.js'
import { commandLine, UsageError } from './command.js'
import { quantile } from './section.js'
import { readTurns } from './turns.js'

const HELP = `
How large a Worker with a memory is, and how long its first request takes without the codebook. Then the conversation of
Apollo 13 in a Durable Object: stored, evicted by ending workerd, and asked again. With --objects then many objects with
a part of it each, in one process: filled, asked while they are in memory, asked after workerd was ended, and asked
after an idle pause, in which the platform evicts objects. Needs npm run build.

  npm run bench:cloudflare -- [--first 10] [--questions 100] [--objects 0] [--episodes 500] [--idle 20] [--pace 0]

  --first N       times that workerd is started for a first request
  --questions N   warm questions
  --objects N     further objects, each of which stores --episodes
  --episodes N    episodes of such an object; their texts differ from object to object
  --idle N        seconds of the idle pause
  --pace N        objects that are asked a second, at most; 0: as many as it can. workerd takes more memory the more of
                  them it opens before it evicts others, so compare its memory at the same pace
`
const { values } = commandLine(HELP, {
  options: {
    first: { type: 'string', default: '10' },
    questions: { type: 'string', default: '100' },
    objects: { type: 'string', default: '0' },
    episodes: { type: 'string', default: '500' },
    idle: { type: 'string', default: '20' },
    pace: { type: 'string', default: '0' },
  },
})
const numbers = [values.first, values.questions, values.objects, values.episodes, values.idle, values.pace].map(Number)
if (!numbers.every((number) => Number.isInteger(number) && number >= 0))
  throw new UsageError('--first, --questions, --objects, --episodes, --idle and --pace take whole numbers')
const [first, questions, objects, episodes, idle, pace] = numbers

const BATCH = 500
/** Longer than the pause in which a checkpoint is written. */
const PAUSE_MS = 5_000
/** Objects that are asked again while they are in memory. */
const WARM_OBJECTS = 50
/** Turns from the first of one object to the first of the next. */
const TURNS_APART = 37
const ENTRY = fileURLToPath(new URL('cloudflare/worker.ts', import.meta.url))

const { code, kernel, codebook } = await workerBytes()
console.log(`gzipped: ${code} bytes of code and ${kernel} of the kernel; the codebook, where it is used, ${codebook}`)
if (first > 0) {
  printFirst('with a memory', await firstRequests(first))
  printFirst('without', await firstEmptyRequests(first))
}

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
  await pause(PAUSE_MS)
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

function printFirst(title: string, times: readonly FirstRequest[]): void {
  const told = (part: readonly number[]) => `p50 ${ms(quantile(part, 0.5))}, at most ${ms(Math.max(...part))}`
  const [request, start] = [times.map((time) => time.request), times.map((time) => time.start)]
  console.log(`first request ${title}: ${told(request)}; from the start of workerd on: ${told(start)}`)
}

async function manyObjects(): Promise<void> {
  const [started, took] = [performance.now(), await processorMs()]
  for (let i = 0; i < objects; i++) await call(user(i), 'observeMany', partOf(i))
  const filled = seconds(performance.now() - started)
  const each = ms(((await processorMs()) - took) / objects)
  console.log(`${objects} objects of ${episodes} episodes filled in ${filled}, ${each} of processor each; ${load()}`)
  console.log(`workerd, with the last of them open: ${await residentMb()} MB`)
  await restart()
  await askAll('workerd was ended: cold', objects)
  const inMemory = Math.min(objects, WARM_OBJECTS)
  await askAll('the first objects once more', inMemory)
  await askAll('the same objects, warm', inMemory)
  await pause(idle * 1000)
  await askAll(`after ${idle} s idle`, inMemory)
}

/** Ends workerd once the objects that it has open have written their checkpoints, and starts it anew. */
async function restart(): Promise<void> {
  await pause(PAUSE_MS)
  await workerd.dispose()
  workerd = await start()
  await call('somebody', 'recall', 'the worker is up')
}

/** Asks each of the first objects one question, and prints how long they took and how many had to be opened. */
async function askAll(title: string, count: number): Promise<void> {
  const made = await call('somebody', 'constructed')
  const times: number[] = []
  const [from, took] = [performance.now(), await processorMs()]
  let peak = 0
  for (let i = 0; i < count; i++) {
    times.push(await timed(user(i), asked[i % asked.length].question))
    if (i % 50 === 0) peak = Math.max(peak, await residentMb())
    if (pace > 0) await pause(Math.max(0, from + (1000 * (i + 1)) / pace - performance.now()))
  }
  const perSecond = count / ((performance.now() - from) / 1000)
  const each = ms(((await processorMs()) - took) / count)
  const opened = Number(await call('somebody', 'constructed')) - Number(made)
  const most = Math.max(peak, await residentMb())
  console.log(
    `${title}: ${count} objects, ${opened} of them opened, ${perSecond.toFixed(0)} a second, ` +
      `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}, ${each} of processor each; ` +
      `workerd at most ${most} MB; ${load()}`,
  )
}

function user(i: number): string {
  return `user ${i}`
}

/** Consecutive turns of the conversation, from another place for each object. */
function partOf(i: number): typeof turns {
  const from = (i * TURNS_APART) % turns.length
  return Array.from({ length: episodes }, (_, at) => turns[(from + at) % turns.length])
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
  const kilobytes = (await workerdProcesses()).map(({ status }) => Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0))
  return Math.round((1024 * kilobytes.reduce((sum, one) => sum + one, 0)) / 1e6)
}

/** Processor time of workerd. Other programs change it less than the time on the clock. */
async function processorMs(): Promise<number> {
  const all = (await workerdProcesses()).map(async ({ id }) => {
    // After the name: the 14th and 15th field, in hundredths of a second.
    const fields = (await readFile(`/proc/${id}/stat`, 'utf8')).split(') ').at(-1)!.split(' ')
    return 10 * (Number(fields[11]) + Number(fields[12]))
  })
  return (await Promise.all(all)).reduce((sum, one) => sum + one, 0)
}

/** How busy the machine is: with more programs than cores, times and memory say little. */
function load(): string {
  return `load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores`
}

async function pause(time: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, time))
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}

function seconds(time: number): string {
  return `${(time / 1000).toFixed(1)} s`
}
