import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { nightly } from '../../runs.js'
import type { Step } from './long-run-child.js'

const TURNS = 12_000
/** A heap that was looked at in a bad moment is looked at again. */
const MEASURED = { timeout: 600_000, retry: 2 }

const run = promisify(execFile)

/** What a process that does it all says and takes after each step. */
async function measured(options: object, turns: number, many: number, ...steps: readonly string[]): Promise<Step[]> {
  const child = fileURLToPath(new URL('long-run-child.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [
    '--expose-gc',
    '--import',
    'tsx',
    child,
    JSON.stringify(options),
    String(turns),
    String(many),
    ...steps,
  ])
  return JSON.parse(stdout) as Step[]
}

async function withFolder(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-memory-'))
  try {
    await use(join(folder, 'memory.agidb'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Bytes in JavaScript, as they are said to be. */
const said = ({ parts: { kernel: _, ...others } }: Step): number =>
  Object.values(others).reduce((sum, bytes) => sum + bytes, 0)
const taken = ({ heap, buffers }: Step): number => heap + buffers

/** What is said to what is taken, of all. */
const share = (step: Step): number => (said(step) + step.parts.kernel) / (taken(step) + step.parts.kernel)

/** The same of what a step added in JavaScript. */
function growth(steps: readonly Step[], name: string): number {
  const i = steps.findIndex((step) => step.name === name)
  return (said(steps[i]) - said(steps[i - 1])) / (taken(steps[i]) - taken(steps[i - 1]))
}

/**
 * Heaps are noisy: code is compiled while it runs, up to 2 MB of it during these steps, and maps and arrays have more
 * or less room to grow. So all of it is held to 5 %, and what a single step adds to a quarter, which no part can be
 * left out of without going beyond.
 */
function expectTrue(steps: readonly Step[], added: readonly string[]): void {
  for (const step of steps) expect(Math.abs(1 - share(step)), `all ${step.name}: ${share(step)}`).toBeLessThan(0.05)
  for (const name of added)
    expect(Math.abs(1 - growth(steps, name)), `${name}: ${growth(steps, name)}`).toBeLessThan(0.25)
}

test('what a memory in memory says that it takes is what it takes', MEASURED, async () => {
  const steps = await measured(
    { storage: 'memory' },
    TURNS,
    1_200,
    'observed',
    'recalled',
    'wanted',
    'believed',
    'learned',
    'sensed',
    'traced',
  )
  expectTrue(steps, ['observed', 'wanted', 'believed', 'learned', 'sensed', 'traced'])
})

test.runIf(nightly)(
  'what a memory in a folder says that it takes is what it takes, when it was filled and when it was opened',
  MEASURED,
  async () => {
    await withFolder(async (path) => {
      const filled = await measured({ path }, TURNS, 0, 'observed', 'recalled')
      expectTrue(filled, ['observed'])
      const opened = await measured({ path }, 0, 0, 'recalled')
      expectTrue(opened, [])
      // What is let go after opening must not stay unseen.
      expect(said(opened[0]) / taken(opened[0])).toBeGreaterThan(0.9)
      const { storage, ranker } = opened[0].parts
      expect(storage).toBeGreaterThan(24 * TURNS)
      expect(ranker).toBeGreaterThan(0)
    })
  },
)

test('what consolidation learned is counted', MEASURED, async () => {
  expectTrue(await measured({ storage: 'memory' }, 0, 2_000, 'consolidated'), ['consolidated'])
})
