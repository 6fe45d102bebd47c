/** What a memory in PostgreSQL takes: bytes and times a row, and what follows for ten million rows. */
import { performance } from 'node:perf_hooks'
import type { Client } from 'pg'
import { postgresStorage, type PostgresDriver } from '../src/storage/adapters/postgres/postgres.js'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Agidb } from '../src/runtimes/node/index.js'
import { PostgresServer, postgresPrograms } from '../test/fixtures/postgres-server.js'
import { commandLine, UsageError } from './command.js'
import { race } from './postgres/race.js'
import { compareSearches, pgvector } from './postgres/search.js'
import { quantile } from './section.js'

const HELP = `
Fills a memory in a PostgreSQL of this machine, in a folder of its own, opens it again and asks it. Prints bytes and
times for each row, and what follows for 10,000,000 rows.

  npm run bench:postgres -- [--episodes 100000] [--questions 100] [--data FOLDER]
  npm run bench:postgres -- --race 60
  npm run bench:postgres -- --search server [--pgvector]

--data keeps the folder of the database. Where it has that many episodes already, they are not written again.
--race lets two writers in two namespaces and eight readers run for so many seconds, kills the server in the midst, and
fails where anything is lost, or not seen by a reader.
--search server asks the same memory with its signatures searched by PostgreSQL and in main memory, and prints what each
takes and how the answers differ; --pgvector does so in PGlite with pgvector.
`
const { values } = commandLine(HELP, {
  options: {
    episodes: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '100' },
    data: { type: 'string' },
    race: { type: 'string' },
    search: { type: 'string' },
    pgvector: { type: 'boolean' },
  },
})
const [episodes, questions, seconds] = [values.episodes, values.questions, values.race ?? '60'].map(Number)
if (![episodes, questions, seconds].every((number) => Number.isInteger(number) && number > 0))
  throw new UsageError('--episodes, --questions and --race take whole numbers above 0')
if (values.search !== undefined && values.search !== 'server') throw new UsageError("--search takes 'server'")

const BATCH = 5_000
const TARGET = 10_000_000
/** Questions right after opening, and those that are asked before the warm ones. */
const [AT_ONCE, WARMING] = [10, 50]
const OPTIONS = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const
const NOUNS = ['office', 'depot', 'mill', 'harbour', 'library', 'garage', 'school', 'bakery', 'clinic', 'station']
const PLACES = ['Rome', 'Oslo', 'Bern', 'Lyon', 'Turin', 'Cork', 'Porto', 'Ghent', 'Split', 'Vaasa', 'Graz']

if (values.pgvector) {
  const { driver, close } = await pgvector()
  await compareSearches(driver, { episodes, questions, textOf })
  await close()
  process.exit(0)
}
const programs = postgresPrograms()
if (programs === undefined) throw new UsageError('PostgreSQL is not installed; install it with apt install postgresql')

/** Milliseconds in which PostgreSQL had been asked and had not answered. Statements at the same time count once. */
let waited = 0
const server = new PostgresServer(programs, values.data && resolve(values.data))
let failed = false
try {
  await server.start()
  if (values.search === 'server') await compareSearches(await server.connect(), { episodes, questions, textOf })
  else if (values.race === undefined) await measure()
  else {
    const { lines, problems } = await race(server, seconds)
    for (const line of lines) console.log(line)
    failed = problems.length > 0
  }
} finally {
  await server.remove()
}
process.exit(failed ? 1 : 0)

/** Fills the memory, opens it, asks it, and prints what that took. */
async function measure(): Promise<void> {
  const client = await server.connect()
  const filled = (await isFilled(client)) ? undefined : await fill(client)
  const bytes = await bytesOf(client)
  const opening = performance.now()
  const db = await Agidb.open({ storage: postgresStorage(timed(client)), ...OPTIONS })
  const opened = performance.now() - opening
  const atOnce = await ask(db, client, Math.min(AT_ONCE, questions))
  await db.recall(textOf(0), { whole: true, learn: false })
  const whole = performance.now() - opening
  await ask(db, client, Math.min(WARMING, questions)) // Code and caches are cold.
  const warm = await ask(db, client, questions)
  await db.close()
  console.log(`${episodes} episodes; a text has about ${textOf(episodes - 1).length} characters`)
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(2)} GB`
  report('stored', bytes.all, gigabytes, 'bytes')
  report('of which the table of the checkpoint', bytes.checkpoint, gigabytes, 'bytes')
  report('of which is live', bytes.live, gigabytes, 'bytes')
  if (filled !== undefined) report('written in', filled * 1000, minutes, 'µs')
  report('opened in', opened * 1000, minutes, 'µs')
  report('all signatures loaded after', whole * 1000, minutes, 'µs')
  for (const [what, { times, waits, own, served }] of [
    [`the first ${atOnce.times.length} recalls`, atOnce],
    ['recall', warm],
  ] as const) {
    console.log(`${what}: ${quantiles(times)}`)
    // While signatures are loaded, what PostgreSQL is asked beside a question would count as well.
    if (waits.length > AT_ONCE) console.log(`of which PostgreSQL: ${quantiles(waits)}`)
    console.log(`of the processor, mean: this process ${own.toFixed(1)} ms, PostgreSQL ${served.toFixed(1)} ms`)
  }
}

/** What questions took, in milliseconds. */
interface Asked {
  readonly times: readonly number[]
  /** Of these: how long PostgreSQL had not answered. */
  readonly waits: readonly number[]
  /** Of the processors, for a question. */
  readonly own: number
  readonly served: number
}

async function ask(db: Agidb, client: Client, count: number): Promise<Asked> {
  const [times, waits]: [number[], number[]] = [[], []]
  const cpu = process.cpuUsage()
  const before = await servedBy(client)
  for (let i = 0; i < count; i++) {
    const from = performance.now()
    waited = 0
    await db.recall(textOf((i * 7_919) % episodes), { learn: false })
    times.push(performance.now() - from)
    waits.push(waited)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { times, waits, own: (user + system) / 1000 / count, served: ((await servedBy(client)) - before) / count }
}

/** Milliseconds of the processor that the server took for a connection so far; NaN where `/proc` does not say. */
async function servedBy(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = await readFile(`/proc/${rows[0].pid}/stat`, 'utf8').catch(() => '')
  const [user, system] = stat
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return 10 * (user + system)
}

function timed(client: Client): PostgresDriver {
  let asked = 0
  let since = 0
  return {
    async query(statement, parameters) {
      if (asked++ === 0) since = performance.now()
      try {
        return await client.query(statement, parameters)
      } finally {
        if (--asked === 0) waited += performance.now() - since
      }
    },
  }
}

function quantiles(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms`
}
/** Prints a quantity, what it is for one row, and for {@link TARGET} rows. */
function report(what: string, value: number, say: (value: number) => string, unit: string): void {
  const each = value / episodes
  const all = say(each * TARGET)
  console.log(`${what}: ${say(value)}, ${each.toFixed(0)} ${unit} a row, ${all} for ${TARGET} rows`)
}

/** Whether an earlier run filled the memory. */
async function isFilled(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('agidb_memory') is not null as there`)
  if (!rows[0].there) return false
  const { rows: memories } = await client.query<{ next_slot: string }>('select next_slot from agidb_memory')
  return memories.length === 1 && Number(memories[0].next_slot) === episodes
}

/** Fills the memory, and answers how many milliseconds that took. */
async function fill(client: Client): Promise<number> {
  const db = await Agidb.open({ storage: postgresStorage(client), ...OPTIONS })
  const from = performance.now()
  for (let at = 0; at < episodes; at += BATCH) {
    const count = Math.min(BATCH, episodes - at)
    await db.observeMany(Array.from({ length: count }, (_, i) => ({ text: textOf(at + i) })))
  }
  const took = performance.now() - from
  await db.close()
  return took
}

/** Bytes of all tables with their indexes, of that of the checkpoint, and of what is live in that. */
async function bytesOf(client: Client): Promise<{ all: number; checkpoint: number; live: number }> {
  const { rows } = await client.query<Record<'all' | 'checkpoint' | 'live', string>>(
    `select sum(pg_total_relation_size(oid))::text as all,
      pg_total_relation_size('agidb_checkpoint')::text as checkpoint,
      (select sum(octet_length(bytes)) from agidb_checkpoint)::text as live
    from pg_class where relkind = 'r' and relname like 'agidb\\_%'`,
  )
  const [{ all, checkpoint, live }] = rows
  return { all: Number(all), checkpoint: Number(checkpoint), live: Number(live) }
}

/** The text of an episode: a sentence with a number, so that no two are the same. */
function textOf(i: number): string {
  const [noun, place] = [NOUNS[i % NOUNS.length], PLACES[Math.floor(i / NOUNS.length) % PLACES.length]]
  return `Delivery ${i} for the ${noun} in ${place} was signed by driver ${i % 997} on route ${i % 89}.`
}

function minutes(microseconds: number): string {
  const seconds = microseconds / 1e6
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(0)} min`
}
