import { log } from '../../base/exponential.js'
import { SPACES } from '../../encoding/spaces/spaces.js'
import type { Indexes } from '../../indexes/indexes.js'
import { NO_SCORE, type Query } from '../../kernel/port.js'
import type { Cue } from '../query/cue.js'
import type { Scorer, Scorers } from './scores.js'

/**
 * Among n unrelated signatures the best stands about √(2 ln n) standard deviations above the mean, so that much is
 * chance in a memory of n episodes.
 */
export function chanceLevel(memories: number): number {
  return Math.sqrt(2 * log(Math.max(2, memories)))
}

/**
 * Standard deviations by which a signature must beat the best that chance would give, so that it is like beyond doubt.
 */
export const SIMILAR_MARGIN = 3

/** What the indexes say about episodes, on their own scales: a number for each row. */
export interface Evidence {
  /** The slot of each row. */
  readonly slots: Uint32Array
  /** BM25. */
  readonly words: Float64Array
  /**
   * By the signals of all spaces: standard deviations of a signature's score above an unrelated one; 0 without one.
   * Those of what is perceived beside text are there where it is asked for.
   */
  readonly deviations: Readonly<Record<string, Float64Array>>
  /** Which terms of the cue each has: bit i for the i-th term, as far as 32 go. */
  readonly terms: Uint32Array
}

/**
 * Asks every index about given slots, a row each in their order.
 *
 * @param queries what is asked of signatures.
 * @param scorers of these slots.
 * @param candidates how many of the slots, the first ones, are candidates; the others are neighbours of candidates.
 */
export function weigh(
  { postings }: Indexes,
  { terms: asked }: Cue,
  queries: Cue['queries'],
  slots: Uint32Array,
  scorers: Scorers,
  candidates: number,
): Evidence {
  const { scores: words, terms } = postings.score(asked, slots)
  return { slots, words, deviations: deviationsOf(queries, slots.length, scorers, candidates), terms }
}

/**
 * The deviations of so many slots, by the signals of all spaces that the cue asks.
 *
 * @param scorers of these slots.
 * @param candidates how many of the slots, the first ones, are candidates. Default: all.
 */
export function deviationsOf(
  queries: Cue['queries'],
  slots: number,
  scorers: Scorers,
  candidates = slots,
): Evidence['deviations'] {
  const asksFor = ({ kind, isPerceived }: (typeof SPACES)[number]) => !isPerceived || queries[kind] !== undefined
  const signals = SPACES.filter(asksFor).flatMap(({ kind, weigh: { signals } }) =>
    signals.map(({ name, ofCandidates }) => {
      const found = new Float64Array(slots)
      deviations(queries[name], scorers[kind], ofCandidates ? found.subarray(0, candidates) : found)
      return [name, found] as const
    }),
  )
  return Object.fromEntries(signals)
}

/** The rows of two, one after the other. */
export function joined(one: Evidence, other: Evidence): Evidence {
  const both = <A extends Uint32Array | Float64Array>(a: A, b: A): A => {
    const all = new (a.constructor as new (length: number) => A)(a.length + b.length)
    all.set(a)
    all.set(b, a.length)
    return all
  }
  return {
    slots: both(one.slots, other.slots),
    words: both(one.words, other.words),
    deviations: Object.fromEntries(
      Object.entries(one.deviations).map(([name, values]) => [name, both(values, other.deviations[name])]),
    ),
    terms: both(one.terms, other.terms),
  }
}

/**
 * Writes how many standard deviations each of the first slots stands above an unrelated signature; 0 where there is no
 * query or signature.
 */
function deviations(query: Query | undefined, scorer: Scorer | undefined, into: Float64Array): void {
  if (query === undefined || scorer === undefined || into.length === 0) return
  const scores = scorer(query, into.length)
  for (let row = 0; row < into.length; row++) if (scores[row] !== NO_SCORE) into[row] = scores[row] / query.norm
}

/** Bits that are set in each byte. */
const ONES = new Uint8Array(256)
for (let byte = 1; byte < ONES.length; byte++) ONES[byte] = ONES[byte >> 1] + (byte & 1)

/** The deviations of a signature that has every sign of a query: the sum of its magnitudes over its norm. */
export function highest({ planes, signs, norm }: Query): number {
  if (planes === undefined) return (signs.length * 8) / norm
  let sum = 0
  for (let at = 0; at < planes.length; at++) sum += ONES[planes[at]] << Math.floor(at / signs.length)
  return sum / norm
}
