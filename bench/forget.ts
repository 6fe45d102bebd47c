/** How long a memory takes to forget, and how long a recall is held up meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agidb } from '../src/runtimes/node/index.js'
import { chromiumForgetting } from './chromium.js'
import { commandLine, UsageError } from './command.js'
import { type ForgetTimes, forgetTimes, SESSIONS, SINGLE } from './forget/times.js'
import { quantile } from './section.js'
import { readTurns } from './turns.js'

const HELP = `
How long a memory takes to forget one of its 20 sessions, to take that back, and to forget one episode; and how long a
recall that runs meanwhile takes at most. The memory is in a folder, or in a page.

  npm run bench:forget -- [--count 10876] [--consolidate] [--chromium]

  --count N       episodes, as many as Apollo 13 has by default; more are grown out of it
  --consolidate   they are consolidated before, so that atoms and the self-vector rest on them
  --chromium      in a page of Chromium, through its worker, instead of Node
`
const { values } = commandLine(HELP, {
  options: {
    count: { type: 'string', default: '10876' },
    consolidate: { type: 'boolean', default: false },
    chromium: { type: 'boolean', default: false },
  },
})
const count = Number(values.count)
if (!Number.isInteger(count) || count < SESSIONS * SINGLE)
  throw new UsageError(`--count takes a whole number from ${SESSIONS * SINGLE} on`)

const { session, single } = values.chromium ? await chromiumForgetting(count, values.consolidate) : await inFolder()
console.log(
  `${count} episodes${values.consolidate ? ', consolidated' : ''}, in ${values.chromium ? 'Chromium' : 'a folder'}`,
)
for (const { name, took, beside, alone } of session)
  console.log(
    `${name}: ${ms(took)}; ${beside.length} recalls meanwhile, the longest ${ms(Math.max(...beside))}, ` +
      `alone p50 ${ms(quantile(alone, 0.5))}`,
  )
console.log(`one episode: p50 ${ms(quantile(single, 0.5))}, longest ${ms(Math.max(...single))}`)
process.exit()

async function inFolder(): Promise<ForgetTimes> {
  const source = await readTurns(fileURLToPath(new URL('../demo/data/apollo13.jsonl', import.meta.url)))
  const folder = await mkdtemp(join(tmpdir(), 'agidb-forget-'))
  const db = await Agidb.open({ extract: 'none', path: join(folder, 'memory'), seed: 1 })
  try {
    return await forgetTimes(db, source, count, values.consolidate)
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}
