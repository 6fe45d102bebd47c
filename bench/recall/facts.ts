import { readFile } from 'node:fs/promises'
import type { Exam, Question } from './exam.js'

interface Lists {
  readonly lists: readonly {
    readonly name: string
    readonly facts: readonly string[]
    readonly asked: readonly (readonly [cue: string, facts: readonly number[]])[]
    readonly unanswered: readonly string[]
  }[]
}

/**
 * Lists of facts, each a small memory without speakers or sessions, a minute between two of them, in the form of
 * `bench/data/facts.json`.
 */
export async function readFacts(file: string): Promise<Exam[]> {
  const { lists } = JSON.parse(await readFile(file, 'utf8')) as Lists
  return lists.map(
    ({ name, facts, asked, unanswered }): Exam => ({
      name,
      observations: facts.map((text, i) => ({ text, at: Date.UTC(2025, 11, 1) + i * 60_000 })),
      questions: asked.map(([cue, gold]): Question => ({ cue, gold, kind: 'facts' })),
      unanswerable: unanswered.map((cue): Question => ({ cue, gold: [], kind: 'none' })),
    }),
  )
}
