import type { Indexes } from '../indexes/indexes.js'
import type { Cue } from './cue.js'
import { chanceLevel, SIMILAR_MARGIN, weigh, type Evidence } from './evidence.js'
import type { Around } from './neighbours.js'
import { ORDER_RANGE, PATTERN_WEIGHTS, WEIGHTS } from './weights.js'

/** A candidate with what each signal adds to its score. */
export interface Scored {
  readonly slot: number
  readonly score: number
  readonly signals: Readonly<Record<string, number>>
  readonly evidence: Evidence
  /** Share of the cue's idf that its words carry, 0 to about 1. */
  readonly coverage: number
  /** Concepts of the cue that its triples name. */
  readonly concepts: readonly string[]
}

export interface FusionOptions {
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
  /** Milliseconds. */
  readonly recencyWindow?: number
  /** Epoch milliseconds from which recency is counted back. */
  readonly now: number
}

const NOTHING: Evidence = { words: 0, text: 0, order: 0, structured: 0 }

/** Scores candidates by all the evidence together; best first, ties by slot. */
export function fuse(indexes: Indexes, cue: Cue, slots: Uint32Array, around: Around, options: FusionOptions): Scored[] {
  const weighed = new Set<number>(slots)
  for (const slot of slots) for (const neighbour of around(slot)) if (neighbour >= 0) weighed.add(neighbour)
  const evidence = weigh(indexes, cue, Uint32Array.from(weighed))

  // A statement that nothing fits must not lift what is like it by chance.
  const chance = chanceLevel(indexes.catalog.size)
  const best: Record<keyof Evidence, number> = { words: 0, text: 0, order: ORDER_RANGE.to, structured: chance + SIMILAR_MARGIN }
  for (const slot of slots) {
    const found = evidence.get(slot)!
    for (const signal of ['words', 'text', 'order', 'structured'] as const) best[signal] = Math.max(best[signal], found[signal])
  }
  // A neighbour may be no candidate itself and stand above the best of them; it counts as much as they can.
  const share = (value: number, most: number) => (most > 0 ? Math.min(1, Math.max(0, value) / most) : 0)
  const own = (slot: number) => {
    const { words, text, order } = evidence.get(slot) ?? NOTHING
    return {
      words: WEIGHTS.words * share(words, best.words),
      text: WEIGHTS.text * share(text, best.text),
      order: WEIGHTS.order * share(order - ORDER_RANGE.from, best.order - ORDER_RANGE.from),
    }
  }
  const ownTotal = (slot: number) => {
    const { words, text, order } = own(slot)
    return words + text + order
  }

  const conceptIdf = new Map(cue.concepts.map((concept) => [concept, Math.log(1 + indexes.catalog.size / indexes.concepts.count(concept))]))
  const allConceptIdf = [...conceptIdf.values()].reduce((sum, idf) => sum + idf, 0)
  const recency = recencySignal(indexes, slots, options)
  const { structured, fuzzy } = cue.pattern === undefined ? { structured: WEIGHTS.structured, fuzzy: 1 } : (options.weights ?? PATTERN_WEIGHTS)

  const scored = Array.from(slots, (slot): Scored => {
    const found = evidence.get(slot)!
    const [secondBefore, before, after, secondAfter] = around(slot)
    const { words, text, order } = own(slot)
    const speaker = indexes.catalog.speaker(slot)
    let concepts = 0
    for (const [concept, idf] of conceptIdf) if (indexes.concepts.has(concept, slot)) concepts += idf
    const all = {
      words: fuzzy * words,
      text: fuzzy * text,
      order: fuzzy * order,
      before: fuzzy * WEIGHTS.before * ownTotal(before),
      after: fuzzy * WEIGHTS.after * ownTotal(after),
      near: fuzzy * WEIGHTS.near * (ownTotal(secondBefore) + ownTotal(secondAfter)),
      speaker: fuzzy * (speaker !== undefined && cue.speakers.has(speaker) ? WEIGHTS.speaker : 0),
      concepts: fuzzy * WEIGHTS.concepts * share(concepts, allConceptIdf),
      structured: structured * share(found.structured - chance, best.structured - chance),
      recency: recency(slot),
    }
    const signals = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0))
    return {
      slot,
      score: Object.values(signals).reduce((sum, value) => sum + value, 0),
      signals,
      evidence: found,
      coverage: cue.idf > 0 ? found.words / cue.idf : 0,
      concepts: cue.concepts.filter((concept) => indexes.concepts.has(concept, slot)),
    }
  })
  return scored.sort((a, b) => b.score - a.score || a.slot - b.slot)
}

/** With a window: halves with each window of age. Without: a hair for the newer of two that are otherwise alike. */
function recencySignal({ catalog }: Indexes, slots: Uint32Array, { recencyWindow, now }: FusionOptions): (slot: number) => number {
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
