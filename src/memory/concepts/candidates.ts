import type { BeliefCandidate } from '../../api/concept.js'
import type { Triple } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Indexes } from '../../indexes/indexes.js'
import { confidenceOf, voiceOf } from '../voices.js'
import { newestOf, type Statement } from './statements.js'

/** What a statement may be believed by. */
export interface Support {
  readonly minSupport: number
  readonly minConfidence: number
  /** How likely what a source says is right. */
  readonly trustOf: (source: string | undefined) => number
}

/**
 * The statements that might be believed, the surest first: those that are true now, say that something is so, are
 * supported by enough episodes, and about which nothing is believed.
 *
 * @param believed the statements of beliefs.
 */
export function candidatesOf(
  { conceptNames, ontology }: Pick<Indexes, 'conceptNames' | 'ontology'>,
  statements: readonly Statement[],
  believed: readonly Triple[],
  { minSupport, minConfidence, trustOf }: Support,
): BeliefCandidate[] {
  const keyOf = (subject: string, relation: string, object: string) => JSON.stringify([subject, relation, object])
  const known = new Set(
    believed.map(({ subject, predicate, object }) => {
      const meant = ontology.ordered(conceptNames.rootOf(subject), predicate, conceptNames.rootOf(object), byText)
      return keyOf(meant.subject, meant.relation, meant.object)
    }),
  )
  const found: BeliefCandidate[] = []
  for (const statement of statements) {
    const { meant, said, end } = statement
    const now = said.filter(({ isNow }) => isNow)
    if (end !== undefined || meant.holds !== true || meant.subject === meant.object || now.length < minSupport) continue
    if (known.has(keyOf(meant.subject, meant.relation, meant.object))) continue
    const confidence = confidenceOf(now.map(({ episode }) => voiceOf(episode, trustOf)))
    if (confidence < minConfidence) continue
    const { subject, predicate, object } = newestOf(statement).triple
    found.push({
      claim: `${subject} ${predicate} ${object}`,
      subject,
      predicate,
      object,
      confidence,
      evidence: now.slice(-FIELD_LIMITS.belief.evidence.items).map(({ episode: { id } }) => id),
    })
  }
  return found.sort((a, b) => b.confidence - a.confidence || b.evidence.length - a.evidence.length)
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
