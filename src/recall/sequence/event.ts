import { term, tokens } from '../../encoding/tokens.js'
import type { Scored } from '../ranking/ranking.js'

/** An episode that may tell of an event, and how likely it does, 0 to 1. */
export interface Told {
  readonly slot: number
  readonly confidence: number
}

/** The answer to a search for an event, best first. */
export interface EventSearch {
  readonly found: readonly Pick<Scored, 'slot' | 'coverage' | 'meaning'>[]
  /** How likely the `i`th of them tells of it, at a rank among those that are left. */
  readonly confidence: (i: number, rank: number) => number
}

/** What events are found with. */
export interface EventDeps {
  readonly search: (event: string) => Promise<EventSearch>
  readonly textsOf: (slots: readonly number[]) => Promise<readonly (string | undefined)[]>
}

/** How many episodes are read, at most. */
const READ = 20
/** Words or meaning that tell of an event are above these: those of the tier `gist`. */
const COVERAGE = 0.25
const MEANING = 0.35
/** How far a negation reaches, in words. */
const REACH = 2
const NEGATIONS = new Set(['no', 'not', 'never', 'without', 'nothing'])

/** Who an event was told by said "I" and "we" of himself. */
const PERSONS: Readonly<Record<string, string>> = {
  they: 'we',
  them: 'us',
  their: 'our',
  he: 'I',
  she: 'I',
  his: 'my',
  him: 'me',
  her: 'my',
}

/**
 * The episodes that tell of an event, best first. Those that share hardly a word and no meaning with it do not, nor do
 * those that deny it: "no problem" is not the problem.
 */
export async function toldOf(event: string, { search, textsOf }: EventDeps): Promise<Told[]> {
  const { found, confidence } = await search(inFirstPerson(event))
  const near = [...found.keys()].filter((i) => found[i].coverage >= COVERAGE || found[i].meaning >= MEANING)
  const texts = await textsOf(near.slice(0, READ).map((i) => found[i].slot))
  const terms = termsOf(event)
  const isDenied = isNegated(event)
    ? () => false
    : (text: string | undefined) => text !== undefined && denies(text, terms)
  return near
    .slice(0, READ)
    .filter((_, at) => !isDenied(texts[at]))
    .map((i, rank) => ({ slot: found[i].slot, confidence: confidence(i, rank) }))
}

/** An event in the words of who took part: "they had a problem" was told as "we had a problem". */
export function inFirstPerson(event: string): string {
  return event.replace(/\b(?:they|them|their|he|she|his|him|her)\b/gi, (word) => PERSONS[word.toLowerCase()])
}

/** Whether a text has some of the terms, each of them only after a negation. */
export function denies(text: string, terms: ReadonlySet<string>): boolean {
  let denied = false
  for (const clause of text.split(/[,.;:?!]/)) {
    const words = tokens(clause)
    for (const [i, word] of words.entries()) {
      const found = term(word)
      if (found === undefined || !terms.has(found)) continue
      if (!words.slice(Math.max(0, i - REACH), i).some((before) => NEGATIONS.has(before))) return false
      denied = true
    }
  }
  return denied
}

function isNegated(event: string): boolean {
  return tokens(event).some((word) => NEGATIONS.has(word))
}

function termsOf(event: string): Set<string> {
  return new Set(
    tokens(event)
      .map(term)
      .filter((found) => found !== undefined),
  )
}
