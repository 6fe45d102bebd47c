/** Who an agent is after a month: core entries, open threads and the briefing, worked out of a script. */
import { createHash } from 'node:crypto'
import type { Entry } from '../src/api/entry.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { memoryStorage } from '../src/storage/adapters/memory.js'
import { commandLine, UsageError } from './command.js'
import { DAYS, live, timeOf } from './identity/month.js'
import { type Project, PROJECTS } from './identity/projects.js'

const HELP = `
Identity after a simulated month: three projects, a note every few minutes, questions, decisions that change.

  npm run bench:identity -- [--count 2000] [--tokens 900]

  --count N    entries in all
  --tokens N   budget of the briefing
`
/** Days after the month until entries age once more. */
const LATER = 20

const { values } = commandLine(HELP, {
  options: { count: { type: 'string', default: '2000' }, tokens: { type: 'string', default: '900' } },
})
const [count, tokens] = [Number(values.count), Number(values.tokens)]
if (!Number.isInteger(count) || count < 100) throw new UsageError('--count takes a whole number from 100 on')
if (!Number.isInteger(tokens) || tokens < 1) throw new UsageError('--tokens takes a whole number from 1 on')

const clock = { now: timeOf(1, 0) }
const whole = { extract: 'none', autoConsolidate: false, learnFromRecall: false, seed: 1 } as const
const db = await Agidb.open({ storage: memoryStorage(), clock: () => clock.now, ...whole })
try {
  const began = performance.now()
  const { searches } = await live({ db, clock }, count)
  const lived = performance.now() - began
  await db.setGoal({ description: 'Hold back no letter from a parent' })
  // The next morning.
  clock.now = timeOf(DAYS + 1, 0)
  const asked = performance.now()
  const identity = await db.entries.identity()
  const took = performance.now() - asked
  const { episodes } = await db.stats()
  console.log(`${episodes} entries over ${DAYS} days, ${searches} searches: ${(lived / 1_000).toFixed(1)} s`)
  console.log(`identity: ${took.toFixed(0)} ms\n`)

  const lasting = new Set(PROJECTS.flatMap((project) => project.lasting.map(({ text }) => text)))
  const isLasting = ({ content }: Entry) => lasting.has(content)
  const open = new Set(PROJECTS.flatMap(openIn))
  console.log('Core entries')
  for (const { entry, salience } of identity.core)
    console.log(`  ${salience.toFixed(3)}  ${entry.content}${isLasting(entry) ? '' : '  (a daily note)'}`)
  const found = identity.core.filter(({ entry }) => isLasting(entry)).length
  console.log(`  ${found} of ${identity.core.length} are of the ${lasting.size} that the script comes back to\n`)
  console.log('Open threads')
  for (const { entry, reason } of identity.openThreads) console.log(`  (${reason}) ${entry.content}`)
  const threads = identity.openThreads.filter(({ entry }) => open.has(entry.content)).length
  console.log(`  ${threads} of ${identity.openThreads.length} are of the ${open.size} that the script leaves open`)
  console.log('\nRecent learnings')
  for (const { content } of identity.recentLearnings) console.log(`  ${content}`)
  console.log('\nPerspectives, with the entries nearest to their centroids')
  for (const { perspective, entries, nearest } of identity.centroids) {
    const [first] = await Promise.all(nearest.map((id) => db.entries.get(id)))
    console.log(`  ${perspective} (${entries}): ${first?.content}`)
  }
  const priming = await db.entries.priming({ budgetTokens: tokens })
  console.log(`\nThe briefing, about ${priming.tokens} tokens\n\n${priming.text}\n`)
  const bits = identity.centroids.map(({ centroid }) => Buffer.from(centroid).toString('hex')).join('')
  const told = JSON.stringify([identity.core.map(({ entry: { id }, salience }) => [id, salience]), bits, priming.text])
  clock.now = timeOf(DAYS + 1 + LATER, 0)
  const { degraded, spared } = await db.entries.aging.apply()
  const lost = (await Promise.all(degraded.map((id) => db.entries.get(id)))).filter((entry) => isLasting(entry!))
  console.log(`After ${LATER} more days without work: ${degraded.length} entries age, ${spared} are spared;`)
  console.log(`${lost.length} of those that age are of the ${lasting.size}\n`)
  console.log(`SHA-256 of core, saliences, centroids and briefing: ${createHash('sha256').update(told).digest('hex')}`)
} finally {
  await db.close()
}

/** What a project leaves open: questions that rest on three entries, and decisions that were replaced. */
function openIn({ lasting, revised }: Project): string[] {
  const questions = lasting.filter(({ from = [] }) => from.length >= 3).map(({ text }) => text)
  return [...questions, ...revised.flatMap(({ versions }) => versions.slice(0, -1).map(([, text]) => text))]
}
