import type { Belief, RevisionDecision } from '../core/belief.js'
import { tripleOf } from '../core/belief.js'
import type { Episode, Triple } from '../core/episode.js'
import { sameConcept } from '../hdc/concept.js'
import { functionalPredicates, said } from '../hdc/predicate.js'

const isFunctional = functionalPredicates()
/** Where a sentence ends: before white space, so not within a figure or an address. */
const ENDS = /(?<=[.!?])\s+|(?<=[。！？])|\n/u
const QUESTION = /[?？]$/

/**
 * What an episode says of a belief by its triples, or by saying or denying the claim word for word. `undefined` where it says
 * nothing of it, or both.
 */
export function verdictOf(belief: Belief, episode: Episode): RevisionDecision | undefined {
  const triple = tripleOf(belief)
  const found = triple === undefined ? [] : episode.triples.flatMap((other) => compare(triple, other) ?? [])
  if (found.length === 0) found.push(...spoken(belief, episode))
  const [first] = found
  if (first === undefined || found.some(({ verdict }) => verdict !== first.verdict)) return undefined
  if (first.verdict !== 'contradicts' || overlaps(belief, episode)) return first
  return { verdict: 'neutral', reason: `${first.reason}, but of another time` }
}

/** Whether there was a time of which both are held to be true; what a belief was asserted of may have begun before. */
function overlaps({ validFrom, validTo }: Belief, { at, validTo: ends, superseded }: Episode): boolean {
  const isOver = [ends, superseded?.at].some((end) => end !== undefined && Date.parse(end) <= Date.parse(validFrom))
  return !isOver && !(validTo !== undefined && Date.parse(at) >= Date.parse(validTo))
}

function compare(ours: Triple, theirs: Triple): RevisionDecision | undefined {
  if (!sameConcept(ours.subject, theirs.subject)) return undefined
  const [mine, other] = [said(ours.predicate), said(theirs.predicate)]
  if (mine.stems !== other.stems) return undefined
  const shown = quoted(theirs)
  if (sameConcept(ours.object, theirs.object)) {
    return { verdict: mine.negated === other.negated ? 'supports' : 'contradicts', reason: `it says ${shown}` }
  }
  // That another object is denied says nothing of this one.
  if (other.negated || !isFunctional(ours.predicate)) return undefined
  return { verdict: mine.negated ? 'supports' : 'contradicts', reason: `it says ${shown}, and only one object at a time is true` }
}

/** By the words of the claim: the episode's triples and sentences that say them, or deny them. */
function spoken(belief: Belief, { text, triples }: Episode): RevisionDecision[] {
  const claim = said(belief.claim)
  const statements = [
    ...triples.map(quoted),
    ...new Set([text, ...text.split(ENDS)].map((sentence) => sentence.trim()).filter((sentence) => !QUESTION.test(sentence))),
  ]
  return statements.flatMap((statement): RevisionDecision[] => {
    const { stems, negated } = said(statement)
    if (stems === '' || stems !== claim.stems) return []
    return [{ verdict: negated === claim.negated ? 'supports' : 'contradicts', reason: `it says ${statement}` }]
  })
}

function quoted({ subject, predicate, object }: Triple): string {
  return `${subject} ${predicate} ${object}`
}
