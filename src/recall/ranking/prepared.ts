import { log } from '../../base/exponential.js'
import { type AskedTraits, askedBy } from '../../encoding/traits.js'
import { REACH } from '../candidates/neighbours.js'
import { interact, noInteraction, neighbourhoodOf, type Interaction } from './interaction.js'
import { Scale, strongest } from '../evidence/scale.js'
import { subset, share, type CandidateSet } from '../evidence/candidate-set.js'

/** How many of the best give their words to a second look. */
const FEEDBACK_DEPTH = 6
/** How many of a session's best stand for it. */
const SESSION_DEPTH = 3

/** What is worked out for all candidates of a cue together, before their features are. */
export interface Prepared {
  readonly candidates: CandidateSet
  readonly plain: Scale
  readonly own: Scale
  readonly words: Scale
  readonly text: Scale
  readonly order: Scale
  readonly latent: Scale
  readonly meaning: Scale
  /** The same, with the cue weighed by the codebook alone: what is common in this memory may still be what is meant. */
  readonly meaningFixed: Scale
  readonly meaningWindow: Scale
  readonly meaningFeedback: Scale
  readonly sentence: Scale
  /** How the word pieces of the cue meet those of the candidates. */
  readonly pieces: Interaction
  readonly feedback: Scale
  /** What each candidate says beyond the cue: ln(1 + the squares of the idf of its other words, added up). */
  readonly content: Float64Array
  /** The mean idf of its other words. */
  readonly contentIdf: Float64Array
  readonly window: Scale
  readonly session: Float64Array
  /** The traits of each candidate, of the one before it and the one after it in its session; 0 where there is none. */
  readonly traits: Uint16Array
  readonly traitsBefore: Uint16Array
  readonly traitsAfter: Uint16Array
  readonly termIdf: readonly number[]
  readonly rarestIdf: number
  readonly knownIdf: number
  readonly allIdf: number
  readonly ownMost: number
  readonly newness: Float64Array
  /** The cue's idf that each candidate has. */
  readonly covered: Float64Array
  /** The greatest share of the cue's idf that a candidate has. */
  readonly bestCovered: number
  readonly asked: AskedTraits
}

/**
 * Prepares the description of the candidates of a cue.
 *
 * @param plain their plain fusion.
 */
export function prepare(candidates: CandidateSet, plain: Float64Array): Prepared {
  const { indexes, cue, slots, rows, evidence, own } = candidates
  const of = (values: Float64Array) => new Scale(subset(values, rows))
  const ownScale = of(own)
  const plainScale = new Scale(plain)
  const best = strongest(plain, FEEDBACK_DEPTH)
  const { postings } = indexes
  const termIdf = [...cue.terms.keys()].map((term) => postings.idf(term))
  const known = [...cue.terms.keys()].map((term) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0))
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
  const allIdf = sum(termIdf)
  const covered = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) covered[i] = idfOf(termIdf, evidence.terms[rows[i]])
  return {
    candidates: candidates,
    plain: plainScale,
    own: ownScale,
    words: of(evidence.words),
    text: of(evidence.deviations.text),
    order: of(evidence.deviations.order),
    latent: of(evidence.deviations.meaning),
    sentence: of(evidence.deviations.sentence),
    ...meanings(candidates, best),
    ...wordsOf(candidates, plainScale, best),
    window: new Scale(windows(candidates, candidates.own, 0)),
    meaningWindow: new Scale(windows(candidates, evidence.deviations.meaning, 1)),
    session: sessions(candidates),
    traits: traits(candidates, (i) => slots[i]),
    traitsBefore: traits(candidates, (i) => neighbourSlot(candidates, i, -1)),
    traitsAfter: traits(candidates, (i) => neighbourSlot(candidates, i, 1)),
    termIdf,
    rarestIdf: Math.max(...termIdf, 0),
    knownIdf: sum(known),
    allIdf,
    ownMost: Math.max(0, ownScale.most),
    newness: newness(candidates),
    covered,
    bestCovered: share(
      covered.reduce((most, idf) => Math.max(most, idf), 0),
      allIdf,
    ),
    asked: askedBy(cue.question),
  }
}

/** The row of a session neighbour, −1 if there is none; so many before (negative) or after, from 1 on. */
export function neighbour({ before, after }: CandidateSet, i: number, offset: number): number {
  return offset < 0 ? before[i * REACH - offset - 1] : after[i * REACH + offset - 1]
}

/** The slot of a session neighbour, or −1. */
export function neighbourSlot(candidates: CandidateSet, i: number, offset: number): number {
  const row = neighbour(candidates, i, offset)
  return row < 0 ? -1 : candidates.evidence.slots[row]
}

/** The idf of terms of the cue: bit i for the i-th. */
export function idfOf(termIdf: readonly number[], bits: number): number {
  let sum = 0
  for (let left = bits | 0; left !== 0; left &= left - 1) sum += termIdf[31 - Math.clz32(left & -left)]
  return sum
}

function traits({ indexes, slots }: CandidateSet, slotOf: (i: number) => number): Uint16Array {
  const found = new Uint16Array(slots.length)
  for (let i = 0; i < found.length; i++) {
    const slot = slotOf(i)
    if (slot >= 0) found[i] = indexes.traits.bits(slot)
  }
  return found
}

/** From 0 for the oldest candidate to 1 for the newest. */
function newness({ indexes, slots }: CandidateSet): Float64Array {
  const times = new Float64Array(slots.length)
  let [oldest, newest] = [Infinity, -Infinity]
  for (let i = 0; i < times.length; i++) {
    const time = (times[i] = indexes.catalog.validFrom(slots[i]))
    if (time < oldest) oldest = time
    if (time > newest) newest = time
  }
  for (let i = 0; i < times.length; i++) times[i] = newest > oldest ? (times[i] - oldest) / (newest - oldest) : 0
  return times
}

/**
 * What the words of the candidates tell. Pseudo-relevance feedback: the idf of the words that a candidate shares with
 * the best few, each counted by how many of them have it and how well they stand; what the candidate itself lends is
 * left out. And how much it says beyond the cue, by the idf of its other words over the highest that there can be.
 */
function wordsOf(
  { indexes, slots, cue }: CandidateSet,
  plain: Scale,
  best: readonly number[],
): Pick<Prepared, 'feedback' | 'content' | 'contentIdf'> {
  const { postings } = indexes
  const asked = new Set(Array.from(cue.terms.keys(), (term) => postings.number(term)))
  const highest = log(1 + postings.documents)
  const weights = new Map<number, number>()
  // Most words are in none of the best, which one look tells of nearly all of them.
  const maybe = new Uint8Array(4096)
  for (const i of best) {
    for (const term of postings.termsOf(slots[i])) {
      weights.set(term, (weights.get(term) ?? 0) + plain.share[i])
      maybe[term % maybe.length] = 1
    }
  }
  const lent = new Float64Array(slots.length)
  for (const i of best) lent[i] = plain.share[i]
  const found = new Float64Array(slots.length)
  const content = new Float64Array(slots.length)
  const contentIdf = new Float64Array(slots.length)
  for (let i = 0; i < found.length; i++) {
    const terms = postings.termsOf(slots[i])
    let [shared, others, sum, squares] = [0, 0, 0, 0]
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]
      const idf = postings.idfOf(term)
      if (!asked.has(term)) {
        const rarity = idf / highest
        others++
        sum += rarity
        squares += rarity * rarity
      }
      if (maybe[term % maybe.length] === 0) continue
      const weight = (weights.get(term) ?? 0) - lent[i]
      if (weight > 0) shared += weight * idf
    }
    found[i] = shared / Math.sqrt(4 + terms.length)
    content[i] = log(1 + squares)
    contentIdf[i] = share(sum, others)
  }
  return { feedback: new Scale(found), content, contentIdf }
}

/** Cosines of the latents of candidates with the cue's, and with the mean of the best few; and their word pieces. */
function meanings(candidates: CandidateSet, best: readonly number[]) {
  const { indexes, cue, slots } = candidates
  const { latents } = indexes
  if (latents === undefined || cue.latent === undefined) {
    const nothing = new Scale(new Float64Array(slots.length))
    const pieces = noInteraction(slots.length)
    return { meaning: nothing, meaningFixed: nothing, meaningFeedback: nothing, pieces }
  }
  const { dimension } = latents.codebook
  const neighbourhood = neighbourhoodOf(candidates)
  const { latents: meant, cosines } = latents.compare(cue.latent.pieces, neighbourhood.slots, slots.length)
  const mean = new Float32Array(dimension)
  /** What each of the best has of itself in the mean. */
  const itself = new Float64Array(slots.length)
  for (const i of best) {
    for (let d = 0, at = i * dimension; d < dimension; d++, at++) {
      mean[d] += meant[at]
      if (meant[at] !== 0) itself[i] = 1
    }
  }
  const wanted = new Float32Array(3 * dimension)
  wanted.set(cue.latent.latent)
  wanted.set(cue.latent.fixed, dimension)
  wanted.set(mean, 2 * dimension)
  const dots = latents.dots(meant, wanted)
  const { idf } = cue.latent
  const pieces = idf.length === 0 ? noInteraction(slots.length) : interact(neighbourhood, cosines, idf)
  const [meaning, meaningFixed, meaningFeedback] = [0, 1, 2].map((which) => {
    const values = new Float64Array(slots.length)
    for (let i = 0; i < values.length; i++) values[i] = dots[3 * i + which] - (which === 2 ? itself[i] : 0)
    return new Scale(values)
  })
  return { meaning, meaningFixed, meaningFeedback, pieces }
}

/** Evidence around a candidate, the nearer the more, and its own times a factor. */
export function windows({ rows, before, after }: CandidateSet, column: Float64Array, self: number): Float64Array {
  const found = new Float64Array(rows.length)
  for (let i = 0, near = 0; i < found.length; i++, near += REACH) {
    let sum = self * column[rows[i]]
    for (let step = 0; step < REACH && before[near + step] >= 0; step++) sum += column[before[near + step]] / (step + 1)
    for (let step = 0; step < REACH && after[near + step] >= 0; step++) sum += column[after[near + step]] / (step + 1)
    found[i] = sum
  }
  return found
}

/** How the best of a candidate's session stand among the sessions, as a z-score. */
export function sessions({ indexes, slots, evidence, own }: CandidateSet): Float64Array {
  const { catalog } = indexes
  /** The place of each session. */
  const places = new Map<number, number>()
  /** The best of each, descending, as far as there are as many. */
  const best: number[] = []
  let [last, place] = [-1, 0]
  for (let row = 0; row < evidence.slots.length; row++) {
    const session = catalog.session(evidence.slots[row])
    if (session < 0) continue
    // Neighbours come one after the other.
    if (session !== last) {
      const known = places.get(session)
      place = known ?? SESSION_DEPTH * places.size
      if (known === undefined) {
        places.set(session, place)
        for (let i = 0; i < SESSION_DEPTH; i++) best.push(-Infinity)
      }
      last = session
    }
    let value = own[row]
    for (let at = place; at < place + SESSION_DEPTH; at++) {
      if (value <= best[at]) continue
      const lower = best[at]
      best[at] = value
      value = lower
    }
  }
  const sums = new Float64Array(places.size)
  for (let at = 0; at < best.length; at++) if (best[at] > -Infinity) sums[Math.floor(at / SESSION_DEPTH)] += best[at]
  const { z } = new Scale(sums)
  return Float64Array.from(slots, (slot) => {
    const place = places.get(catalog.session(slot))
    return place === undefined ? 0 : z[place / SESSION_DEPTH]
  })
}
