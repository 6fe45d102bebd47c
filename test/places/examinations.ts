import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PostgresServer, postgresPrograms } from '../fixtures/postgres-server.js'
import { conversations } from './exam-data.js'
import type { Exam, Outcome } from './exam.js'
import { chromiumResults } from './in-chromium.js'
import { killed } from './kills.js'
import { leftIn } from './left-bytes.js'
import { examineObject } from './in-workerd.js'
import type { Result } from './result.js'
import { runtimes, startProgram, type Runtime } from './runtimes.js'

interface Choice {
  /** Only places whose names contain this. */
  readonly only: string
  readonly chromium: boolean
  /** Where the files of the places are, while they are examined. */
  readonly folder: string
}

/** Places by the runtime in which they are examined. */
const PLACES: readonly (readonly [runtime: string, places: readonly string[]])[] = [
  ['node', ['memory', 'folder', 'libsql', 'better-sqlite3', 'PGlite', 'PostgreSQL', 'PostgreSQL that searches']],
  ['node 24', ['folder', 'node:sqlite']],
  ['deno', ['memory', 'folder', 'node:sqlite', 'Deno KV']],
  ['bun', ['memory', 'folder', 'bun:sqlite']],
]
const WITHOUT_FILES = ['memory', 'PGlite']

/** Examines each place that runs here, one after the other. */
export async function* examinations({ only, chromium, folder }: Choice): AsyncGenerator<Result> {
  const exam = await conversations()
  const available = await runtimes()
  for (const [name, places] of PLACES)
    for (const place of places.filter((place) => place.includes(only))) {
      const runtime = available[name]
      const title = { place, runtime: runtime.version }
      const own = await mkdtemp(join(folder, 'agidb-place-'))
      try {
        yield { ...title, ...(await examined(runtime, place, own, exam)) }
      } catch (error) {
        yield { ...title, error: error instanceof Error ? error.message : String(error) }
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    }
  if ('Durable Object'.includes(only)) yield await examineObject(exam, folder)
  if (chromium && 'OPFS IndexedDB'.includes(only)) yield* chromiumResults()
}

async function examined(runtime: Runtime, place: string, folder: string, exam: Exam): Promise<Partial<Result>> {
  if (place.startsWith('PostgreSQL')) return inPostgres(runtime, place, exam)
  const outcome = await ask(runtime, place, folder, exam)
  if (WITHOUT_FILES.includes(place)) return outcome
  return { ...outcome, leftBytes: await leftIn(folder, exam), kills: await killed(runtime, place, folder) }
}

async function inPostgres(runtime: Runtime, place: string, exam: Exam): Promise<Partial<Result>> {
  const programs = postgresPrograms()
  if (programs === undefined) return { error: 'not installed here' }
  const server = new PostgresServer(programs)
  try {
    await server.start()
    return await ask(runtime, place, server.folder, exam)
  } finally {
    await server.remove()
  }
}

/** The outcome of a program that takes the exam. */
async function ask(runtime: Runtime, place: string, folder: string, exam: Exam): Promise<Outcome> {
  const program = startProgram(runtime, 'examine', place, folder)
  program.stdin.on('error', () => {}) // of a program that ended at once: its own error is told
  program.stdin.end(JSON.stringify(exam))
  let [text, errors] = ['', '']
  program.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  program.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  await new Promise((resolve) => program.once('close', resolve))
  const last = text.trim().split('\n').at(-1)!
  if (!last.startsWith('{')) throw new Error(errors.trim() || 'the program ended without an answer')
  return JSON.parse(last) as Outcome
}
