import { once } from 'node:events'
import { join } from 'node:path'
import { openNode } from '../../src/runtimes/node/engine.js'
import { openForReading } from '../../src/storage/adapters/node/file.js'
import { movedIn } from './moves.js'
import type { Found } from './story.js'
import { writeUntilKilled } from './write.js'

/**
 * Waits for a line with a run, a folder and a level of durability; opens the database that is there, prints what it
 * finds in one line, and writes until it is killed: run by `node-kill.ts`. A call that fails ends it.
 */

const [given] = (await once(process.stdin.setEncoding('utf8'), 'data')) as [string]
const { run, path, durability } = JSON.parse(given) as { run: number; path: string; durability: 'strict' | 'relaxed' }
const moved = await movedIn([
  openForReading(join(path, 'journal.agidb')),
  openForReading(join(path, 'journal-2.agidb')),
])
const db = await openNode({ path, durability })
const episodes: Found['episodes'][number][] = []
for await (const page of db.episodes({ limit: 1000 })) episodes.push(...page.map(({ id, text }) => ({ id, text })))
const problems = (await db.verify()).problems.filter(({ harm }) => harm !== 'none')
const found: Found = { episodes, opening: (await db.stats()).opening, moved, problems }
process.stdout.write(`${JSON.stringify(found)}\n`)
await writeUntilKilled(db, run, (lines) => void process.stdout.write(lines.map((line) => `${line}\n`).join('')))
