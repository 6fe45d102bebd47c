// What every place is asked, in any runtime: the storage contract, and memories that must answer the same everywhere.
import type { Agidb, Observation, StorageAdapter } from 'agidb'
import { storageContract, type StorageFeatures } from 'agidb/storage-contract'
import { rememberAndRecall } from '../runtimes/remember-and-recall.ts'

/** What is remembered and asked. */
export interface Exam {
  readonly turns: readonly (Observation & { readonly id: string })[]
  readonly questions: readonly string[]
  /** The session that is forgotten. */
  readonly forgotten: string
}

/** How a place did. */
export interface Outcome {
  readonly contract: { readonly passed: number; readonly failed: readonly string[] }
  /** SHA-256 of the matches of all questions, with their scores. */
  readonly recall: string
  /** SHA-256 of what the floors and documents answer. */
  readonly floors: string
  /** Questions that a memory that forgot a session answers otherwise than one that never had it. */
  readonly unlike: number
}

/** A place for memories that are empty when they are first opened, by their names. */
export interface Place {
  readonly features: StorageFeatures
  /** Whether a memory is there when it is opened again. */
  readonly durable: boolean
  /** An adapter for one case of the contract. Called anew for each run of a program that the case plays. */
  readonly contractPlace: () => Promise<{ adapter(): StorageAdapter; remove?(): void | Promise<void> }>
  open(name: string): Promise<Agidb>
}

/** Turns that are stored at a time. */
const BATCH = 200

export async function examine(place: Place, exam: Exam): Promise<Outcome> {
  const contract = await contractOf(place)
  const db = await filled(place, 'asked', exam.turns)
  const recall = await sha256(await answers(db, exam.questions))
  await db.unlearn({ session: exam.forgotten }, 'it was asked to')
  await db.compact()
  const after = await answers(db, exam.questions)
  await db.close()
  const kept = exam.turns.filter(({ session }) => session !== exam.forgotten)
  const twin = await filled(place, 'twin', kept)
  const never = await answers(twin, exam.questions)
  await twin.close()
  const unlike = after.filter((answer, i) => JSON.stringify(answer) !== JSON.stringify(never[i])).length
  const { kernel: _, codebook: __, ...floors } = await rememberAndRecall(await place.open('floors'))
  return { contract, recall, floors: await sha256(floors), unlike }
}

/** A memory of these turns, which was closed and opened again where that keeps it. */
async function filled(place: Place, name: string, turns: Exam['turns']): Promise<Agidb> {
  const db = await place.open(name)
  for (let from = 0; from < turns.length; from += BATCH) await db.observeMany(turns.slice(from, from + BATCH))
  if (!place.durable) return db
  await db.close()
  return place.open(name)
}

async function answers(db: Agidb, questions: Exam['questions']): Promise<unknown[]> {
  const all: unknown[] = []
  for (const question of questions) all.push((await db.recall(question, { k: 5 })).matches)
  return all
}

/** The contract, case by case: a case that hangs or fails does not end the others. */
async function contractOf({ features, contractPlace }: Place): Promise<Outcome['contract']> {
  const failed: string[] = []
  const tests = storageContract(features, contractPlace)
  for (const { name, run } of tests)
    try {
      await run()
    } catch (error) {
      failed.push(`${name}: ${String(error)}`)
    }
  return { passed: tests.length - failed.length, failed }
}

async function sha256(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
