// A process of its own, with --expose-gc: `child.ts <options of open, JSON> <turns> <items of a floor> <step>…`.
// Prints, step by step, what a memory says that it takes and what it does take, as JSON.
import { fileURLToPath } from 'node:url'
import { grown } from '../../../bench/growth.js'
import { readTurns } from '../../../bench/turns.js'
import type { Stats } from '../../../src/api/stats.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

/** What there is after a step, in bytes. */
export interface Step {
  readonly name: string
  readonly parts: Stats['memoryParts']
  /**
   * What the heap of JavaScript has more than before the memory was opened, and the buffers beside it. WebAssembly's
   * memory is neither.
   */
  readonly heap: number
  readonly buffers: number
}

const [options, turns, many, ...wanted] = process.argv.slice(2)
const WARM = 1000
const source = await readTurns(fileURLToPath(new URL('../../../demo/data/apollo13.jsonl', import.meta.url)))
const items = [...grown(source, WARM + Number(turns))]
const texts = items.map(({ text }) => text)
const cues = texts.filter((_, i) => i % Math.floor(texts.length / 64) === 0).slice(0, 64)

/** What can be measured. All is run once before, on another memory: code is compiled once, whatever is remembered. */
const STEPS: Record<
  string,
  (db: Agidb, from: number, count: { readonly turns: number; readonly many: number }) => Promise<void>
> = {
  async observed(db, from, { turns }) {
    for (let i = from; i < from + turns; i += 1000)
      await db.observeMany(items.slice(i, Math.min(i + 1000, from + turns)))
  },
  async recalled(db) {
    for (const cue of cues) await db.recall(cue)
  },
  async wanted(db, from, { many }) {
    for (let i = 0; i < many; i++) await db.setGoal({ description: texts[from + i] })
    for (const cue of cues.slice(0, 5)) await db.recall(cue)
  },
  async believed(db, from, { many }) {
    for (let i = 0; i < many; i++) {
      await db.assertBelief({
        claim: texts[from + i],
        subject: `pilot ${i}`,
        predicate: 'reports',
        object: `reading ${i % 50}`,
        confidence: 0.6,
        evidence: [],
      })
    }
    for (const cue of cues.slice(0, 5)) await db.recall(cue)
  },
  async learned(db, from, { many }) {
    for (let i = 0; i < many / 4; i++) {
      const id = await db.learnProcedure({
        name: `procedure ${i}`,
        trigger: texts[from + i],
        steps: texts.slice(i, i + 3),
      })
      await db.recordExecution(id, { success: i % 3 > 0, trace: [texts[i]] })
    }
    for (const cue of cues.slice(0, 5)) await db.proceduresFor(cue)
  },
  async sensed(db, from, { many }) {
    for (let i = 0; i < Math.min(many, 200); i++) {
      await db.observeSensory({ modality: 'text', text: texts[from + i] })
      await db.observeSensory({
        modality: 'audio',
        latent: Float32Array.from({ length: 384 }, (_, d) => Math.sin(1 + i * d)),
        encoder: 'sines',
      })
    }
  },
  /** Statements that are made twice each. */
  async consolidated(db, _from, { many }) {
    const statements = Array.from({ length: 2 * many }, (_, i) => {
      const [subject, object] = [`pilot ${i % many}`, `reading ${(i % many) % 50}`]
      return { text: `${subject} reports ${object}`, triples: [{ subject, predicate: 'reports', object }] }
    })
    await db.observeMany(statements)
    await db.consolidate()
    for (const cue of cues.slice(0, 5)) await db.recall(cue)
  },
  async traced(db) {
    for (const cue of cues.slice(0, 32)) await db.recall(cue, { traceAttention: true })
  },
}

async function now(): Promise<{ readonly heap: number; readonly buffers: number }> {
  // What was used last may be held until another turn of the loop.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc!()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, buffers: arrayBuffers }
}

/**
 * How often it is looked: in a folder an image of the indexes is written meanwhile, for which there is more for a
 * moment.
 */
const LOOKS = 'path' in (JSON.parse(options) as object) ? 4 : 1

/** The least of some looks. */
async function taken(): Promise<Awaited<ReturnType<typeof now>>> {
  const found = [await now()]
  while (found.length < LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    found.push(await now())
  }
  return found.reduce((least, one) => (one.heap + one.buffers < least.heap + least.buffers ? one : least))
}

const warm = await Agidb.open({ extract: 'none', autoConsolidate: false, storage: 'memory', shards: 0 })
for (const name of wanted) await STEPS[name](warm, 0, { turns: WARM, many: Number(many) })
await warm.stats()
await warm.close()

const before = await taken()
const db = await Agidb.open({
  extract: 'none',
  autoConsolidate: false,
  shards: 0,
  ...(JSON.parse(options) as object),
} as Parameters<typeof Agidb.open>[0])
const steps: Step[] = []
async function look(name: string): Promise<void> {
  const { heap, buffers } = await taken()
  const { memoryParts: parts } = await db.stats()
  steps.push({ name, parts, heap: heap - before.heap, buffers: buffers - before.buffers })
}
// Builds the floors, which are counted and otherwise come when something is first asked of them.
await db.activeGoals()
await look('opened')
for (const name of wanted) {
  await STEPS[name](db, WARM, { turns: Number(turns), many: Number(many) })
  await look(name)
}
await db.close()
process.stdout.write(JSON.stringify(steps))
