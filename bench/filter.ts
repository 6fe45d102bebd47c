/** What a recall with a filter costs, beside the same recall without one, in one run. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Filter } from '../src/api/filter.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { commandLine, UsageError } from './command.js'
import { grown, Questions } from './growth.js'
import { thisMachine } from './machine.js'
import { quantile } from './section.js'
import { tabular, type Table } from './tabular.js'
import { readTurns } from './turns.js'

const HELP = `
What a recall with a filter costs, beside the same recall without one. Every episode has a tag of a hundred, a number
that no other has, a text and a time of expiry; of each filter the table says how many it passes.

  npm run bench:filter -- [--count 100000] [--queries 50] [--json FILE]
  npm run bench:filter -- --count 1000000    takes several minutes and gigabytes
`

const BATCH = 1_000
const BUCKETS = 100

const { values } = commandLine(HELP, {
  options: {
    count: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '50' },
    json: { type: 'string' },
  },
})
const [count, queries] = [Number(values.count), Number(values.queries)]
if (!(Number.isInteger(count) && count >= BUCKETS && Number.isInteger(queries) && queries > 0))
  throw new UsageError(`--count takes a whole number from ${BUCKETS} on, --queries one from 1 on`)

const START = Date.UTC(2030, 0, 1)
const MINUTE = 60_000

/** What passes a hundredth, a tenth and nine tenths, by each kind of condition. */
const FILTERS: Readonly<Record<string, Filter>> = {
  'a tag': { tags: 'bucket 7' },
  'a value': { metadata: { bucket: 7 } },
  'a range of numbers, each of one episode': {
    metadata: { 'order.number': { gte: count / 2, lt: count / 2 + count / 100 } },
  },
  'a range of strings, each of one episode': {
    metadata: { 'order.code': { gte: code(count / 2), lt: code(count / 2 + count / 100) } },
  },
  'a stretch of time': { expiresAt: { from: START, to: START + (count / 100) * MINUTE } },
  'ten values': { metadata: { bucket: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] } },
  'not ten values': { not: { metadata: { bucket: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] } } },
  'two of three': {
    and: [{ metadata: { bucket: { lt: 2 } } }, { or: [{ tags: 'bucket 1' }, { metadata: { even: true } }] }],
  },
}

const source = await readTurns(fileURLToPath(new URL('../demo/data/apollo13.jsonl', import.meta.url)))
const db = await Agidb.open({ extract: 'none', storage: 'memory', seed: 1 })
const questions = new Questions(count, queries)
const started = performance.now()
let batch: Parameters<typeof db.observeMany>[0][number][] = []
let number = 0
for (const item of grown(source, count)) {
  questions.offer(number, item)
  batch.push({ ...item, ...attributes(number++) })
  if (batch.length === BATCH || number === count) {
    await db.observeMany(batch)
    batch = []
  }
}
const observeS = (performance.now() - started) / 1000

const columns = ['passes', 'recall p50 ms', 'p95 ms', '× without', 'count ms']
const without: number[] = []
const times = new Map(Object.keys(FILTERS).map((name) => [name, { recalls: [] as number[], counts: [] as number[] }]))
const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
  const before = performance.now()
  await work()
  into.push(performance.now() - before)
}
// By turns, so that what else the machine does meets all alike. The first questions let the compilers finish.
for (const [i, { cue }] of [...questions.asked.slice(0, 5), ...questions.asked].entries()) {
  const isWarm = i >= 5
  await timed(isWarm ? without : [], () => db.recall(cue))
  for (const [name, filter] of Object.entries(FILTERS)) {
    const { recalls, counts } = times.get(name)!
    await timed(isWarm ? recalls : [], () => db.recall(cue, { filter }))
    await timed(isWarm ? counts : [], () => db.count(filter))
  }
}

const row = (name: string, passes: number, recalls: readonly number[], counts: readonly number[] = []) => ({
  name,
  cells: {
    passes,
    'recall p50 ms': quantile(recalls, 0.5),
    'p95 ms': quantile(recalls, 0.95),
    '× without': quantile(recalls, 0.5) / quantile(without, 0.5),
    'count ms': counts.length === 0 ? undefined : quantile(counts, 0.5),
  },
})
const rows = [row('no filter', count, without)]
for (const [name, { recalls, counts }] of times) rows.push(row(name, await db.count(FILTERS[name]), recalls, counts))
const { memory } = await db.stats()
await db.close()
const table: Table = {
  title:
    `Recall with a filter, ${count.toLocaleString('en')} episodes in memory, ${without.length} questions, ` +
    `Node ${process.versions.node}`,
  columns,
  rows,
  notes: [`observed in ${observeS.toFixed(0)} s; ${JSON.stringify(memory)}`],
}
console.log(tabular(table))
if (values.json !== undefined)
  await writeFile(values.json, JSON.stringify({ machine: thisMachine(), tables: [table] }, undefined, 1))

function attributes(number: number) {
  return {
    tags: [`bucket ${number % BUCKETS}`],
    expiresAt: START + number * MINUTE,
    metadata: { bucket: number % BUCKETS, even: number % 2 === 0, order: { number, code: code(number) } },
  }
}

function code(number: number): string {
  return `c${String(Math.round(number)).padStart(9, '0')}`
}
