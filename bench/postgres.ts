/** What a memory in PostgreSQL takes: bytes and times a row, and what follows for ten million rows. */
import { performance } from 'node:perf_hooks'
import type { Client } from 'pg'
import { postgresStorage, type PostgresDriver } from '../src/storage/adapters/postgres/postgres.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { PostgresServer, postgresPrograms } from '../test/fixtures/postgres-server.js'
import { commandLine, UsageError } from './command.js'
import { quantile } from './section.js'

const HELP = `
Fills a memory in a PostgreSQL of this machine, in a folder of its own, opens it again and asks it. Prints bytes and
times for each row, and what follows for 10,000,000 rows.

  npm run bench:postgres -- [--episodes 100000] [--questions 100]
`
const { values } = commandLine(HELP, {
  options: {
    episodes: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '100' },
  },
})
const [episodes, questions] = [values.episodes, values.questions].map(Number)
if (![episodes, questions].every((number) => Number.isInteger(number) && number > 0))
  throw new UsageError('--episodes and --questions take whole numbers above 0')
const programs = postgresPrograms()
if (programs === undefined) throw new UsageError('PostgreSQL is not installed; install it with apt install postgresql')

const BATCH = 5_000
const TARGET = 10_000_000
const OPTIONS = { extract: 'none', autoConsolidate: false, learnFromRecall: false } as const
const NOUNS = ['office', 'depot', 'mill', 'harbour', 'library', 'garage', 'school', 'bakery', 'clinic', 'station']
const PLACES = ['Rome', 'Oslo', 'Bern', 'Lyon', 'Turin', 'Cork', 'Porto', 'Ghent', 'Split', 'Vaasa', 'Graz']

/** Milliseconds in which PostgreSQL had been asked and had not answered. Statements at the same time count once. */
let waited = 0
const server = new PostgresServer(programs)
try {
  await server.start()
  const client = await server.connect()
  const filled = await fill(client)
  const bytes = await bytesOf(client)
  const opening = performance.now()
  let asked = 0
  let since = 0
  const timed: PostgresDriver = {
    async query(statement, parameters) {
      if (asked++ === 0) since = performance.now()
      try {
        return await client.query(statement, parameters)
      } finally {
        if (--asked === 0) waited += performance.now() - since
      }
    },
  }
  const db = await Agidb.open({ storage: postgresStorage(timed), ...OPTIONS })
  const opened = performance.now() - opening
  const times: number[] = []
  const waits: number[] = []
  for (let i = 0; i < questions; i++) {
    const from = performance.now()
    waited = 0
    await db.recall(textOf((i * 7_919) % episodes), { learn: false })
    times.push(performance.now() - from)
    waits.push(waited)
  }
  await db.close()
  console.log(`${episodes} episodes; a text has about ${textOf(episodes - 1).length} characters`)
  const gigabytes = (value: number) => `${(value / 1e9).toFixed(2)} GB`
  report('stored', bytes.all, gigabytes, 'bytes')
  report('of which the table of the checkpoint', bytes.checkpoint, gigabytes, 'bytes')
  report('of which is live', bytes.live, gigabytes, 'bytes')
  report('written in', filled * 1000, minutes, 'µs')
  report('opened in', opened * 1000, minutes, 'µs')
  for (const [what, all] of [
    ['recall', times],
    ['of which PostgreSQL', waits],
  ] as const)
    console.log(`${what}: p50 ${quantile(all, 0.5).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms`)
} finally {
  await server.remove()
}
process.exit()

/** Prints a quantity, what it is for one row, and for {@link TARGET} rows. */
function report(what: string, value: number, say: (value: number) => string, unit: string): void {
  const each = value / episodes
  const all = say(each * TARGET)
  console.log(`${what}: ${say(value)}, ${each.toFixed(0)} ${unit} a row, ${all} for ${TARGET} rows`)
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
