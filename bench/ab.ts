/** How long two versions of the library take for the same, by turns. */
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { pairedRatio, ratiosOf } from './ab/ratio.js'
import { byTurns, type Round } from './ab/turns.js'
import type { Duration } from './ab/tasks.js'
import { commandLine, UsageError } from './command.js'
import { entryOf, HERE } from './library.js'
import { quantile } from './section.js'
import { tabular, type TableRow } from './tabular.js'

const HELP = `
Recall, opening and ingest of two checkouts by turns, a process each, and the ratio of their times. Both must be built.

  npm run bench:ab -- --before FOLDER --after FOLDER

  --pairs N       pairs of processes. Default 6
  --rounds N      rounds of each pair, an even number, beside a first one that does not count. Default 10
  --within N      fails when the time of a measure grew by more than N percent
  --json FILE     writes all times

The ratio is the median of after / before in two rounds, of which each version begins one; below 1 the version after
is faster. "from" and "to" are the interval that holds it with a probability of 95 %. Where other programs run, the
time of the processors tells more than the clock. Memories lie in the temporary folder: TMPDIR=/dev/shm leaves the
disk out.
`

const { values } = commandLine(HELP, {
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    pairs: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '10' },
    within: { type: 'string' },
    json: { type: 'string' },
  },
})

const [before, after] = await Promise.all([built('before'), built('after')])
const [pairs, rounds] = [whole('pairs'), whole('rounds')]
if (rounds % 2 === 1) throw new UsageError('--rounds takes an even number: each version begins half of them')
const folder = await mkdtemp(join(tmpdir(), 'agidb-ab-'))
try {
  const program = join(folder, 'child.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('ab/child.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  })
  const done = await byTurns({
    before,
    after,
    program,
    folder,
    pairs,
    rounds,
    transcript: join(HERE, 'demo/data/apollo13.jsonl'),
    questions: join(HERE, 'bench/data/apollo13-questions.json'),
    onProgress: (progress) => console.error(`  ${progress}`),
  })
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(done, null, 1)}\n`)
  print(done)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function built(side: 'before' | 'after'): Promise<string> {
  const checkout = values[side]
  if (checkout === undefined) throw new UsageError('give two checkouts: --before FOLDER --after FOLDER')
  const entry = await entryOf(resolve(checkout), true)
  await access(entry).catch(() => {
    throw new UsageError(`${checkout} is not built; run npm run build there`)
  })
  return entry
}

function whole(option: 'pairs' | 'rounds'): number {
  const value = Number(values[option])
  if (Number.isInteger(value) && value > 0) return value
  throw new UsageError(`--${option} takes a whole number above 0`)
}

function print(done: readonly Round[]): void {
  const measures = Object.keys(done[0].before).map((name) => measured(name, done))
  const columns = ['before ms', 'after ms', 'ratio', 'from', 'to', 'processor time', 'from ', 'to ']
  const rows = measures.map(({ row }) => row)
  console.log(tabular({ title: `after / before, ${pairs} pairs of processes, ${rounds} rounds each`, columns, rows }))
  if (values.within === undefined) return
  const most = 1 + Number(values.within) / 100
  for (const { row, ratio } of measures) {
    if (ratio <= most) continue
    console.error(`${row.name} takes ${ratio.toFixed(3)} times as long; ${most} was allowed`)
    process.exitCode = 1
  }
}

/** A measure: its medians, and the ratios of its times on the clock and of the processors. */
function measured(name: string, done: readonly Round[]): { readonly row: TableRow; readonly ratio: number } {
  const ratios = (figure: keyof Duration) => {
    const times = ({ before, after }: Round) => ({ before: before[name][figure], after: after[name][figure] })
    const of = (pair: number) => done.filter((round) => round.pair === pair).map(times)
    return pairedRatio(Array.from({ length: pairs }, (_, pair) => ratiosOf(of(pair))))
  }
  const [time, cpu] = [ratios('ms'), ratios('cpuMs')]
  const median = (side: 'before' | 'after') =>
    quantile(
      done.map((round) => round[side][name].ms),
      0.5,
    )
  const cells = {
    'before ms': median('before'),
    'after ms': median('after'),
    ratio: time.ratio.toFixed(3),
    from: time.from.toFixed(3),
    to: time.to.toFixed(3),
    'processor time': cpu.ratio.toFixed(3),
    'from ': cpu.from.toFixed(3),
    'to ': cpu.to.toFixed(3),
  }
  return { row: { name, cells }, ratio: time.ratio }
}
