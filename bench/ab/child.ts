/**
 * One of the two versions, in a process of its own: `child.js ENTRY FOLDER TRANSCRIPT QUESTIONS`. It does a task for
 * each message and answers how long its parts took. It is bundled and run without a loader, because a loader would
 * change the code that is measured.
 */
import { cp, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Database, Library, Observation } from '../library.js'
import type { Duration, Reply, Task, Taken } from './tasks.js'

/** Turns of one ingest, observations after it that are each durable on their own, and questions of one recall. */
const INGESTED = 1000
const SINGLE = 100
const ASKED = 20
/** Openings from the checkpoint that are measured as one: each takes a tenth of a second. */
const OPENINGS = 4

const [entry, folder, transcript, asked] = process.argv.slice(2)
const { Agidb } = (await import(pathToFileURL(entry).href)) as Library
const lines = (await readFile(transcript, 'utf8')).split('\n').filter((line) => line !== '')
const turns = lines.map((line): Observation => {
  const { text, speaker, at } = JSON.parse(line) as Observation
  return { text, speaker, at, session: 'transcript' }
})
const items = JSON.parse(await readFile(asked, 'utf8')) as readonly { readonly question: string }[]
const questions = items.map(({ question }) => question)
const place = (name: string) => join(folder, `${name}.agidb`)
/** Stays open for the recalls. */
let db: Database | undefined
let next = 0

const TASKS: Readonly<Record<Task, () => Promise<Taken>>> = {
  /**
   * Makes the memories that the other tasks open, with the same ids in both versions. The checkpoint is made in one go
   * from the journal: one that was made while turns came lacks some of them, more or fewer by chance.
   */
  async fill() {
    const path = place('checkpoint')
    for (const name of ['checkpoint', 'journal', 'recall']) await rm(place(name), { recursive: true, force: true })
    const filled = await Agidb.open({ path, seed: 1 })
    await filled.observeMany(turns)
    await filled.close()
    await withoutCheckpoint(path)
    await Agidb.open({ path }).then((whole) => whole.close())
    for (const copy of ['journal', 'recall']) await cp(place('checkpoint'), place(copy), { recursive: true })
    return {}
  },
  async ingest() {
    const path = place('new')
    const fresh = await Agidb.open({ path })
    const ingest = await timed(() => fresh.observeMany(turns.slice(0, INGESTED)))
    const observe = await timed(async () => {
      for (const { text } of turns.slice(INGESTED, INGESTED + SINGLE)) await fresh.observe(text)
    })
    await fresh.close()
    await rm(path, { recursive: true })
    return { [`ingest of ${INGESTED}`]: ingest, [`observe, ${SINGLE} times`]: observe }
  },
  async 'open from the checkpoint'() {
    return { [`open from the checkpoint, ${OPENINGS} times`]: await opening(place('checkpoint'), OPENINGS) }
  },
  async 'open from the journal'() {
    const path = place('journal')
    await withoutCheckpoint(path)
    return { 'open from the journal': await opening(path, 1) }
  },
  async recall() {
    const open = (db ??= await Agidb.open({ path: place('recall') }))
    const cues = Array.from({ length: ASKED }, () => questions[next++ % questions.length])
    const recall = await timed(async () => {
      for (const cue of cues) await open.recall(cue)
    })
    return { [`recall, ${ASKED} questions`]: recall }
  },
  async end() {
    await db?.close()
    return {}
  },
}

async function withoutCheckpoint(path: string): Promise<void> {
  for (const name of await readdir(path)) if (!name.startsWith('journal')) await rm(join(path, name))
}

/** Opens to the first answer for which all is there, so many times. Closing is not measured. */
async function opening(path: string, times: number): Promise<Duration> {
  const taken = { ms: 0, cpuMs: 0 }
  for (let i = 0; i < times; i++) {
    let opened: Database
    const { ms, cpuMs } = await timed(async () => {
      opened = await Agidb.open({ path })
      await opened.recall(questions[0], { whole: true })
    })
    await opened!.close()
    taken.ms += ms
    taken.cpuMs += cpuMs
  }
  return taken
}

/** How long something takes, on the clock and of the processors; without what went before. */
async function timed(work: () => Promise<unknown>): Promise<Duration> {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000 }
}

process.on('message', (task: Task) => {
  const reply = (message: Reply) => process.send!(message)
  TASKS[task]().then(
    (taken) => reply({ taken }),
    (error: Error) => reply({ error: error.stack ?? error.message }),
  )
})
process.send!({ taken: {} } satisfies Reply)
