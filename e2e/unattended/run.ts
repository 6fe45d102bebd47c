/**
 * Runs the storage contract and the library in a browser that no tool drives: a page runs by itself and reports to this
 * command.
 *
 *     npm run test:firefox -- --only contract,library,tabs,private,kills --kills 20
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Ledger, Tally } from '../../test/crash/story.js'
import { BROWSERS } from './browsers.js'
import { Desk } from './desk.js'
import type { Report } from './report.js'
import { Session } from './session.js'

/** Longer than any case takes, which has a time limit in the page. */
const SILENCE_MS = 240_000
const SUITES = ['contract', 'library', 'tabs', 'private', 'kills']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: SUITES.join() }, kills: { type: 'string', default: '5' } },
})
const browser = BROWSERS[positionals[0]]
if (!browser) throw new Error(`which browser? ${Object.keys(BROWSERS).join(' or ')}`)
const suites = values.only.split(',')
const unknown = suites.filter((suite) => !SUITES.includes(suite))
if (unknown.length > 0) throw new Error(`there is no suite ${unknown.join()}: there are ${SUITES.join()}`)

let passed = 0
let failed = 0
let session: Session | undefined
let profile = ''
let desk: Desk

const version = browser.version()
if (version === undefined) {
  console.error(`${positionals[0]} is not installed: ${browser.install}`)
  process.exitCode = 1
} else {
  console.log(version)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)))
  desk = await Desk.open()
  try {
    for (const suite of suites) {
      profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
      await (suite === 'kills' ? kills(Number(values.kills)) : run(suite)).finally(end)
    }
  } finally {
    await desk.close()
  }
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

async function end(): Promise<void> {
  await session?.kill()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

async function start(suite: string, shy = false): Promise<void> {
  desk.drain()
  session = await Session.start(browser, `${desk.url}/e2e/pages/unattended.html?${suite}`, profile, shy)
}

/** The next report of the page; the end, if the browser ended or nothing comes. */
async function next(): Promise<Report> {
  for (const until = Date.now() + SILENCE_MS; Date.now() < until; ) {
    const report = await desk.next(500)
    if (report) return report
    if (!session!.running) return { kind: 'end', failure: 'the browser ended by itself' }
  }
  return { kind: 'end', failure: `nothing came for ${SILENCE_MS / 1000} s` }
}

async function run(suite: string): Promise<void> {
  console.log(suite)
  const shy = suite === 'private'
  await start(`${suite}=${shy ? 'idb-only' : browser.durability}`, shy)
  for (;;) {
    const report = await next()
    if (report.kind === 'note') console.log(`  ${report.text}`)
    if (report.kind === 'case') count(report.name, report.ms, report.failure)
    if (report.kind !== 'end') continue
    if (report.failure !== undefined) count(`the page of ${suite}`, 0, report.failure)
    return
  }
}

function count(name: string, ms: number, failure?: string): void {
  if (failure === undefined) passed++
  else failed++
  console.log(`  ${failure === undefined ? '✓' : '✘'} ${name} (${Math.round(ms)} ms)`)
  if (failure !== undefined) console.log(failure.replace(/^/gm, '      '))
}

/** Kills the browser while its page writes, opens what it left, and counts. */
async function kills(runs: number): Promise<void> {
  const tally = new Tally()
  const ledger = new Ledger(tally)
  for (; ; tally.kills++) {
    await start(`kills=${tally.kills}`)
    const opened = await next()
    if (opened.kind !== 'found') return count('the database opens after a kill', 0, JSON.stringify(opened))
    ledger.check(opened.found)
    if (tally.kills === runs) break
    await sleep(200 + Math.random() * 1500)
    if (!session!.running) return count('the page writes until it is killed', 0, 'the browser ended by itself')
    await session!.kill()
    const reports = desk.drain()
    const end = reports.find((report) => report.kind === 'end')
    if (end) return count('the page writes until it is killed', 0, end.failure)
    const lines = reports.flatMap((report) => (report.kind === 'said' ? report.lines : []))
    for (const line of lines) ledger.hear(line)
    if (lines.length === 0) tally.silent++
  }
  tally.conclude(`${positionals[0]}, SIGKILL`)
  const { lost, altered, doubled, returned } = tally
  count(
    `${runs} kills lose nothing`,
    0,
    lost + altered + doubled + returned + (tally.acknowledged ? 0 : 1) > 0 ? JSON.stringify(tally) : undefined,
  )
}
