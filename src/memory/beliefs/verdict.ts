import type { Belief, RevisionDecision } from '../../api/belief.js'
import { tripleOf } from '../../api/belief.js'
import type { Episode, Triple } from '../../api/episode.js'
import { conceptKey, conceptWords } from '../../encoding/concept.js'
import { said } from '../../encoding/predicate.js'
import { exclude, objectKey } from '../../encoding/relation.js'
import type { Relations } from '../relations.js'

/** Where a sentence ends: before white space, so not within a figure or an address. */
const ENDS = /(?<=[.!?])\s+|(?<=[。！？])|\n/u
const QUESTION = /[?？]$/
/** How a speaker begins a sentence about themselves: "I", "my", and "I'm" spelt out. */
const OWN: ReadonlySet<string> = new Set(['i', 'my'])

/** By what a belief is compared with an episode. */
export interface BeliefReading {
  readonly relations: Relations
  /** Other names of the belief's subject and object, as concept keys. */
  readonly names?: { readonly subject: ReadonlySet<string>; readonly object: ReadonlySet<string> }
}

/** What of a belief is compared. */
export type Compared = Pick<Belief, 'claim' | 'subject' | 'predicate' | 'object' | 'validFrom' | 'validTo'>

/** What an episode says of a belief: all that agrees, or that it says both. */
export type Finding = RevisionDecision | 'both' | undefined

/**
 * What an episode says of a belief by its triples, or by saying or denying it in a sentence of its own. `both` where it
 * supports and contradicts it, `undefined` where it says nothing of it.
 */
export function verdictOf(belief: Compared, episode: Episode, reading: BeliefReading): Finding {
  const triple = tripleOf(belief)
  const found = triple === undefined ? [] : episode.triples.flatMap((other) => compare(triple, other, reading) ?? [])
  if (found.length === 0) found.push(...spoken(belief, triple, episode, reading))
  const [first] = found
  if (first === undefined) return undefined
  if (found.some(({ verdict }) => verdict !== first.verdict)) return 'both'
  if (first.verdict !== 'contradicts' || overlaps(belief, episode)) return first
  return { verdict: 'neutral', reason: `${first.reason}, but of another time` }
}

/**
 * Whether two beliefs cannot both be true, as far as what they say goes: one denies the other, or excludes its object.
 * Of a relation and its inverse one may have one object at a time: then it shows where that one comes first.
 */
export function oppose(a: Compared, b: Compared, reading: BeliefReading): boolean {
  const [ours, theirs] = [tripleOf(a), tripleOf(b)]
  if (ours && theirs) return compare(ours, theirs, reading)?.verdict === 'contradicts'
  const [one, other] = [said(ours ? quoted(ours) : a.claim), said(theirs ? quoted(theirs) : b.claim)]
  return one.stems !== '' && one.stems === other.stems && one.negated !== other.negated
}

/** When an episode ceases to be true, epoch milliseconds; `Infinity` if it does not. */
export function endOf({ superseded, validTo }: Pick<Episode, 'superseded' | 'validTo'>): number {
  const ends = [superseded?.at, validTo].map((end) => (end === undefined ? Infinity : Date.parse(end)))
  return Math.min(...ends)
}

/** The sentences of an episode that state something: no questions. */
export function sentencesOf({ text }: Pick<Episode, 'text'>): string[] {
  const sentences = new Set([text, ...text.split(ENDS)].map((sentence) => sentence.trim()))
  return [...sentences].filter((sentence) => !QUESTION.test(sentence))
}

/** The words of a sentence; what its speaker says of themselves begins with their name. */
export function wordsOf(sentence: string, speaker: string | undefined): string[] {
  const words = conceptWords(sentence)
  return speaker !== undefined && OWN.has(words[0]) ? [...conceptWords(speaker), ...words.slice(1)] : words
}

/** Whether there was a time of which both are held to be true; what a belief was asserted of may have begun before. */
export function overlaps(
  { validFrom, validTo }: Pick<Compared, 'validFrom' | 'validTo'>,
  { at, validTo: ends, superseded }: Episode,
): boolean {
  const isOver = [ends, superseded?.at].some((end) => end !== undefined && Date.parse(end) <= Date.parse(validFrom))
  return !isOver && !(validTo !== undefined && Date.parse(at) >= Date.parse(validTo))
}

function compare(ours: Triple, theirs: Triple, { relations, names }: BeliefReading): RevisionDecision | undefined {
  const isSame = relations.same(ours.predicate, theirs.predicate)
  const isTurned = !(isSame && isNamed(ours.subject, theirs.subject, names?.subject))
  // "Bosch employs Tom" says of Tom that he works for Bosch.
  const [subject, object] = isTurned ? [theirs.object, theirs.subject] : [theirs.subject, theirs.object]
  if (isTurned && !relations.inverse(ours.predicate, theirs.predicate)) return undefined
  if (!isNamed(ours.subject, subject, names?.subject)) return undefined
  const [mine, other] = [relations.of(ours.predicate).holds, relations.of(theirs.predicate).holds]
  const reason = `it says ${quoted(theirs)}`
  if (isNamed(ours.object, object, names?.object)) {
    const agree = agreement(ours.predicate, theirs.predicate, mine, other)
    return agree === undefined ? undefined : { verdict: agree ? 'supports' : 'contradicts', reason }
  }
  // That another object is denied says nothing of this one.
  if (mine === undefined || other !== true) return undefined
  const isFunctional = relations.isFunctional(ours.predicate) || (!isTurned && relations.isFunctional(theirs.predicate))
  if (!isFunctional || !exclude(ours.object, object)) return undefined
  return { verdict: mine ? 'contradicts' : 'supports', reason: `${reason}, and only one object at a time is true` }
}

/**
 * Whether two predicates of one relation and object say the same of it; the same words do even where they say less than
 * the relation.
 */
function agreement(a: string, b: string, mine: boolean | undefined, other: boolean | undefined): boolean | undefined {
  const [one, two] = [said(a), said(b)]
  if (one.stems === two.stems) return one.negated === two.negated
  return mine === undefined || other === undefined ? undefined : mine === other
}

function isNamed(ours: string, theirs: string, others: ReadonlySet<string> | undefined): boolean {
  if (objectKey(ours) === objectKey(theirs)) return true
  return others !== undefined && (others.has(conceptKey(theirs)) || others.has(objectKey(theirs)))
}

/** By words: the episode's triples and sentences that say the claim or the statement, or deny it. */
function spoken(
  { claim }: Compared,
  triple: Triple | undefined,
  episode: Episode,
  reading: BeliefReading,
): RevisionDecision[] {
  const statements = triple === undefined ? [claim] : [claim, quoted(triple)]
  const ours = statements.map((statement) => said(statement)).filter(({ stems }) => stems !== '')
  const found: RevisionDecision[] = []
  const hear = (words: string, shown: string) => {
    const { stems, negated } = said(words)
    const same = ours.find((one) => one.stems === stems)
    if (same === undefined) return false
    found.push({ verdict: negated === same.negated ? 'supports' : 'contradicts', reason: `it says ${shown}` })
    return true
  }
  for (const other of episode.triples) hear(quoted(other), quoted(other))
  for (const sentence of sentencesOf(episode)) {
    const words = wordsOf(sentence, episode.speaker)
    if (hear(sentence, sentence) || hear(words.join(' '), sentence)) continue
    const stated = triple && within(words, triple)
    const decision = stated && compare(triple, stated, reading)
    if (decision !== undefined) found.push({ ...decision, reason: `it says ${sentence}` })
  }
  return found
}

/**
 * The statement that a sentence makes of the subject and the object of another, if it begins with the one and ends with
 * the other.
 */
function within(words: readonly string[], { subject, object }: Triple): Triple | undefined {
  const [start, end] = [conceptWords(subject), conceptWords(objectKey(object))]
  const middle = words.slice(start.length, words.length - end.length)
  const fits =
    middle.length > 0 &&
    start.every((word, i) => word === words[i]) &&
    end.every((word, i) => word === words[words.length - end.length + i])
  return fits ? { subject, predicate: middle.join(' '), object } : undefined
}

/** A statement in words. */
export function quoted({ subject, predicate, object }: Triple): string {
  return `${subject} ${predicate} ${object}`
}
