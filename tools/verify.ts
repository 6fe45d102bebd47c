/**
 * Runs every check and test and ends with how many passed and failed: `npm run verify`. The kernel is built first; then
 * two lanes of stages run side by side, since most of them leave half of two cores idle. A lane that has ended takes
 * stages that either may run. Tests count one by one, a check counts as one. With names of stages it runs those alone:
 * `npm run verify -- unit e2e`.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

type Stages = Readonly<Record<string, string>>

const FIRST: Stages = {
  'kernel-stamp': 'npm run check:kernel',
  'kernel-build': 'npm run build:kernel',
  'kernel-speed': 'npm run bench:gates', // while nothing else runs
}

/** The first lane: checks, and tests of the sources. */
const SOURCES: Stages = {
  'kernel-lint': 'npm run lint:kernel',
  'kernel-test': 'npm run test:kernel',
  types: 'npm run check:types',
  style: 'npm run check:style',
  direction: 'npm run check:deps',
  unused: 'npm run check:unused',
  unit: 'npm run test:unit',
  slow: 'npm run test:slow',
}

/** The second lane: pages, and what is published. It alone builds, so that no two builds write the same files. */
const PAGES: Stages = {
  e2e: 'npm run test:e2e',
  size: 'npm run size',
  exports: 'npm run check:package',
  'crash-chromium': 'npm run test:crash:browser -- --runs 5',
}

/** These read what the second lane built, so they begin after it. */
const BUILT_BY_PAGES: Stages = {
  runtimes: 'npx vitest run --project runtimes',
  package: 'npx vitest run --project package',
  // the others take minutes: npm run test:bundlers
  bundlers: 'npx vitest run --project bundlers vite esbuild commands wrangler',
  frameworks: 'npm run test:frameworks',
}

/** A lane that has ended takes these. */
const EITHER: Stages = {
  floors: 'npm run bench:floors -- --short', // fails on a broken promise
  attacks: 'npm run test:attacks -- --runs 3',
  'crash-node': 'npm run test:crash -- --runs 8',
  ...BUILT_BY_PAGES,
}

/** The lines in which Vitest, cargo and Playwright say how many tests passed and failed. */
const SUMMARY = /^(\s*Tests\s.*|test result:.*|\s*\d+ (passed|failed|flaky|interrupted|did not run)\b.*)$/gm
/** What `build:kernel` writes. */
const BUILT = ['src/kernel/built', 'bench/naive_scan.wasm']
/** A line in which a test runner or a compiler names what failed. */
const FAILURE = /^\s*(FAIL |[×✗✘] |error\b|.*\berror TS\d+|\w*Error: )/
/** How much of the end of a failed stage's output is shown. */
const REPORT_LINES = 200
/** More than any stage takes; one that hangs must not take the others with it. */
const LIMIT_MS = 45 * 60_000

interface Result {
  readonly passed: number
  readonly failed: number
  readonly output: string
}

/** Ends the stages that run. */
const stops = new Set<() => void>()
let stopped = false
process.once('SIGINT', () => {
  stopped = true
  for (const stop of stops) stop()
})

function run(command: string): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, NO_COLOR: '1' },
    })
    // A process group of its own, so that nothing that a stage started outlives it.
    const stop = () => process.kill(-child.pid!, 'SIGKILL')
    stops.add(stop)
    const limit = setTimeout(stop, LIMIT_MS)
    const pieces: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('close', (code) => {
      clearTimeout(limit)
      stops.delete(stop)
      const output = stripVTControlCharacters(Buffer.concat(pieces).toString())
      resolve({ output, ...count(output, code === 0) })
    })
  })
}

/** A command that fails counts as one failure even where no test of it failed. */
function count(output: string, ok: boolean): { passed: number; failed: number } {
  const summary = output.match(SUMMARY)?.join('\n') ?? ''
  const sum = (pattern: RegExp) =>
    [...summary.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0)
  const passed = sum(/(\d+) passed/g)
  const failed = sum(/(\d+) (?:failed|flaky|interrupted|did not run)/g)
  if (ok) return passed + failed > 0 ? { passed, failed } : { passed: 1, failed: 0 }
  return { passed, failed: Math.max(failed, 1) }
}

/** What failed comes first, since a log may be cut off; then the end of the output, where test runners say why. */
function excerpt(output: string): string {
  const lines = output.trimEnd().split('\n')
  const failures = lines.filter((line) => FAILURE.test(line)).slice(0, 20)
  return [...failures, '…', ...lines.slice(-REPORT_LINES)].join('\n')
}

const asked = process.argv.slice(2)
const known = [FIRST, SOURCES, PAGES, EITHER].flatMap((stages) => Object.keys(stages))
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`no stage ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exit(2)
}

const total = { passed: 0, failed: 0 }

/** The names of the stages that a lane has begun. */
const begun = new Set<string>()

/** Runs stages one after the other, but none that another lane has begun. */
async function runAll(stages: Stages, built?: Promise<void>): Promise<void> {
  for (const [name, command] of Object.entries(stages)) {
    if (stopped || begun.has(name) || (asked.length > 0 && !asked.includes(name))) continue
    begun.add(name)
    if (name in BUILT_BY_PAGES) await built
    const started = performance.now()
    const { passed, failed, output } = await run(command)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    total.passed += passed
    total.failed += failed
    console.log(
      `${failed === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(15)} ${seconds.padStart(6)} s  ${passed} passed, ` +
        `${failed} failed`,
    )
    if (failed > 0) console.log(`\n$ ${command}\n${excerpt(output)}\n`)
  }
}

const kept = mkdtempSync(join(tmpdir(), 'agidb-built-'))
for (const path of BUILT) cpSync(path, join(kept, path), { recursive: true })
try {
  await runAll(FIRST)
  const built = runAll(PAGES)
  await Promise.all([runAll(SOURCES), built].map((lane) => lane.then(() => runAll(EITHER, built))))
} finally {
  // Another compiler builds other bytes of the same kernel: what is in the repository stays.
  cpSync(kept, '.', { recursive: true })
  rmSync(kept, { recursive: true })
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
if (total.failed > 0) process.exitCode = 1
