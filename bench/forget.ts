/** How long a memory takes to forget, and how long a recall is held up meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agidb } from '../src/runtimes/node/index.js'
import { commandLine, UsageError } from './command.js'
import { grown } from './growth.js'
import { quantile } from './section.js'
import { turn } from '../src/base/event-loop-turn.js'
import { readTurns } from './turns.js'

const HELP = `
How long a memory in a folder takes to forget one of its 20 sessions, to take that back, and to forget one episode; and
how long a recall that runs meanwhile takes at most.

  npm run bench:forget -- [--count 10876] [--consolidate]

  --count N       episodes, as many as Apollo 13 has by default; more are grown out of it
  --consolidate   they are consolidated before, so that atoms and the self-vector rest on them
`
const SESSIONS = 20
const BATCH = 1_000
/** Single episodes that are forgotten. */
const SINGLE = 20

const { values } = commandLine(HELP, {
  options: { count: { type: 'string', default: '10876' }, consolidate: { type: 'boolean', default: false } },
})
const count = Number(values.count)
if (!Number.isInteger(count) || count < SESSIONS * SINGLE)
  throw new UsageError(`--count takes a whole number from ${SESSIONS * SINGLE} on`)

const source = await readTurns(fileURLToPath(new URL('../demo/data/apollo13.jsonl', import.meta.url)))
const turns = count <= source.length ? source.slice(0, count) : [...grown(source, count, { seed: 1 })]
const folder = await mkdtemp(join(tmpdir(), 'agidb-forget-'))
const db = await Agidb.open({ extract: 'none', path: join(folder, 'memory'), seed: 1 })
try {
  for (let from = 0; from < count; from += BATCH)
    await db.observeMany(
      turns.slice(from, from + BATCH).map((turn, i) => ({
        ...turn,
        id: `e${from + i}`,
        session: `session ${Math.floor(((from + i) * SESSIONS) / count)}`,
      })),
    )
  if (values.consolidate) await db.consolidate()
  await db.recall('fuel cell pressure')
  console.log(`${count} episodes${values.consolidate ? ', consolidated' : ''}`)

  let auditId: string | undefined
  await report(
    'one of 20 sessions',
    async () => void ({ auditId } = await db.unlearn({ session: 'session 7' }, 'bench')),
  )
  await report('taking it back', async () => void (await db.restoreWithinWindow(auditId!)))
  const single: number[] = []
  for (let i = 0; i < SINGLE; i++)
    single.push(await timed(() => db.unlearn({ episode: `e${Math.floor(((i + 0.5) * count) / SINGLE)}` }, 'bench')))
  console.log(`one episode: p50 ${ms(quantile(single, 0.5))}, longest ${ms(Math.max(...single))}`)
} finally {
  await db.close()
  await rm(folder, { recursive: true, force: true })
}

/** Does something while recalls run one after the other, and says how long it and the longest recall took. */
async function report(name: string, work: () => Promise<void>): Promise<void> {
  const alone = []
  for (let i = 0; i < 10; i++) alone.push(await timed(() => db.recall('fuel cell pressure')))
  let isDone = false
  const done = timed(work).finally(() => (isDone = true))
  const beside: number[] = []
  while (!isDone) {
    beside.push(await timed(() => db.recall('fuel cell pressure')))
    await turn() // what else the thread has to do gets its turn, as between the questions of users
  }
  const took = await done
  console.log(
    `${name}: ${ms(took)}; ${beside.length} recalls meanwhile, the longest ${ms(Math.max(...beside))}, ` +
      `alone p50 ${ms(quantile(alone, 0.5))}`,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}
