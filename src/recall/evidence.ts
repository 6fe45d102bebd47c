import type { Indexes } from '../indexes/indexes.js'
import { NO_SCORE, type Query } from '../kernel/port.js'
import type { Cue } from './cue.js'

/** How many standard deviations above an unrelated signature; 0 where there is no query or signature. */
function deviations(query: Query | undefined, scores: Int32Array | undefined, at: number): number {
  if (query === undefined || scores === undefined || scores[at] === NO_SCORE) return 0
  return scores[at] / query.norm
}

/**
 * Among n unrelated signatures the best stands about √(2 ln n) standard deviations above the mean, so that much is
 * chance in a memory of n episodes.
 */
export function chanceLevel(memories: number): number {
  return Math.sqrt(2 * Math.log(Math.max(2, memories)))
}

/** Standard deviations by which a signature must beat the best that chance would give, so that it is like beyond doubt. */
export const SIMILAR_MARGIN = 3

/** What the indexes say about one episode, on their own scales. */
export interface Evidence {
  /** BM25. */
  readonly words: number
  /** Text signature: standard deviations above an unrelated one. */
  readonly text: number
  /** Pairs of adjacent words in the text signature: standard deviations above an unrelated one. */
  readonly order: number
  /** Structured signature: standard deviations above an unrelated one. */
  readonly structured: number
}

/** Asks every index about given slots. */
export function weigh(indexes: Indexes, cue: Cue, slots: Uint32Array): Map<number, Evidence> {
  const words = indexes.postings.score(cue.terms, slots)
  const text = cue.text && indexes.text.score(cue.text, slots)
  const order = cue.order && indexes.text.score(cue.order, slots)
  const structured = cue.structured && indexes.structured.score(cue.structured, slots)
  const found = new Map<number, Evidence>()
  for (let i = 0; i < slots.length; i++) {
    found.set(slots[i], {
      words: words[i],
      text: deviations(cue.text, text, i),
      order: deviations(cue.order, order, i),
      structured: deviations(cue.structured, structured, i),
    })
  }
  return found
}
