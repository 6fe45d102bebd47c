import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Result } from './result.js'

const SPEC = 'e2e/storage.spec.ts'
/** What is examined in pages, and the titles of the tests that do it. */
const PAGES: readonly (readonly [place: string, title: string])[] = [
  ['OPFS, copied to IndexedDB', 'the storage contract holds in opfs'],
  ['IndexedDB alone', 'the storage contract holds in idb-only'],
]

/** Runs the tests in Chromium that examine its storage. */
export async function* chromiumResults(): AsyncGenerator<Result> {
  for (const [place, title] of PAGES) {
    const common = { place, runtime: 'Chromium' }
    try {
      const args = ['playwright', 'test', SPEC, '-g', title, '--reporter=json']
      const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 1 << 26 })
      yield { ...common, contract: { passed: stepsOf(JSON.parse(stdout.slice(stdout.indexOf('{')))), failed: [] } }
    } catch (error) {
      yield { ...common, error: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** How many cases of the contract a report of Playwright has. */
function stepsOf(report: unknown): number {
  let steps = 0
  JSON.stringify(report, (key, value: unknown) => {
    if (key === 'steps' && Array.isArray(value)) steps += value.length
    return value
  })
  return steps
}
