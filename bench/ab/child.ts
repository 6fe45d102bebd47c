/**
 * One of the two versions, in a process of its own: `child.js ENTRY FOLDER TRANSCRIPT QUESTIONS`. It does a task for
 * each message and answers how long its parts took. It is bundled and run without a loader, because a loader would
 * change the code that is measured.
 */
import { cp, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Database, Library, Observation } from '../library.js'
import type { Reply, Task, Taken } from './tasks.js'

/** Turns of one ingest, observations after it that are each durable on their own, and questions of one recall. */
const INGESTED = 1000
const SINGLE = 50
const ASKED = 20

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
  /** Makes the memories that the other tasks open. */
  async fill() {
    const filled = await Agidb.open({ path: place('checkpoint') })
    await filled.observeMany(turns)
    await filled.close()
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
    return { 'open from the checkpoint': await opening(place('checkpoint')) }
  },
  async 'open from the journal'() {
    const path = place('journal')
    for (const name of await readdir(path)) if (!name.startsWith('journal')) await rm(join(path, name))
    return { 'open from the journal': await opening(path) }
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

/** Opens to the first answer for which all is there. */
async function opening(path: string) {
  let opened: Database
  const taken = await timed(async () => {
    opened = await Agidb.open({ path })
    await opened.recall(questions[0], { whole: true })
  })
  await opened!.close()
  return taken
}

/** How long something takes, on the clock and of the processors; without what went before. */
async function timed(work: () => Promise<unknown>) {
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
