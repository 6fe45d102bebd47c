import type { Indexes } from '../indexes/indexes.js'
import { chanceLevel, SIMILAR_MARGIN } from './evidence.js'
import { fuse, total, type Signals } from './fusion.js'
import { share, type Sight } from './sight.js'
import { PATTERN_WEIGHTS, WEIGHTS } from './weights.js'

/** A candidate with what each signal adds to its score. */
export interface Scored {
  readonly slot: number
  readonly score: number
  readonly signals: Readonly<Signals>
  /** Standard deviations of the text or of the structured signature, whichever is more, above unrelated ones. */
  readonly likeness: number
  /** Share of the cue's idf that its words carry, 0 to about 1. */
  readonly coverage: number
  /** Concepts of the cue that its triples name. */
  readonly concepts: readonly string[]
}

export interface RankingOptions {
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
  /** Milliseconds. */
  readonly recencyWindow?: number
  /** Epoch milliseconds from which recency is counted back. */
  readonly now: number
}

/** Scores candidates by all the evidence together; best first, ties by slot. */
export function rank(sight: Sight, options: RankingOptions): Scored[] {
  const { indexes, cue, slots, evidence, rows } = sight
  const { structured, fuzzy } = cue.pattern === undefined ? { structured: WEIGHTS.structured, fuzzy: 1 } : (options.weights ?? PATTERN_WEIGHTS)
  // A statement that nothing fits must not lift what is like it by chance.
  const chance = chanceLevel(indexes.catalog.size)
  let structuredMost = chance + SIMILAR_MARGIN
  for (const row of rows) structuredMost = Math.max(structuredMost, evidence.structured[row])
  const conceptIdf = new Map(cue.concepts.map((concept) => [concept, Math.log(1 + indexes.catalog.size / indexes.concepts.count(concept))]))
  const allConceptIdf = [...conceptIdf.values()].reduce((sum, idf) => sum + idf, 0)
  const recency = recencySignal(indexes, slots, options)

  const scored = fuse(sight).map((fused, i): Scored => {
    const slot = slots[i]
    const row = rows[i]
    let concepts = 0
    for (const [concept, idf] of conceptIdf) if (indexes.concepts.has(concept, slot)) concepts += idf
    const all: Signals = {}
    for (const [name, value] of Object.entries(fused)) all[name] = fuzzy * value
    all.concepts = fuzzy * WEIGHTS.concepts * share(concepts, allConceptIdf)
    all.structured = structured * share(evidence.structured[row] - chance, structuredMost - chance)
    all.recency = recency(slot)
    const signals = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0))
    return {
      slot,
      score: total(signals),
      signals,
      likeness: Math.max(evidence.text[row], evidence.structured[row]),
      coverage: cue.idf > 0 ? evidence.words[row] / cue.idf : 0,
      concepts: cue.concepts.filter((concept) => indexes.concepts.has(concept, slot)),
    }
  })
  return scored.sort((a, b) => b.score - a.score || a.slot - b.slot)
}

/** With a window: halves with each window of age. Without: a hair for the newer of two that are otherwise alike. */
function recencySignal({ catalog }: Indexes, slots: Uint32Array, { recencyWindow, now }: RankingOptions): (slot: number) => number {
  if (recencyWindow !== undefined) {
    return (slot) => WEIGHTS.recency * 2 ** (-Math.max(0, now - catalog.validFrom(slot)) / recencyWindow)
  }
  let oldest = Infinity
  let newest = -Infinity
  for (const slot of slots) {
    oldest = Math.min(oldest, catalog.validFrom(slot))
    newest = Math.max(newest, catalog.validFrom(slot))
  }
  return (slot) => (newest > oldest ? (WEIGHTS.newness * (catalog.validFrom(slot) - oldest)) / (newest - oldest) : 0)
}
