import { share, type CandidateSet } from '../evidence/candidate-set.js'
import { Scale } from '../evidence/scale.js'
import { REACH } from '../candidates/neighbours.js'

/** A lower cosine says nothing: about 100 of 30,000 word pieces are nearer to one. */
export const LEAST_COSINE = 0.3

/**
 * How the word pieces of a cue meet those of each candidate, one by one: late interaction (Khattab and Zaharia 2020,
 * ColBERT) over the latents of the codebook. A piece of the cue meets its nearest piece in the text.
 */
export interface Interaction {
  /** The sum of the cosines, times the idf of the pieces of the cue. */
  readonly own: Scale
  /** The same of a candidate and what is right before and after it, the best of the three for each piece. */
  readonly near: Scale
  /** The idf of all pieces of the cue. */
  readonly idf: number
  /** The sums of what is right before and after each candidate, over the best of the candidates. */
  readonly before: Float64Array
  readonly after: Float64Array
  /** The highest idf of a piece that it does not have, and of one that it has times the cosine, over the highest. */
  readonly missing: Float64Array
  readonly rarest: Float64Array
}

/** Which episodes are compared with a cue: the candidates, then those right before and after them. */
export interface Neighbourhood {
  readonly slots: Uint32Array
  /** By candidate, the places of its neighbours among these; −1 where there is none. */
  readonly before: Int32Array
  readonly after: Int32Array
}

/** The episodes that a cue is to be compared with. */
export function neighbourhoodOf({ slots, rows, before, after, evidence }: CandidateSet): Neighbourhood {
  const places = new Int32Array(evidence.slots.length).fill(-1)
  const compared: number[] = []
  const place = (row: number) => {
    if (row < 0) return -1
    if (places[row] < 0) places[row] = compared.push(evidence.slots[row]) - 1
    return places[row]
  }
  rows.forEach(place)
  return {
    before: Int32Array.from(slots, (_, i) => place(before[i * REACH])),
    after: Int32Array.from(slots, (_, i) => place(after[i * REACH])),
    slots: Uint32Array.from(compared),
  }
}

/**
 * Adds up how the cue meets the candidates, piece by piece.
 *
 * @param cosines of each of the neighbourhood, and each piece of the cue; see `Latents.compare`. Low ones become 0.
 * @param idf of the pieces of the cue.
 */
export function interact({ before, after }: Neighbourhood, cosines: Float64Array, idf: Float64Array): Interaction {
  const width = idf.length
  let [all, highest] = [0, 0]
  for (const value of idf) {
    all += value
    highest = Math.max(highest, value)
  }
  const n = before.length
  const sums = new Float64Array(cosines.length / width)
  for (let at = 0, i = 0; i < sums.length; i++) {
    for (let piece = 0; piece < width; piece++, at++) {
      if (cosines[at] < LEAST_COSINE) cosines[at] = 0
      sums[i] += idf[piece] * cosines[at]
    }
  }
  const near = new Float64Array(n)
  const missing = new Float64Array(n)
  const rarest = new Float64Array(n)
  for (let i = 0, at = 0; i < n; i++) {
    const [previous, next] = [before[i] * width, after[i] * width]
    for (let piece = 0; piece < width; piece++, at++) {
      const own = cosines[at]
      let best = own
      if (previous >= 0 && cosines[previous + piece] > best) best = cosines[previous + piece]
      if (next >= 0 && cosines[next + piece] > best) best = cosines[next + piece]
      near[i] += idf[piece] * best
      if (own === 0) missing[i] = Math.max(missing[i], idf[piece] / highest)
      rarest[i] = Math.max(rarest[i], (idf[piece] * own) / highest)
    }
  }
  const own = new Scale(sums.slice(0, n))
  const beside = (places: Int32Array) => Float64Array.from(places, (at) => (at < 0 ? 0 : share(sums[at], own.most)))
  return { own, near: new Scale(near), idf: all, before: beside(before), after: beside(after), missing, rarest }
}

/** Without a codebook nothing is like anything. */
export function noInteraction(candidates: number): Interaction {
  const zeros = new Float64Array(candidates)
  const scale = new Scale(zeros)
  return { own: scale, near: scale, idf: 0, before: zeros, after: zeros, missing: zeros, rarest: zeros }
}
