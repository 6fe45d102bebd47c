import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Step } from './child.js'

const TURNS = 20_000
/** Goals, and as many beliefs. */
const MANY = 2_000

const run = promisify(execFile)

/** What a process that does it all says and takes after each step. */
async function measured(options: object, turns: number, many: number): Promise<Step[]> {
  const child = fileURLToPath(new URL('child.ts', import.meta.url))
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', child, JSON.stringify(options), String(turns), String(many)])
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

const inJavaScript = ({ parts: { kernel: _, ...others } }: Step): number => Object.values(others).reduce((sum, bytes) => sum + bytes, 0)

/** What it says to what it takes: all of it, what JavaScript takes, and that after a step more than before it. */
function shares(steps: readonly Step[]) {
  return steps.map((step, i) => {
    const { name, parts: { kernel }, heap, buffers } = step
    const before = steps[i - 1]
    const grown = before && heap + buffers - before.heap - before.buffers
    return {
      name,
      all: (inJavaScript(step) + kernel) / (heap + buffers + kernel),
      script: inJavaScript(step) / (heap + buffers),
      grown,
      growth: before && (inJavaScript(step) - inJavaScript(before)) / grown,
    }
  })
}
