/**
 * A part of a measurement in a process of its own, started by node.ts: `child.ts <folder> <count> <queries>
 * <transcript>…`, what to do by message.
 */
import { Agidb } from '../library.js'
import { readTurns } from '../turns.js'
import { taken } from './measured.js'
import { askMiniSearch } from './minisearch.js'
import { ask, begin, fill, type Question } from './story.js'

/** What a child is to do: to fill the folder, to ask the memory in it, or to ask MiniSearch the same. */
export type Task = 'fill' | { readonly ask: readonly Question[] } | { readonly miniSearch: readonly Question[] }

const [folder, count, queries, ...transcripts] = process.argv.slice(2)

process.on('message', async (task: Task) => {
  process.send!(await done(task), () => process.exit())
})

async function done(task: Task) {
  if (task === 'fill') return filled()
  if ('ask' in task) return asked(task.ask)
  return { miniSearch: await askMiniSearch(await readTurns(...transcripts), Number(count), task.miniSearch) }
}

async function filled() {
  const source = await readTurns(...transcripts)
  const db = await Agidb.open({ path: folder })
  const before = cpuMs()
  const filled = await fill(db, source, Number(count), Number(queries))
  return { ...filled, observeCpuMs: cpuMs() - before }
}

async function asked(questions: readonly Question[]) {
  const before = memory()
  const idle = cpuMs()
  const { db, ...begun } = await begin(() => Agidb.open({ path: folder }), questions[0].cue)
  const opened = cpuMs()
  const answered = await ask(db, questions)
  const recallCpuMs = (cpuMs() - opened) / answered.asked
  const after = memory()
  const { bytes: diskBytes, ...stats } = await db.stats()
  const grown = (figure: keyof typeof before) => after[figure] - before[figure]
  return {
    ...begun,
    ...answered,
    ...taken(stats),
    openCpuMs: opened - idle,
    recallCpuMs,
    diskBytes,
    heapBytes: grown('heapUsed'),
    bufferBytes: grown('arrayBuffers'),
    residentBytes: grown('rss'),
  }
}

/** What all threads of this process took of the processors. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function memory(): NodeJS.MemoryUsage {
  globalThis.gc?.()
  return process.memoryUsage()
}
