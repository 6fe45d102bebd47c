import type { Agidb } from '../../src/core/agidb.js'
import type { Observation } from '../../src/core/episode.js'

/** A question and the observations, by index, that answer it; none if it cannot be answered. */
export interface Question {
  readonly cue: string
  readonly kind: string
  readonly gold: readonly number[]
}

/** A memory to be filled and questions to ask of it. */
export interface Exam {
  readonly name: string
  readonly observations: readonly Observation[]
  readonly questions: readonly Question[]
}

/** What came back for one question. */
export interface Result {
  readonly question: Question
  /** Ranks of the gold, from 0; Infinity for what was not among the first {@link DEPTH}. */
  readonly ranks: readonly number[]
  /** Confidence and rightness of the first ten. */
  readonly judged: readonly { readonly confidence: number; readonly right: boolean }[]
  /** Time of a recall of ten, as the caller sees it. */
  readonly elapsedMs: number
}

/** How deep rankings are read. */
const DEPTH = 100

/** Fills a memory and asks every question twice: deep for the ranks, and for ten as a user would, timed. */
export async function sit(db: Agidb, exam: Exam): Promise<Result[]> {
  const ids = await db.observeMany(exam.observations)
  const results: Result[] = []
  for (const question of exam.questions) {
    const { matches } = await db.recall(question.cue, { k: DEPTH })
    const rankOf = new Map(matches.map(({ id }, rank) => [id, rank]))
    const started = performance.now()
    const { matches: ten } = await db.recall(question.cue, { k: 10 })
    const elapsedMs = performance.now() - started
    const gold = new Set(question.gold.map((index) => ids[index]))
    results.push({
      question,
      ranks: question.gold.map((index) => rankOf.get(ids[index]) ?? Infinity),
      judged: ten.map(({ id, confidence }) => ({ confidence, right: gold.has(id) })),
      elapsedMs,
    })
  }
  return results
}
