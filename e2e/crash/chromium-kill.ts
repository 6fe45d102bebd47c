import { existsSync } from 'node:fs'
import { mkdtemp, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { check, conclude, newTally, note } from '../../test/crash/story.js'
import { serve } from '../serve.js'

/** Kills Chromium while a page of it writes, opens what it left, and counts: `npm run test:crash:browser -- --runs 50`. Linux. */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const RUNS = Number(values.runs)
/** Crashes that one profile goes through. */
const RUNS_A_PROFILE = 10
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

const tally = newTally()
let acknowledged = new Set<string>()
/** Runs that were killed before anything was acknowledged. */
let silent = 0
const server = await serve()
let profile = ''
for (let run = 0; run < RUNS; run++) {
  if (run % RUNS_A_PROFILE === 0) {
    if (profile) await finish()
    profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
    acknowledged = new Set()
  }
  const { context, page } = await start()
  await verify(page)
  await page.exposeFunction('acknowledge', (ids: string[]) => {
    tally.acknowledged += ids.length
    for (const id of ids) acknowledged.add(id)
  })
  const before = tally.acknowledged
  let killing = false
  let failure: unknown
  // Whatever ends the writing before the kill is a failure of it; the kill itself ends it, too.
  const writing = page.evaluate((number) => window.write(number), run).catch((error: unknown) => (failure ??= killing ? undefined : error))
  await sleep(100 + Math.random() * 1200)
  killing = true
  await kill(context)
  await writing
  if (failure !== undefined) throw new Error(`run ${run}: the writer ended by itself`, { cause: failure })
  tally.runs++
  if (tally.acknowledged === before) silent++
}
await finish()
await server.close()
conclude('Chromium, SIGKILL', tally)
console.log(`killed before anything was acknowledged: ${silent} of ${tally.runs} runs`)
if (2 * silent > tally.runs) {
  console.error('most runs wrote nothing, so that they say nothing: is this machine too slow for them?')
  process.exitCode = 1
}
console.log(`IndexedDB wipes seen and healed: ${tally.events['mirror-wiped'] ?? 0}`)

async function start(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(profile, {
    ...(existsSync(EXECUTABLE) && { executablePath: EXECUTABLE }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(`${server.url}/e2e/pages/crash.html`)
  await page.waitForFunction(() => typeof window.write === 'function')
  return { context, page }
}

/** Opens the database in a page and compares it with what was acknowledged. */
async function verify(page: Page): Promise<void> {
  const { found, opening } = await page.evaluate(() => window.openAndRead())
  note(tally, opening)
  check(tally, acknowledged, found)
  // What was there without an acknowledgement must stay from now on, too.
  for (const { id } of found) acknowledged.add(id)
}

/** Looks at a profile for the last time. */
async function finish(): Promise<void> {
  const { context, page } = await start()
  await verify(page)
  await context.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

/** Kills the browser and all of its processes at once. */
async function kill(context: BrowserContext): Promise<void> {
  const closed = new Promise((resolve) => context.once('close', resolve))
  // Chromium's lock names its process: host-number.
  const lock = await readlink(join(profile, 'SingletonLock'))
  const pid = Number(lock.slice(lock.lastIndexOf('-') + 1))
  if (!(pid > 1)) throw new Error(`the lock of the profile names no process: ${lock}`)
  process.kill(-pid, 'SIGKILL')
  await closed
}
