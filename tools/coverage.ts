/**
 * How much of the storage the tests run, in Node and in Chromium together: `npm run coverage:storage`. Prints lines and
 * branches of each file, and ends with an error where `src/storage` is under what is asked of it. With `--node` or
 * `--browser` it runs those tests alone, and with `--last` none: it adds up what the last runs came to.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mergeScriptCovs } from '@bcoe/v8-coverage'
import { convert } from 'ast-v8-to-istanbul'
import { parseAstAsync } from 'vite'
import type { Recording } from '../e2e/worker-coverage.js'

/** The least share of lines and of branches of `src/storage`, in percent. */
const LEAST = 95
const FOLDERS = ['src/storage', 'src/transfer']
const NODE = 'coverage/node'
const BROWSER = 'coverage/browser'
const NODE_TESTS = [
  'test/unit/storage',
  'test/slow/storage',
  'test/unit/transfer',
  'test/slow/transfer',
  'test/fuzz',
  'test/slow/engine/verify.test.ts',
  'test/slow/engine/folder.test.ts',
]
const BROWSER_TESTS = ['e2e/storage.spec.ts', 'e2e/quota.spec.ts', 'e2e/salvage.spec.ts']

type Covered = Awaited<ReturnType<typeof convert>>[string]
type Place = Covered['statementMap'][string]

/** What was run of a file: how often, by where it stands. */
class Tally {
  readonly statements = new Map<string, { line: number; count: number }>()
  readonly branches = new Map<string, { line: number; counts: number[] }>()

  add({ statementMap, s, branchMap, b }: Covered): void {
    for (const [id, place] of Object.entries(statementMap)) {
      const known = this.statements.get(keyOf(place))
      this.statements.set(keyOf(place), { line: place.start.line, count: s[id] + (known?.count ?? 0) })
    }
    for (const [id, { loc, type, locations }] of Object.entries(branchMap)) {
      const key = `${type} ${keyOf(loc)} ${locations.length}`
      const known = this.branches.get(key)?.counts ?? []
      this.branches.set(key, { line: loc.start.line, counts: b[id].map((count, way) => count + (known[way] ?? 0)) })
    }
  }

  /** Lines on which a statement begins, and how often the one that was run most was. */
  get lines(): Map<number, number> {
    const lines = new Map<number, number>()
    for (const { line, count } of this.statements.values()) lines.set(line, Math.max(count, lines.get(line) ?? 0))
    return lines
  }

  /** The lines of which nothing was run, and of branches of which a way was never gone. */
  get missing(): string {
    const unrun = [...this.lines].filter(([, count]) => count === 0).map(([line]) => `${line}`)
    const ungone = [...this.branches.values()].filter(({ counts }) => counts.includes(0)).map(({ line }) => `${line}?`)
    return [...new Set([...unrun, ...ungone])].sort((a, b) => Number.parseInt(a) - Number.parseInt(b)).join(' ')
  }
}

function keyOf({ start, end }: Place): string {
  // What ends with its line ends at Infinity, which JSON has no word for.
  return `${start.line}:${start.column}-${end.line}:${Number.isFinite(end.column) ? end.column : ''}`
}

/** What was run counts even where a test failed; but then this command fails, too. */
function run(command: string, args: readonly string[], env = process.env): void {
  if (spawnSync(command, args, { stdio: 'inherit', env }).status !== 0) process.exitCode = 1
}

function inNode(): void {
  const only = FOLDERS.flatMap((folder) => ['--coverage.include', `${folder}/**`])
  const how = [
    '--coverage.enabled',
    '--coverage.provider',
    'v8',
    '--coverage.reportOnFailure',
    '--coverage.reporter',
    'json',
    '--coverage.reportsDirectory',
    NODE,
  ]
  run('npx', [
    'vitest',
    'run',
    '--project',
    'unit',
    '--project',
    'slow',
    '--reporter',
    'dot',
    ...NODE_TESTS,
    ...how,
    ...only,
  ])
}

function inBrowser(): void {
  rmSync(BROWSER, { recursive: true, force: true })
  const env = { AGIDB_QUOTA_POINTS: '4', ...process.env, AGIDB_COVERAGE: resolve(BROWSER) }
  run('npx', ['playwright', 'test', ...BROWSER_TESTS], env)
}

/** What was run in workers of the browser, by file. */
async function* recorded(): AsyncGenerator<[file: string, covered: Covered]> {
  const scripts = new Map<string, { source: string; runs: Profiler.ScriptCoverage[] }>()
  for (const name of readdirSync(BROWSER)) {
    const { sources, runs } = JSON.parse(readFileSync(join(BROWSER, name), 'utf8')) as Recording
    for (const { url, scriptId, functions } of runs) {
      const source = sources[url]
      if (source === undefined) continue // it ended before that could be asked for
      const file = new URL(url).pathname.slice(1)
      const known = scripts.get(`${file} ${source.length}`)?.runs ?? []
      scripts.set(`${file} ${source.length}`, {
        source,
        runs: [...known, { scriptId, url: file, functions: functions as Profiler.FunctionCoverage[] }],
      })
    }
  }
  for (const { source, runs } of scripts.values()) {
    const { url: file, functions } = mergeScriptCovs(runs)!
    const [, map] = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(source)!
    const sourceMap = {
      ...(JSON.parse(Buffer.from(map, 'base64').toString()) as object),
      sources: [resolve(file)],
    } as never
    const converted = await convert({
      code: source,
      sourceMap,
      ast: parseAstAsync(source) as never,
      coverage: { url: pathToFileURL(file).href, functions },
    })
    yield [file, Object.values(converted)[0]]
  }
}

function percent(part: number, of: number): number {
  return of === 0 ? 100 : (100 * part) / of
}

interface Sum {
  readonly lines: readonly [run: number, of: number]
  readonly branches: readonly [gone: number, of: number]
}

function sumOf(tallies: Iterable<Tally>): Sum {
  const lines = [...tallies].flatMap((tally) => [...tally.lines.values()])
  const ways = [...tallies].flatMap((tally) => [...tally.branches.values()].flatMap(({ counts }) => counts))
  const run = (counts: readonly number[]): [number, number] => [
    counts.filter((count) => count > 0).length,
    counts.length,
  ]
  return { lines: run(lines), branches: run(ways) }
}

function row(name: string, { lines, branches }: Sum, missing = ''): string {
  const share = ([part, of]: readonly [number, number]): string =>
    `${percent(part, of).toFixed(1).padStart(6)}  ${`${part}/${of}`.padStart(9)}`
  return `${name.padEnd(34)} ${share(lines)} ${share(branches)}  ${missing}`
}

const asked = new Set(process.argv.slice(2))
if (!asked.has('--last') && !asked.has('--browser')) inNode()
if (!asked.has('--last') && !asked.has('--node')) inBrowser()

const tallies = new Map<string, Tally>()
const tallyOf = (file: string): Tally => {
  if (!tallies.has(file)) tallies.set(file, new Tally())
  return tallies.get(file)!
}
const node = JSON.parse(readFileSync(join(NODE, 'coverage-final.json'), 'utf8')) as Record<string, Covered>
for (const [path, covered] of Object.entries(node)) tallyOf(path.slice(resolve('.').length + 1)).add(covered)
for await (const [file, covered] of recorded()) tallyOf(file).add(covered)

console.log(
  `\n${'file'.padEnd(34)} ${'lines %'.padStart(17)} ${'branches %'.padStart(17)}  not run (?: one way of a branch)`,
)
for (const folder of FOLDERS) {
  const inside = [...tallies].filter(([file]) => file.startsWith(`${folder}/`)).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [file, tally] of inside) console.log(row(file, sumOf([tally]), tally.missing))
  const all = sumOf(inside.map(([, tally]) => tally))
  console.log(`${row(folder, all)}\n`)
  if (folder !== 'src/storage') continue
  if (Math.min(percent(...all.lines), percent(...all.branches)) < LEAST) {
    console.error(`${folder} is under ${LEAST} % of lines or of branches`)
    process.exitCode = 1
  }
}
