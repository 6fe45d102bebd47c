/** How quickly the first questions after opening are answered, with the questions that a memory asks itself or not. */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from './command.js'
import { grown, Questions } from './growth.js'
import { Agidb } from './library.js'
import { quantile } from './section.js'
import { tabular } from './tabular.js'
import { readTurns } from './turns.js'

const HELP = `
Makes a memory in a folder, and opens it in new processes by turns, with warmUp and without. Each waits four seconds and
asks fifty questions, or one that names a time.

  npm run bench:warm-up -- [--episodes N] [--rounds N]

  --episodes N  how many the memory has (default 10000)
  --rounds N    processes of each kind (default 4); the figures are their means
`
/** The questions of a process. */
const QUESTIONS = 50
/** How long a process waits before it asks, milliseconds: as long as a memory takes to ask itself its questions. */
const WAIT_MS = 4_000
const TIMED = 'what did we do last Tuesday?'
const BATCH = 1_000

const { values } = commandLine(HELP, {
  options: {
    episodes: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '4' },
    // Of the processes that are measured: the folder of the memory.
    path: { type: 'string' },
    cold: { type: 'boolean', default: false },
    timed: { type: 'boolean', default: false },
  },
})
const episodes = Number(values.episodes)
const transcript = fileURLToPath(new URL('../demo/data/apollo13.jsonl', import.meta.url))

/** What a process measured. */
interface Measured {
  /** How long each question took, milliseconds. */
  readonly times: readonly number[]
  /** Processor time of them all, and of the wait before, milliseconds. */
  readonly processor: number
  readonly waited: number
}

if (values.path === undefined) await compare()
else process.send!(await measure(values.path))

async function compare(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-warm-up-'))
  try {
    const path = join(folder, 'memory.agidb')
    await fill(path)
    const measured: Record<string, Measured[]> = {}
    for (let round = 0; round < Number(values.rounds); round++)
      for (const flags of [['--cold'], [], ['--cold', '--timed'], ['--timed']])
        (measured[flags.join()] ??= []).push(await inProcess(path, flags))
    const mean = (flags: string, figure: (of: Measured) => number) =>
      measured[flags].reduce((sum, of) => sum + figure(of), 0) / measured[flags].length
    const row = (name: string, figure: (of: Measured) => number, more = '') => ({
      name,
      cells: {
        without: mean(['--cold', ...(more ? [more] : [])].join(), figure).toFixed(1),
        with: mean(more, figure).toFixed(1),
      },
    })
    const rows = [
      row('first question ms', ({ times }) => times[0]),
      row('first 50, p50 ms', ({ times }) => quantile(times, 0.5)),
      row('first 50, p95 ms', ({ times }) => quantile(times, 0.95)),
      row('first 50, processor ms each', ({ processor }) => processor / QUESTIONS),
      row('first question that names a time ms', ({ times }) => times[0], '--timed'),
      row('processor ms before the first question', ({ waited }) => waited),
    ]
    console.log(tabular({ title: `The first questions to ${episodes} episodes`, columns: ['without', 'with'], rows }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(path: string): Promise<void> {
  const db = await Agidb.open({ path, warmUp: false })
  const items = [...grown(await readTurns(transcript), episodes)]
  for (let from = 0; from < items.length; from += BATCH) await db.observeMany(items.slice(from, from + BATCH))
  await db.recall(TIMED, { whole: true }) // waits until all texts are read
  await db.close()
}

function inProcess(path: string, flags: readonly string[]): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), ['--path', path, '--episodes', String(episodes), ...flags])
  return new Promise((resolve, reject) => {
    let measured: Measured | undefined
    child.on('message', (message) => (measured = message as Measured))
    child.on('exit', (code) => {
      if (measured !== undefined && code === 0) resolve(measured)
      else reject(new Error(`a process that was to be measured ended with ${code}`))
    })
  })
}

async function measure(path: string): Promise<Measured> {
  const db = await Agidb.open({ path, warmUp: !values.cold, learnFromRecall: false })
  const opened = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  const waited = milliseconds(process.cpuUsage(opened))
  const cues = values.timed ? [TIMED] : await questions()
  const times: number[] = []
  const before = process.cpuUsage()
  for (const cue of cues) {
    const started = performance.now()
    await db.recall(cue)
    times.push(performance.now() - started)
  }
  const processor = milliseconds(process.cpuUsage(before))
  await db.close()
  return { times, processor, waited }
}

async function questions(): Promise<string[]> {
  const asked = new Questions(episodes, QUESTIONS)
  let index = 0
  for (const item of grown(await readTurns(transcript), episodes)) asked.offer(index++, item)
  return asked.asked.map(({ cue }) => cue)
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
