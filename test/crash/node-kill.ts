import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { linesUntilKilled } from './lines.js'
import { momentOf, RUNS_A_DATABASE, type Moment } from './moment.js'
import { Ledger, Tally, type Found } from './story.js'

/**
 * Kills a process that opens or writes a database, has the next one open what it left, and counts: `npm run test:crash
 * -- --runs 500 --durability relaxed`.
 */

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, durability: { type: 'string', default: 'strict' } },
})
const RUNS = Number(values.runs)
const LONGEST_MS = 400
const WRITER = fileURLToPath(new URL('node-writer.ts', import.meta.url))

const started = performance.now()
const tally = new Tally()
/** Starts while the one before it writes. */
let next = newWriter()
for (let run = 0; run < RUNS; ) {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-crash-'))
  const ledger = new Ledger(tally)
  for (let left = Math.min(RUNS_A_DATABASE, RUNS - run); left > 0; left--, run++) {
    await writeAndDie(folder, ledger, run, momentOf(run, LONGEST_MS))
    tally.kills++
  }
  // Whoever opens it last only looks.
  await writeAndDie(folder, ledger, run, { after: 'opened', ms: 0 })
  rmSync(folder, { recursive: true, force: true })
}
next.kill()
tally.conclude(
  `Node, kill -9, ${values.durability}, ${((performance.now() - started) / 1000 / RUNS).toFixed(1)} s each`,
)

/** A process that waits for what to do. */
function newWriter() {
  return spawn(process.execPath, ['--import', 'tsx', WRITER], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Has a writer open the database, compares what it finds with what was said before, and kills it. */
async function writeAndDie(folder: string, ledger: Ledger, run: number, { after, ms }: Moment): Promise<void> {
  const writer = next
  next = newWriter()
  const reached = (point: Moment['after']): void =>
    void (point === after && setTimeout(() => writer.kill('SIGKILL'), ms))
  let lines = 0
  const hear = (line: string): void => {
    if (lines++ === 0) {
      ledger.check(JSON.parse(line) as Found)
      reached('opened')
    } else if (line === '|') reached('rest')
    else ledger.hear(line)
    if (lines === 2) reached('wrote')
  }
  const killed = linesUntilKilled(writer, hear)
  writer.stdin.end(JSON.stringify({ run, path: folder, durability: values.durability }))
  reached('start')
  const failure = await killed
  if (failure !== undefined) {
    next.kill()
    throw new Error(`run ${run}, ${folder} is kept`, { cause: failure })
  }
  if (lines < 2 && after !== 'opened') tally.silent++
}
