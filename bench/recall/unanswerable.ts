import type { Exam, Question } from './exam.js'

/**
 * Asks each conversation the questions of the next as well (the last those of the first), beside those of its own
 * that have no answer. A single conversation has only its own.
 */
export function withForeign(exams: readonly Exam[]): Exam[] {
  return exams.map((exam, i) => {
    const next = exams[(i + 1) % exams.length]
    const foreign =
      next === exam ? [] : next.questions.map((question): Question => ({ ...question, kind: 'foreign', gold: [] }))
    return { ...exam, unanswerable: [...exam.unanswerable, ...foreign] }
  })
}

/** Leaves out the questions that are counted apart. */
export function withoutUnanswerable(exams: readonly Exam[]): Exam[] {
  return exams.map((exam) => ({ ...exam, unanswerable: [] }))
}
