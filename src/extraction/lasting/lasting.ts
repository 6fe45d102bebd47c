import type { Episode } from '../../api/episode.js'
import type { Triple } from '../../api/triple.js'
import { conceptKey } from '../../encoding/concept.js'
import { term, tokens } from '../../encoding/tokens.js'
import { ANYONE, ATTITUDES, BODY, CHANGES, EMPTY, INJURIES, KIN, KINDS, NAMING, NUMBERS, OCCUPATIONS } from './words.js'
import { MOVES, PHRASES, POSSESSIONS, PRAISE, PREPOSITIONS, STATES, TITLES } from './words.js'

/** By what another text is known to speak again of what a statement says. */
export type Cue =
  /** It names the person or thing of which the statement says who or what it is. */
  | { readonly name: string }
  /** It names subject and object together: the key of the subject, and the stem of the object's noun. */
  | {
      readonly subject: string
      readonly stem: string
      /** Whether the object is a name: the text may name the two in two sentences. */
      readonly isName: boolean
    }

/** A statement that goes on being true: who somebody is, what they are called, have, do, like, or have become. */
export interface Lasting {
  readonly triple: Triple
  readonly cue: Cue
}

/** Words of the longest name that is looked for. */
export const LONGEST_NAME = 4
/** Letters of the shortest noun that is looked for: "n" and "w" stand for other words. */
const SHORTEST_NOUN = 3
const CAPITAL = /^\p{Lu}/u
const YOU = /\b(?:you|your|you're|you've|u|ur)\b/iu
/** Where the noun of a phrase ends, and what tells more of it begins: "pot of lentils". */
const AFTER_NOUN = /\s(?:of|for|with|in|from|at|on|to|by|about)\s.*$/u
/** Years of the oldest person. */
const OLDEST = 122
/** What stands before an age that is not somebody's age now: "when he was two", "like he's nine". */
const OTHER_TIME = /\b(?:when|like|as if|since|until|till|before|after)\b/iu

/**
 * What an extractor found in the text of an episode that goes on being true of somebody. The rest happened once and
 * leaves nothing behind. What callers gave is not looked at: they say by themselves what they want to be known.
 */
export function lastingOf(episode: Pick<Episode, 'text' | 'speaker' | 'triples' | 'extraction'>): Lasting[] {
  const { triples, extraction } = episode
  if (extraction === undefined) return []
  const read = triples.slice(extraction.given)
  // Of "a stove, and a man called Rafe" the name is that of what stands next to it.
  const named = new Map(read.flatMap((one) => (NAMING.has(one.predicate) ? [[one.object, one]] : [])))
  return read.flatMap((triple): Lasting[] => {
    const isNamed = NAMING.has(triple.predicate)
    const cue = isNamed && named.get(triple.object) !== triple ? undefined : cueOf(triple, episode)
    return cue === undefined ? [] : [{ triple, cue }]
  })
}

/**
 * The key by which whom a statement is about is found in other texts: of a full name the first, by which people are
 * called, and "colin's dad" for the kin of Colin Fraser.
 */
export function subjectKey(name: string): string {
  const [owner, ...kin] = conceptKey(name).split("'s ")
  const [first, ...others] = owner.split(' ')
  const called = others.length === 0 || TITLES.has(first) ? owner : first
  return [called, ...kin].join("'s ")
}

type Source = Pick<Episode, 'text' | 'speaker'>

function cueOf({ subject, predicate, object }: Triple, source: Source): Cue | undefined {
  const isName = CAPITAL.test(object) && !EMPTY.has(object.toLowerCase())
  const words = predicate.split(' ')
  if (NAMING.has(predicate) || (words[0] === 'has' && KIN.has(words.slice(1).join(' '))))
    return isName && conceptKey(subject) !== conceptKey(object) && !isAnyone(subject) ? beingOf(object) : undefined
  if (subject !== source.speaker && !CAPITAL.test(subject)) return undefined
  if (predicate === 'is' || predicate === 'becomes') return identityOf(subject, object, source)
  return isLasting(words, object, isName) ? thingOf(subject, object, isName, INJURIES.has(words[0])) : undefined
}

/** Of whom it is said who or what they are: who is spoken to hears their name often, and must be called so again. */
function identityOf(subject: string, object: string, { text, speaker }: Source): Cue | undefined {
  const isSpokenTo = subject === speaker || (!text.includes(subject) && YOU.test(text))
  if (isRole(object)) return isSpokenTo ? thingOf(subject, object, false, false) : beingOf(subject)
  return !isSpokenTo && isAge(object, text) ? beingOf(subject) : undefined
}

/** Whether a predicate tells of a state, a change of state or an attitude towards such an object. */
function isLasting(words: readonly string[], object: string, isName: boolean): boolean {
  const [verb, next] = words
  if (PHRASES.has(words.join(' '))) return true
  if (verb === 'used') return STATES.has(`${words[2]}s`) || words[2] === 'be'
  if (!words.slice(1).every((word) => PREPOSITIONS.has(word))) return false
  if (verb === 'has') return next === undefined && !isName && isPossession(object)
  // "Buys Ruth" is half of "buys Ruth a cap": a name is what a verb with a preposition leads to.
  if (isName && next === undefined) return verb === 'joins' || verb === 'marries' || verb === 'married'
  if (ATTITUDES.has(verb) || MOVES.has(verb) || (CHANGES.has(verb) && next === undefined)) return true
  // "Ran eighteen kilometres" was one day's run.
  return STATES.has(verb) && !tokens(object).some((word) => NUMBERS.has(word) || /\p{N}/u.test(word))
}

function beingOf(name: string): Cue | undefined {
  const words = tokens(name)
  // A name without an index term cannot be looked for.
  return words.length > 0 && words.length <= LONGEST_NAME && words.some((word) => term(word) !== undefined)
    ? { name: words.join(' ') }
    : undefined
}

function thingOf(subject: string, object: string, isName: boolean, isInjury: boolean): Cue | undefined {
  const noun = nounOf(object)
  if (noun === undefined || noun.length < SHORTEST_NOUN || /\p{N}/u.test(noun)) return undefined
  if (NUMBERS.has(noun) || EMPTY.has(noun) || (BODY.has(noun) && !isInjury)) return undefined
  const stem = term(noun)
  return stem === undefined ? undefined : { subject: subjectKey(subject), stem, isName }
}

/** "A man called Rafe" tells only of Rafe, and of him hardly anything. */
function isAnyone(subject: string): boolean {
  return !CAPITAL.test(subject) && ANYONE.has(nounOf(subject) ?? '')
}

function nounOf(object: string): string | undefined {
  return tokens(object.replace(AFTER_NOUN, '')).at(-1)
}

function isPossession(object: string): boolean {
  const noun = nounOf(object)
  return noun !== undefined && (POSSESSIONS.has(noun) || KIN.has(noun))
}

/** Whether an object is a number that a text gives as somebody's age of today. */
function isAge(object: string, text: string): boolean {
  const words = tokens(object)
  if (words.length === 0 || words.length > 2) return false
  if (!words.every((word) => NUMBERS.has(word) || (/^\d{1,3}$/.test(word) && Number(word) <= OLDEST))) return false
  const [clause] = text.split(/[.!?]/).filter((part) => part.toLowerCase().includes(object.toLowerCase()))
  return clause !== undefined && !OTHER_TIME.test(clause.slice(0, clause.toLowerCase().indexOf(object.toLowerCase())))
}

/** Whether an object says what somebody is by work, kin or kind, without praise. */
function isRole(object: string): boolean {
  const words = tokens(object.replace(AFTER_NOUN, ''))
  const noun = words.at(-1)
  if (noun === undefined || words.some((word) => PRAISE.has(word))) return false
  return OCCUPATIONS.has(noun) || KIN.has(noun) || KINDS.has(noun)
}
