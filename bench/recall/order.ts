import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Exam, Question } from './exam.js'
import { toExam } from './locomo.js'
import { readTranscript } from './transcript.js'

const DATA = new URL('../data/', import.meta.url)
const TRANSCRIPT = new URL('../../demo/data/apollo13.jsonl', import.meta.url)

/** Which questions: those that the rules were written with, or those that were kept apart while they were written. */
export type Part = 'development' | 'held'

/** A question about order in time. */
interface Asked {
  readonly part: Part
  /** The name of a conversation, or `apollo13`. */
  readonly conversation: string
  /** What is asked for: what came `after`, `before` or `between`, `next`, `first` or `last`. */
  readonly kind: string
  readonly question: string
  /** Turns, or lines of the transcript from 0. */
  readonly evidence: readonly (string | number)[]
}

/** The questions about order in time of one part, an exam for each conversation. */
export async function readOrder(part: Part): Promise<Exam[]> {
  const asked = JSON.parse(await readFile(new URL('order-questions.json', DATA), 'utf8')) as Asked[]
  const names = [...new Set(asked.filter((one) => one.part === part).map(({ conversation }) => conversation))]
  return Promise.all(
    names.map(async (name) =>
      (await examOf(name))(asked.filter((one) => one.part === part && one.conversation === name)),
    ),
  )
}

/** Makes an exam of a conversation from questions about it. */
async function examOf(name: string): Promise<(asked: readonly Asked[]) => Exam> {
  if (name === 'apollo13') {
    const observations = await readTranscript(fileURLToPath(TRANSCRIPT))
    const questions = (asked: readonly Asked[]) =>
      asked.map(({ question, kind, evidence }): Question => ({ cue: question, kind, gold: evidence as number[] }))
    return (asked) => ({ name, observations, questions: questions(asked), unanswerable: [] })
  }
  const conversation = JSON.parse(await readFile(new URL(`conversations/${name}.json`, DATA), 'utf8')) as object
  return (asked) =>
    toExam(name, {
      ...conversation,
      qa: asked.map(({ question, kind, evidence }) => ({ question, category: kind, evidence: evidence as string[] })),
    })
}
