import './crash.js'
import type { Durability } from '../../src/api/stats.js'
import { REPORT_PATH, type Report } from '../unattended/report.js'
import type { PageCase } from './page-case.js'
import { contractCases } from './unattended-contract.js'
import { libraryCases } from './unattended-library.js'
import { tabCases } from './unattended-tabs.js'

/**
 * A page that runs a suite of cases by itself and reports how each ended. Its address says which, and what the library
 * must be able to promise.
 */

const CASE_MS = 200_000

/** Reports reach the command in order. */
let reported = Promise.resolve()
function report(report: Report): Promise<void> {
  const body = JSON.stringify(report)
  reported = reported.then(async () => void (await fetch(REPORT_PATH, { method: 'POST', body })))
  return reported
}

const broken = (reason: unknown) =>
  void report({ kind: 'end', failure: reason instanceof Error ? `${reason.message}\n${reason.stack}` : String(reason) })
addEventListener('error', ({ error, message }) => broken(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => broken(reason))

async function run({ name, run }: PageCase): Promise<void> {
  const started = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error(`did not end within ${CASE_MS / 1000} s`)), CASE_MS)),
  )
  let failure: string | undefined
  try {
    const text = await Promise.race([run(), late])
    if (text) await report({ kind: 'note', text })
  } catch (error) {
    failure = error instanceof Error ? `${error.message}\n${error.stack}` : String(error)
  }
  clearTimeout(timer)
  await report({ kind: 'case', name, ms: performance.now() - started, failure })
}

/** Opens the database, says what is in it, and writes until it is killed. */
async function kills(run: number): Promise<void> {
  window.say = (lines) => report({ kind: 'said', lines })
  await report({ kind: 'found', found: await window.openAndRead() })
  await window.write(run)
}

const SUITES = { contract: contractCases, library: libraryCases, tabs: tabCases, private: libraryCases }

const [suite, value] = location.search.slice(1).split('=')
if (suite === 'kills') await kills(Number(value))
else {
  for (const each of await SUITES[suite as keyof typeof SUITES](value as Durability)) await run(each)
  await report({ kind: 'end' })
}
