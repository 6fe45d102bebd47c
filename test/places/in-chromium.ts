import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Result } from './examinations.js'

/** What is examined in pages, and the tests that do it. */
const PAGES: readonly (readonly [place: string, part: 'contract' | 'answers', file: string, title: string])[] = [
  ['OPFS, copied to IndexedDB', 'contract', 'e2e/storage.spec.ts', 'the storage contract holds in opfs'],
  ['IndexedDB alone', 'contract', 'e2e/storage.spec.ts', 'the storage contract holds in idb-only'],
]

/** Runs the tests in Chromium that examine its storage. */
export async function* chromiumResults(): AsyncGenerator<Result> {
  for (const [place, , file, title] of PAGES) {
    const common = { place, runtime: 'Chromium' }
    try {
      const args = ['playwright', 'test', file, '-g', title, '--reporter=json']
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
