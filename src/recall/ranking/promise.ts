import { TRAIT } from '../../encoding/traits.js'
import { type CandidateSet, share, subset } from '../evidence/candidate-set.js'
import { logOfNext, Scale } from '../evidence/scale.js'
import { idfOf, sessions, windows } from './prepared.js'
import { REACH } from '../candidates/neighbours.js'
import { PROMISE } from './weights.js'

/**
 * How promising each candidate is, about as a learned ranker would find, by what is known of all of them at next to no
 * cost: a linear sum that was fitted to tell the first twenty of the ranker from the others, without any judgement.
 *
 * @param plain their plain fusion.
 */
export function promise(candidates: CandidateSet, plain: Float64Array): Float64Array {
  const { indexes, cue, slots, rows, before, after, evidence, named } = candidates
  const { meaning } = evidence.deviations
  const fusion = new Scale(plain).z
  const alike = new Scale(subset(meaning, rows)).z
  const around = new Scale(windows(candidates, meaning, 1)).z
  const session = sessions(candidates)
  const termIdf = [...cue.terms.keys()].map((term) => indexes.postings.idf(term))
  const termsAt = (row: number) => (row < 0 ? 0 : evidence.terms[row])
  const isAsked = (slot: number) => cue.speakers.size > 0 && indexes.catalog.speaker(slot) !== undefined
  const found = new Float64Array(slots.length)
  for (let i = 0, near = 0; i < found.length; i++, near += REACH) {
    let terms = termsAt(rows[i])
    for (const side of [before, after]) terms |= termsAt(side[near]) | termsAt(side[near + 1])
    found[i] =
      PROMISE.fusion * fusion[i] +
      PROMISE.meaning * alike[i] +
      PROMISE.around * around[i] +
      PROMISE.covered * share(idfOf(termIdf, terms), cue.idf) +
      PROMISE.session * session[i] +
      PROMISE.length * logOfNext(indexes.traits.words(slots[i])) +
      PROMISE.speaker * (isAsked(slots[i]) ? 2 * named[i] - 1 : 0) +
      PROMISE.question * Number((indexes.traits.bits(slots[i]) & TRAIT.question) !== 0)
  }
  return found
}
