import type { Expression } from './expression.js'
import { DAY, moved } from './interval.js'
import type { Language } from './vocabulary.js'

/** To which side of the present a text looks; 0: the nearest is meant. */
export type Towards = -1 | 0 | 1
/** Tells to which side a text looks. */
export type Lean = (text: string, language: Language) => Towards

const PAST = /\b(?:was|were|did|had|went|been|got|met|saw|came|took|made|told|said|\w{2,}ed)\b/i
const FUTURE = /\b(?:will|going to|gonna|shall|plan(?:s|ning)?|can't wait|upcoming|won't)\b|'ll\b/i
const PRESENT = /\b(?:is|are|am|need|should|can|(?:have|has) to|do (?:i|we|you) have)\b/i

/** By the words of the text. English only. */
export const tense: Lean = (text, language) => {
  if (language !== 'en') return 0
  return FUTURE.test(text) ? 1 : PAST.test(text) ? -1 : 0
}

/** A question to a memory looks back unless it says otherwise. */
export const lookingBack: Lean = (text, language) =>
  tense(text, language) || (language === 'en' && PRESENT.test(text) ? 0 : -1)

/**
 * Moves a guessed year or week to that side of the present: "we met in May" was the last May, "we will" is the next.
 */
export function leant(one: Expression, towards: Towards, reference: number): Expression {
  const { from, to } = one.interval
  const turn = towards < 0 && from > reference ? -1 : towards > 0 && to <= reference ? 1 : 0
  if (one.guessed === undefined || turn === 0) return one
  const move = (time: number) => (one.guessed === 'week' ? time + turn * 7 * DAY : moved(time, 'year', turn))
  return { ...one, interval: { from: move(from), to: move(to) } }
}
