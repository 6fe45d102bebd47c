import './crash.js'
import { REPORT_PATH, type Report } from '../unattended/report.js'
import { contractCases } from './unattended-contract.js'
import { libraryCases, privateCases } from './unattended-library.js'
import { tabCases } from './unattended-tabs.js'

/** A page that runs a suite of cases by itself, named by its address, and reports how each ended. */

/** One case. `run` rejects when it fails; what it resolves to is worth printing. */
export interface PageCase {
  readonly name: string
  run(): Promise<string | void>
}

const CASE_MS = 200_000

/** Reports reach the command in order. */
let reported = Promise.resolve()
function report(report: Report): Promise<void> {
  const body = JSON.stringify(report)
  reported = reported.then(async () => void (await fetch(REPORT_PATH, { method: 'POST', body })))
  return reported
}

const broken = (reason: unknown) => void report({ kind: 'end', failure: reason instanceof Error ? `${reason.message}\n${reason.stack}` : String(reason) })
addEventListener('error', ({ error, message }) => broken(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => broken(reason))

async function run({ name, run }: PageCase): Promise<void> {
  const started = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`did not end within ${CASE_MS / 1000} s`)), CASE_MS)))
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

const [suite, value] = location.search.slice(1).split('=')
if (suite === 'kills') await kills(Number(value))
else {
  const cases = { contract: contractCases, library: async () => libraryCases, tabs: async () => tabCases, private: async () => privateCases }[suite]
  if (!cases) throw new Error(`there is no suite ${suite}`)
  for (const each of await cases()) await run(each)
  await report({ kind: 'end' })
}
