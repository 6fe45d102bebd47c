import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Exam } from '../recall/exam.js'
import { readTranscriptExam } from '../recall/transcript.js'

/** The memories of `bench/data/multi-hop`. */
const NAMES = ['move', 'team', 'clinic'] as const

/**
 * A question whose gold has to be put together. `two` and `three` say how many turns the answer takes; each leads to
 * the next by something that both name and the question does not. `order` asks for what came first, last, right
 * before, right after or in between.
 */
export interface HopQuestion {
  readonly id: string
  readonly question: string
  readonly kind: 'two' | 'three' | 'order'
  /** Turns by index, in the order in which the answer is found. */
  readonly gold: readonly number[]
  /** What leads from each of the gold to the next; empty for `order`. */
  readonly through: readonly string[]
  /** What the answer says, as the turn that has it says it. */
  readonly answer: string
}

/** A memory of 200 turns and the questions about it. */
export interface HopExam extends Exam {
  /** As written, in the order of {@link Exam.questions}. */
  readonly written: readonly HopQuestion[]
}

/** The three memories of the multi-hop set, dedicated to the public domain (CC0 1.0), and their 60 questions. */
export async function readMultiHop(): Promise<HopExam[]> {
  return Promise.all(
    NAMES.map(async (name) => {
      const questions = fileOf(`${name}-questions.json`)
      const exam = await readTranscriptExam(fileOf(`${name}.jsonl`), questions)
      return { ...exam, name, written: JSON.parse(await readFile(questions, 'utf8')) as HopQuestion[] }
    }),
  )
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../data/multi-hop/${name}`, import.meta.url))
}
