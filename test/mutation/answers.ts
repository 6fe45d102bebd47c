/**
 * Tries the hand-made mutants (`hand-made.ts`) of what answers depend on, each in memory, on the tests of its folder:
 * `npm run mutate:answers`. Prints which were killed and which survived, and fails where less than four in five were
 * killed. With parts of paths, only the mutants of these files: `npm run mutate:answers -- recall memory/beliefs`; with
 * `--first` only on the test file that is named with each. Takes half an hour on two cores, with `--first` ten minutes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type Mutant, MUTANTS } from './hand-made.js'

const VITEST = 'node_modules/vitest/vitest.mjs'
/** A test that hangs on a mutant has noticed it. */
const LIMIT_MS = 10 * 60_000
/** The share of mutants that is to be killed. */
const ENOUGH = 0.8

/** Whether the tests fail on a mutant. */
function fails(mutant: number, ...tests: readonly string[]): boolean {
  const env = { ...process.env, AGIDB_QUICK: '1', AGIDB_RUNS: '4', AGIDB_MUTANT: String(mutant) }
  const args = [VITEST, 'run', '--config', 'test/mutation/answers-vitest.ts', '--bail', '1', ...tests]
  return spawnSync(process.execPath, args, { stdio: 'ignore', env, timeout: LIMIT_MS }).status !== 0
}

/** The tests of the topmost folder of `src` that a mutant is in, quick and slow: `src/recall/…`, all of recall. */
function testsOf({ file }: Mutant): string[] {
  const [, folder] = file.split('/')
  return [`test/unit/${folder}/`, `test/slow/${folder}/`].filter((path) => existsSync(path))
}

const firstAlone = process.argv.includes('--first')
const asked = process.argv.slice(2).filter((argument) => argument !== '--first')
const chosen = MUTANTS.map((mutant, number) => ({ ...mutant, number })).filter(
  ({ file }) => asked.length === 0 || asked.some((part) => file.includes(part)),
)
if (chosen.length === 0) {
  console.error(
    `no mutant is in ${asked.join(' or ')}; there are some of ` +
      `${[...new Set(MUTANTS.map(({ file }) => file))].join(', ')}`,
  )
  process.exit(2)
}
for (const { file, from } of chosen) {
  const times = readFileSync(file, 'utf8').split(from).length - 1
  if (times === 1) continue
  console.error(
    `${file} has ${JSON.stringify(from)} ${times} times; a mutant needs text that is there once: correct it in ` +
      'test/mutation/hand-made.ts',
  )
  process.exit(2)
}
// What fails without a mutant would kill every one.
const tried = new Set(chosen.flatMap((mutant) => (firstAlone ? [mutant.first] : [mutant.first, ...testsOf(mutant)])))
if (fails(-1, ...tried)) {
  console.error(`a test of ${[...tried].join(', ')} fails without a mutant; nothing can be told by them`)
  process.exit(2)
}
let killed = 0
for (const { number, file, from, to, means, first } of chosen) {
  const isKilled = fails(number, first) || (!firstAlone && fails(number, ...testsOf(MUTANTS[number])))
  killed += Number(isKilled)
  console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${file}: ${means}${isKilled ? '' : `\n  ${from}\n  → ${to}`}`)
}
console.log(`\n${killed} of ${chosen.length} killed (${Math.round((100 * killed) / chosen.length)} %)`)
if (killed < ENOUGH * chosen.length) process.exitCode = 1
