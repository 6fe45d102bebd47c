import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { momentOf, RUNS_A_DATABASE, type Moment } from '../../test/crash/moment.js'
import { Ledger, Tally } from '../../test/crash/story.js'
import { Browser } from './browser.js'
import { tornLogs, watchLogs } from './indexeddb-log.js'
import { site } from './site.js'

/**
 * Kills Chromium while a page of it opens or writes a database, has the next one open what it left, and counts: `npm
 * run test:crash:browser -- --runs 200`. Half of the kills come at a random moment, half when IndexedDB writes its log.
 * Linux.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const RUNS = Number(values.runs)
const LONGEST_MS = 1200

const started = performance.now()
const tally = new Tally()
let torn = 0
const { url, close } = await site('crash.html')
for (let run = 0; run < RUNS; ) {
  const profile = await mkdtemp(join(tmpdir(), 'agidb-profile-'))
  const ledger = new Ledger(tally)
  for (let left = Math.min(RUNS_A_DATABASE, RUNS - run); left > 0; left--, run++) {
    await writeAndDie(profile, ledger, run, momentOf(run, LONGEST_MS))
    tally.kills++
    torn += tornLogs(profile)
  }
  // Whoever opens it last only looks.
  await writeAndDie(profile, ledger, run, { after: 'opened', ms: 0 })
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
await close()
tally.conclude(`Chromium, SIGKILL, ${((performance.now() - started) / 1000 / RUNS).toFixed(1)} s each`)
console.log(
  `logs of IndexedDB left torn: ${torn}; IndexedDB wipes seen and healed: ${tally.events['mirror-wiped'] ?? 0}`,
)

/** Has a page open the database, compares what it finds with what was said before, and kills its browser. */
async function writeAndDie(profile: string, ledger: Ledger, run: number, { after, ms }: Moment): Promise<void> {
  const browser = await Browser.start(profile)
  const { page } = browser
  const reached = (point: Moment['after']): void => {
    if (point !== after) return
    if (after !== 'wrote' || run % 2 > 0) setTimeout(() => browser.kill(), ms)
    else {
      watchLogs(profile, () => browser.kill())
      setTimeout(() => browser.kill(), 2 * LONGEST_MS)
    }
  }
  let lines = 0
  await page.exposeFunction('say', (said: readonly string[]) => {
    for (const line of said) {
      if (line === '|') reached('rest')
      else ledger.hear(line)
      if (lines++ === 0) reached('wrote')
    }
  })
  await page.goto(url)
  reached('start')
  try {
    ledger.check(await page.evaluate(() => window.openAndRead()))
    reached('opened')
    await page.evaluate((number) => window.write(number), run)
  } catch (error) {
    // Whatever ends it before the kill is a failure; the kill itself ends it, too.
    if (!browser.isKilled) {
      browser.kill()
      throw new Error(`run ${run}, ${profile} is kept`, { cause: error })
    }
  }
  await browser.closed
  if (lines === 0 && after !== 'opened') tally.silent++
}
