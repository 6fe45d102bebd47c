import type { Observation } from '../../src/api/episode.js'

/** A question and the observations, by index, that answer it; none if it cannot be answered. */
export interface Question {
  readonly cue: string
  readonly kind: string
  readonly gold: readonly number[]
}

/** A memory to be filled and questions to ask of it. */
export interface Exam {
  readonly name: string
  /** What kind of text it is, such as `messages`, as its data says. */
  readonly textKind?: string
  /** In lower case, `german` for instance; English if left out. */
  readonly language?: string
  readonly observations: readonly Observation[]
  readonly questions: readonly Question[]
  /** Questions that nothing in the memory answers, asked beside the others and counted apart. */
  readonly unanswerable: readonly Question[]
}

/** One observation that was found. */
export interface Hit {
  /** Index of the observation. */
  readonly index: number
  /** By which the hits are ordered. */
  readonly score: number
  /** How likely it is to be what was asked for; only from who says so. */
  readonly confidence?: number
  readonly lowConfidence?: boolean
}

/** A memory with the observations of an exam in it. */
export interface Filled {
  /** The best `k`, best first. */
  rank(cue: string, k: number): Promise<readonly Hit[]>
  close(): Promise<void>
}

/** Who sits an exam: this library in one of its modes, or a peer. */
export interface Contender {
  readonly name: string
  fill(exam: Exam): Promise<Filled>
}

/** What came back for one question. */
export interface Result {
  readonly question: Question
  /** Ranks of the gold, from 0; Infinity for what was not among the first {@link DEPTH}. */
  readonly ranks: readonly number[]
  /** Confidence and rightness of the first ten; empty where there is no confidence. */
  readonly judged: readonly { readonly confidence: number; readonly right: boolean }[]
  /** The best confidence, or the best score where there is no confidence; -Infinity if nothing was found. */
  readonly best: number
  /** Whether all of the first ten have low confidence; undefined where there is no confidence or nothing was found. */
  readonly allLow?: boolean
  /** Time of a recall of ten, as the caller sees it. */
  readonly elapsedMs: number
}

/** How deep rankings are read: as deep as the figures go, since a question for more is ranked among more candidates. */
const DEPTH = 20

/**
 * Fills a memory and asks every question: for ten as a user would, timed, and again deep for the ranks of its answers.
 */
export async function sit(contender: Contender, exam: Exam): Promise<Result[]> {
  const filled = await contender.fill(exam)
  const results: Result[] = []
  for (const question of [...exam.questions, ...exam.unanswerable]) {
    const started = performance.now()
    const ten = await filled.rank(question.cue, 10)
    const elapsedMs = performance.now() - started
    const deep = question.gold.length > 0 ? await filled.rank(question.cue, DEPTH) : []
    const rankOf = new Map(deep.map(({ index }, rank) => [index, rank]))
    const confident = ten.some(({ confidence }) => confidence !== undefined)
    results.push({
      question,
      ranks: question.gold.map((index) => rankOf.get(index) ?? Infinity),
      judged: confident
        ? ten.map(({ index, confidence = 0 }) => ({ confidence, right: question.gold.includes(index) }))
        : [],
      best: Math.max(...ten.map(({ score, confidence = score }) => confidence)),
      allLow: confident ? ten.every(({ lowConfidence }) => lowConfidence) : undefined,
      elapsedMs,
    })
  }
  await filled.close()
  return results
}

/** A turn as everyone who takes nothing but text is given it: `Speaker: text [shares caption]`. */
export function line({ speaker, text }: Observation): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}
