import type { BeliefRevision, Verdict } from '../../api/belief.js'

/** How likely a source that was not named is right: three times in four. */
export const DEFAULT_TRUST = 0.75
/** A source that is right half of the time says nothing; none is always right. */
export const [LEAST_TRUST, MOST_TRUST] = [0.5, 0.99]
/**
 * A prior is taken for no surer than this, so that evidence can always change a mind: Cromwell's rule (Lindley 1985,
 * Making Decisions).
 */
const CERTAIN = 0.99
/** Below this confidence a belief that was contradicted is withdrawn. */
export const WITHDRAWN_BELOW = 0.05

/**
 * The confidence after an episode, by Bayes' rule. What a source says is right with probability r = `trust`: where the
 * claim is true it supports it with r and contradicts it with 1 − r, where it is false the other way round. So of a
 * prior c support makes c·r / (c·r + (1 − c)·(1 − r)), and contradiction the same with 1 − r for r. (Pearl 1988,
 * Probabilistic Reasoning in Intelligent Systems, section 2.2; episodes count as independent, each once.) What was held
 * for certain is revised from 0.99, so any evidence leaves it less than certain; what was held for impossible from
 * 0.01.
 */
export function posterior(confidence: number, verdict: Verdict, trust: number): number {
  if (verdict === 'neutral') return confidence
  const prior = Math.min(CERTAIN, Math.max(1 - CERTAIN, confidence))
  const r = verdict === 'supports' ? trust : 1 - trust
  const updated = (prior * r) / (prior * r + (1 - prior) * (1 - r))
  // What was held for certain is not held less firmly for being confirmed.
  return verdict === 'supports' ? Math.max(confidence, updated) : Math.min(confidence, updated)
}

/** The confidence without an episode that it includes: what it says is taken back by its opposite. */
export function without(confidence: number, verdict: Verdict, trust: number): number {
  return verdict === 'neutral'
    ? confidence
    : posterior(confidence, verdict === 'supports' ? 'contradicts' : 'supports', trust)
}

/**
 * The trust by which a revision weighed its episode; in logs of older versions it follows from the confidence before
 * and after.
 */
export function trustOf({ trust, before, after, verdict }: BeliefRevision): number {
  if (trust !== undefined) return trust
  if (before === undefined || before === after) return DEFAULT_TRUST
  const odds = (confidence: number) => confidence / (1 - confidence)
  const moved = odds(after) / odds(Math.min(CERTAIN, Math.max(1 - CERTAIN, before)))
  const ratio = verdict === 'contradicts' ? 1 / moved : moved
  const implied = ratio / (1 + ratio)
  return Number.isFinite(implied) ? Math.min(MOST_TRUST, Math.max(LEAST_TRUST, implied)) : DEFAULT_TRUST
}
