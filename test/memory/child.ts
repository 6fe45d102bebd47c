// A process of its own, with --expose-gc: `child.ts <options of open, JSON> <turns> <beliefs>`. Prints, step by step, what the memory says that it takes
// and what it does take, in JSON.
import { fileURLToPath } from 'node:url'
import type { Stats } from '../../src/core/agidb.js'
import { grown } from '../../bench/growth.js'
import { readTurns } from '../../bench/turns.js'
import { Agidb } from '../../src/node.js'

/** Bytes after a step. */
export interface Step {
  readonly name: string
  readonly parts: Stats['memoryParts']
  /** Of JavaScript, more than there was before the memory was opened. */
  readonly heap: number
  readonly buffers: number
}

const TRANSCRIPT = fileURLToPath(new URL('../../demo/data/apollo13.jsonl', import.meta.url))
const [options, turns, minds] = process.argv.slice(2)

async function taken(): Promise<{ heap: number; buffers: number }> {
  // What was used last may be held until another turn of the loop.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    globalThis.gc!()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}

const source = await readTurns(TRANSCRIPT)
const items = [...grown(source, Number(turns))]
const cues = items.filter((_, i) => i % Math.floor(items.length / 50) === 0).map(({ text }) => text)
const steps: Step[] = []

async function mindful(db: Agidb, from: number, count: number): Promise<void> {
  for (let i = from; i < from + count; i++) {
    const { text } = items[(i * 7) % items.length]
    if (i % 3 === 0) await db.setGoal({ description: text })
    else await db.assertBelief({ claim: text, subject: `pilot ${i}`, predicate: 'reports', object: `reading ${i % 50}`, confidence: 0.6, evidence: [] })
  }
  for (const cue of cues.slice(0, 5)) await db.recall(cue)
}
// Code is compiled once, whatever is remembered.
const other = await Agidb.open({ storage: 'memory', shards: 0 })
await other.observeMany(items.slice(0, 1000))
await mindful(other, 0, 60)
for (const cue of cues) await other.recall(cue, { traceAttention: true })
await other.close()

const before = await taken()
const db = await Agidb.open({ shards: 0, ...JSON.parse(options) })
const step = async (name: string) => {
  const { heap, buffers } = await taken()
  const { memoryParts } = await db.stats()
  steps.push({ name, parts: memoryParts, heap: heap - before.heap, buffers: buffers - before.buffers })
}
await step('opened')
for (let i = 0; i < items.length; i += 1000) await db.observeMany(items.slice(i, i + 1000))
await step('observed')
for (const cue of cues) await db.recall(cue)
await step('recalled')
await mindful(db, 0, Number(minds))
await step('believed')
for (let i = 0; i < 64; i++) await db.recall(cues[i % cues.length], { traceAttention: true })
await step('traced')
process.stdout.write(JSON.stringify(steps))
await db.close()
