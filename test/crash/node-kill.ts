import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Agidb } from '../../src/node.js'
import { verifyPath } from '../../src/node/verify.js'
import { check, conclude, newTally, note } from './story.js'

/** Kills a process that is writing, opens what it left, and counts: `npm run test:crash -- --runs 200 --durability relaxed`. */

const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' }, durability: { type: 'string', default: 'strict' } } })
const RUNS = Number(values.runs)
/** Crashes that one database goes through. */
const RUNS_A_DATABASE = 10
const WRITER = fileURLToPath(new URL('node-writer.ts', import.meta.url))

const tally = newTally()
let folder = ''
let acknowledged = new Set<string>()
/** What was said to be removed. */
let removed = new Set<string>()
let compactions = 0
for (let run = 0; run < RUNS; run++) {
  if (run % RUNS_A_DATABASE === 0) {
    if (folder) rmSync(folder, { recursive: true })
    folder = mkdtempSync(join(tmpdir(), 'agidb-crash-'))
    acknowledged = new Set()
    removed = new Set()
  }
  tally.acknowledged += await writeUntilKilled(run)
  tally.runs++
  // Where a compaction was cut short, or had just come to its end, the two journals tell.
  if (statSync(join(folder, 'journal-2.agidb')).size > 0) compactions++
  const db = await Agidb.open({ path: folder })
  note(tally, (await db.stats()).opening)
  const found = []
  for await (const page of db.episodes({ limit: 1000 })) found.push(...page)
  await db.close()
  check(tally, acknowledged, found)
  tally.doubled += found.filter(({ id }) => removed.has(id)).length
  const report = await verifyPath(folder)
  if (report.problems.length > 0) throw new Error(`run ${run}: verifying it finds ${JSON.stringify(report.problems)}`)
  // What was there without an acknowledgement must stay from now on, too.
  for (const { id } of found) acknowledged.add(id)
}
rmSync(folder, { recursive: true, force: true })
conclude(`Node, kill -9, ${values.durability}`, tally)
console.log(`${removed.size} of the last memory were removed and none came back; in ${compactions} runs the journal had been, or was being, moved`)

/** How many ids a writer acknowledged until it was killed at a random moment. */
async function writeUntilKilled(run: number): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, folder, String(run), values.durability], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  let timer: NodeJS.Timeout | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    timer ??= setTimeout(() => child.kill('SIGKILL'), Math.random() * 400)
    said += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== null) throw new Error(`the writer ended by itself, with exit code ${code}`)
  // A line without its end was being written when the kill came.
  const lines = said.slice(0, said.lastIndexOf('\n') + 1).split('\n').filter(Boolean)
  for (const line of lines) {
    const id = line.slice(1)
    if (line.startsWith('?')) acknowledged.delete(id)
    else if (line.startsWith('-')) removed.add(id)
    else acknowledged.add(line)
  }
  return lines.filter((line) => line.startsWith('run')).length
}
