import type { Exam, Result } from './exam.js'
import { doubt, metrics, type Metrics } from './metrics.js'

/** All figures of one who sat the exams. */
export interface Report {
  readonly metrics: Metrics
  /** Of the questions that have an answer. */
  readonly byKind: Record<string, Metrics>
  readonly byExam: Record<string, Metrics>
  /** Of all conversations of each kind of text together. */
  readonly byTextKind: Record<string, Metrics>
  /** Empty if no question is without an answer. */
  readonly doubt: Metrics
}

/** Figures over all exams, in parts, and of the doubt about questions without an answer. */
export function report(sat: ReadonlyMap<Exam, readonly Result[]>): Report {
  // What is counted apart came last, and counts for the doubt alone.
  const counted = [...sat].map(([exam, results]) => [exam.name, results.slice(0, exam.questions.length)] as const)
  const all = counted.flatMap(([, results]) => results)
  const answerable = all.filter(({ question }) => question.gold.length > 0)
  const textKinds = [...new Set([...sat.keys()].flatMap(({ textKind }) => textKind ?? []))].sort()
  const ofKind = (kind: string) =>
    [...sat].flatMap(([exam, results]) => (exam.textKind === kind ? results.slice(0, exam.questions.length) : []))
  const kinds = [...new Set(answerable.map(({ question }) => question.kind))].sort()
  return {
    metrics: metrics(all),
    byKind: Object.fromEntries(
      kinds.map((kind) => [kind, metrics(answerable.filter(({ question }) => question.kind === kind))]),
    ),
    byExam: Object.fromEntries(counted.map(([name, results]) => [name, metrics(results)])),
    byTextKind: Object.fromEntries(textKinds.map((kind) => [kind, metrics(ofKind(kind))])),
    doubt: doubt([...sat.values()].flat()),
  }
}
