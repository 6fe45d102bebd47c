import type { SectionSignals } from '../../api/entry.js'
import { log } from '../../base/exponential.js'
import type { Indexes } from '../../indexes/indexes.js'
import { Scale } from '../../recall/evidence/scale.js'
import { logistic } from '../../recall/ranking/forest.js'
import { SECTION_SIGNALS, type SectionEvidence, sectionEvidence, type SectionSignal } from './section-evidence.js'
import type { Sections } from './section.js'
import { SECTION_WEIGHTS } from './section-weights.js'

/** What turns the confidence of a recall and the evidence of sections into a confidence. */
export interface SectionWeights {
  readonly intercept: number
  /** What is added to the log odds of the recall, as a share of them. */
  readonly confidence: number
  readonly signals: Readonly<Record<SectionSignal, number>>
}

/** The highest confidence that log odds are made of; the lowest is as far from 0. */
const SUREST = 0.999
/** Among so many candidates what sections say counts half. */
const FEW = 30

/** An entry that a recall found. */
export interface FoundEntry {
  readonly slot: number
  /** How sure the recall is that it answers the query, 0 to 1. */
  readonly confidence: number
}

/** An entry with what is known by its section, too. */
export interface RankedEntry<T> {
  readonly found: T
  /** How sure it is that its section answers the query, 0 to 1. */
  readonly similarity: number
  readonly section: SectionSignals
}

/**
 * Orders entries by the recall's confidence and by their sections, best first; ties stay in the order given.
 *
 * @param hasSentences whether a sentence encoder helped the recall.
 */
export function rankBySection<T extends FoundEntry>(
  indexes: Indexes,
  query: string,
  entries: readonly T[],
  sections: Sections,
  hasSentences = false,
): RankedEntry<T>[] {
  const slots = entries.map(({ slot }) => slot)
  const columns = standardised(sectionEvidence(indexes, query, slots, sections))
  const equipment = indexes.latents === undefined ? 'plain' : hasSentences ? 'encoder' : 'codebook'
  const weights: SectionWeights = SECTION_WEIGHTS[equipment]
  const trust = trustIn(entries.length)
  const ranked = entries.map((found, i) => {
    const odds = logOdds(found.confidence)
    const section = bySignal((signal) => trust * weights.signals[signal] * columns[signal][i])
    let sum = odds + trust * (weights.intercept + weights.confidence * odds)
    for (const signal of SECTION_SIGNALS) sum += section[signal]
    return { found, similarity: logistic(sum), section }
  })
  return ranked.sort((a, b) => b.similarity - a.similarity)
}

/** How much it counts how so many entries compare with each other, 0 to 1. */
export function trustIn(entries: number): number {
  return entries / (entries + FEW)
}

/** The evidence of entries in standard deviations from their mean. */
export function standardised(evidence: SectionEvidence): SectionEvidence {
  return bySignal((signal) => new Scale(evidence[signal]).z)
}

function bySignal<T>(of: (signal: SectionSignal) => T): Record<SectionSignal, T> {
  return Object.fromEntries(SECTION_SIGNALS.map((signal) => [signal, of(signal)])) as Record<SectionSignal, T>
}

/** The logarithm of the odds of a confidence, finite also for 0 and 1. */
export function logOdds(confidence: number): number {
  const p = Math.min(SUREST, Math.max(1 - SUREST, confidence))
  return log(p / (1 - p))
}
