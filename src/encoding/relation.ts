import { FUNCTIONAL_PREDICATES } from './functional.js'
import { RELATIONS, WORD_SYNONYMS } from './relation-synonyms.js'
import { conceptKey } from './concept.js'
import { parted, said } from './predicate.js'
import { term, tokens } from './tokens.js'

/** Which relation a predicate names, and what it says of it. */
export interface Relation {
  /** The same for all phrases that name one relation; of a relation that no table has, the stems of the predicate. */
  readonly name: string
  /** Whether it holds: `undefined` where the predicate does not say, as "does not hate" does not say of "likes". */
  readonly holds: boolean | undefined
  /** Whether a table has it. */
  readonly isKnown: boolean
  /** Whether the predicate says or denies just this relation, and no more. */
  readonly isExact: boolean
}

type Role = 'same' | 'implies' | 'excludes'

/** Whose it is does not matter: "makes her home in" is "makes home in". */
const POSSESSIVES: ReadonlySet<string> = new Set(['my', 'your', 'his', 'her', 'its', 'our', 'their'])
/** Verbs, as stems, that say of what follows that it is not so, or not any more. */
const ENDING = /^(?:stop|ceas|quit|gave up|give up|refus|fail|declin)(?: to)? (.+)/u

const words = (predicate: string): string =>
  tokens(parted(predicate))
    .filter((word) => !POSSESSIVES.has(word))
    .map((word) => (Object.hasOwn(WORD_SYNONYMS, word) ? WORD_SYNONYMS[word] : word))
    .join(' ')

/**
 * By the stems of each phrase: the name of its relation, its role, and whether the phrase itself denies ("can't
 * stand").
 */
const PHRASES = new Map<string, { readonly name: string; readonly role: Role; readonly negated: boolean }>(
  RELATIONS.flatMap(({ same, implies = [], excludes = [] }) => {
    const { stems: name } = said(words(same[0]))
    const phrases = (role: Role, list: readonly string[]) =>
      list.map((phrase) => {
        const { stems, negated } = said(words(phrase))
        return [stems, { name, role, negated }] as const
      })
    return [...phrases('same', same), ...phrases('implies', implies), ...phrases('excludes', excludes)]
  }),
)

const known = new Map<string, Relation>()
/** The cache is dropped whole at this many predicates: simple, and rare. */
const CACHE = 10_000

/** Reads a predicate: "resides in" names the relation "lives in", "no longer lives in" denies it. */
export function relationOf(predicate: string): Relation {
  let relation = known.get(predicate)
  if (relation === undefined) {
    if (known.size >= CACHE) known.clear()
    known.set(predicate, (relation = read(predicate)))
  }
  return relation
}

function read(predicate: string): Relation {
  const { stems, negated } = said(words(predicate))
  return lookUp(stems, negated)
}

function lookUp(stems: string, negated: boolean): Relation {
  const phrase = PHRASES.get(stems)
  if (phrase !== undefined) {
    const { name, role } = phrase
    const denied = negated !== phrase.negated
    if (role === 'same') return { name, holds: !denied, isKnown: true, isExact: true }
    return { name, holds: denied ? undefined : role === 'implies', isKnown: true, isExact: false }
  }
  const [, rest] = ENDING.exec(stems) ?? []
  // "stops at" names a place, "stopped smoking" a habit.
  if (rest === undefined || term(rest.split(' ', 1)[0]) === undefined) {
    return { name: stems, holds: !negated, isKnown: false, isExact: true }
  }
  const { name, holds, isKnown } = lookUp(rest, false)
  return { name, holds: negated || holds !== true ? undefined : false, isKnown, isExact: false }
}

/**
 * Tells which predicates have one object at a time: the built-in ones and others, in any inflection, and their
 * synonyms.
 */
export function functionalPredicates(others: readonly string[] = []): (predicate: string) => boolean {
  const functional = new Set([...FUNCTIONAL_PREDICATES, ...others].map((predicate) => relationOf(predicate).name))
  return (predicate) => functional.has(relationOf(predicate).name)
}

const ARTICLE = /^(?:an?|the) (?=\S)/u
/** What narrows a name down: "London, England", "London (UK)". */
const NARROWED = /\s*[,(].*$/u
const MONTHS = 'january|february|april|june|july|august|september|october|november|december'
const TIME = new RegExp(
  `\\p{N}|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\b(?:today|tomorrow|tonight|noon|midnight|${MONTHS})\\b`,
  'u',
)

/** The key under which spellings of one object meet: as of a concept, without its article and the end of a sentence. */
export function objectKey(object: string): string {
  return conceptKey(object)
    .replace(/[.,;:!?]+$/u, '')
    .replace(ARTICLE, '')
}

/**
 * Whether two objects of a relation that has one at a time exclude each other. They do not where one only narrows the
 * other
 * down, nor where one is a figure or a time and the other is a place: something begins at five and in the hall.
 */
export function exclude(a: string, b: string): boolean {
  const [one, other] = [objectKey(a), objectKey(b)]
  if (one === other || one.replace(NARROWED, '') === other || other.replace(NARROWED, '') === one) return false
  return TIME.test(one) === TIME.test(other)
}
