import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type FoundAfterKill, ForgettingLedger, wordOf } from './forgetting-story.js'
import { linesUntilKilled } from './lines.js'

/**
 * Kills a process that unlearns, restores and expires, has the next one open what it left, and counts: `npm run
 * test:crash:forgetting -- --runs 200`. Each second memory is encrypted.
 */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } })
const RUNS = Number(values.runs)
const RUNS_A_MEMORY = 10
/** Milliseconds after which a writer is killed, at most. */
const LONGEST_MS = 900
const WRITER = fileURLToPath(new URL('forgetting-writer.ts', import.meta.url))

const started = performance.now()
const ledgers: ForgettingLedger[] = []
/** Expired sessions that were looked for in the files, and not found. */
let lookedFor = 0
/** Starts while the one before it writes. */
let next = newWriter()
try {
  for (let run = 0; run < RUNS; ) {
    const encryption = ledgers.length % 2 === 0 ? 'keys-beside' : 'none'
    const folder = mkdtempSync(join(tmpdir(), 'agidb-forgetting-'))
    const ledger = new ForgettingLedger()
    ledgers.push(ledger)
    for (let left = Math.min(RUNS_A_MEMORY, RUNS - run); left > 0; left--, run++)
      await writeAndDie(folder, ledger, run, encryption, Math.random() * LONGEST_MS)
    // Whoever opens it last only looks.
    await writeAndDie(folder, ledger, run, encryption, 0)
    rmSync(folder, { recursive: true, force: true })
  }
} finally {
  next.kill()
}
const sum = (of: (ledger: ForgettingLedger) => number): number => ledgers.reduce((all, ledger) => all + of(ledger), 0)
console.log(
  `Node, kill -9: ${RUNS} kills; ${sum(({ counts }) => counts.unlearn)} unlearnings acknowledged, ` +
    `${sum(({ counts }) => counts.restore)} restored, ${sum(({ counts }) => counts.expire)} expiries; ` +
    `${sum(({ cut }) => cut.with + cut.without)} sessions in calls that were cut short, ` +
    `${sum(({ cut }) => cut.with)} of them with their effect; none in part, none undone; ${lookedFor} expired ` +
    `sessions looked for in the files, none found; ${((performance.now() - started) / 1000).toFixed(0)} s`,
)

/** A process that waits for what to do. */
function newWriter() {
  return spawn(process.execPath, ['--import', 'tsx', WRITER], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Has a writer open the memory, compares what it finds with what was said before, and kills it. */
async function writeAndDie(
  path: string,
  ledger: ForgettingLedger,
  run: number,
  encryption: string,
  ms: number,
): Promise<void> {
  const writer = next
  next = newWriter()
  let lines = 0
  const hear = (line: string): void => {
    if (lines++ > 0) return ledger.hear(line)
    const expired = ledger.expired
    ledger.check(JSON.parse(line) as FoundAfterKill)
    expectGone(path, expired)
    setTimeout(() => writer.kill('SIGKILL'), ms)
  }
  const killed = linesUntilKilled(writer, hear)
  writer.stdin.end(JSON.stringify({ run, path, encryption }))
  const failure = await killed
  if (failure !== undefined) throw new Error(`run ${run}, ${path} is kept`, { cause: failure })
}

/** Nothing of a session whose expiry was acknowledged stands in a file. */
function expectGone(path: string, sessions: readonly string[]): void {
  const files = readdirSync(path).filter((name) => name.endsWith('.agidb'))
  const contents = files.map((name) => readFileSync(join(path, name)))
  for (const session of sessions) {
    lookedFor++
    const at = contents.findIndex((content) => content.includes(wordOf(session)))
    if (at >= 0) throw new Error(`session ${session} expired, and its words stand in ${files[at]}`)
  }
}
