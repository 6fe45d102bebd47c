import { conceptKey } from '../../encoding/concept.js'

/** What may stand around a name and is no part of it. */
const QUOTES = /^["'“”‘’«»([]+|["“”«»)\].,;:!?]+$/gu
const ARTICLES = /^(?:(?:an?|the) )+(?=\S)/u
const POSSESSIVE = /(?:'s|(?<=s)')$/u

/**
 * The key under which spellings of one name meet: case, accents, width and spaces are folded; articles, quotes, the end
 * of a sentence and the ending of a possessive are dropped. Plurals are told by {@link singularOf}.
 */
export function identityOf(name: string): string {
  const key = conceptKey(name)
  const bare = key.replace(QUOTES, '').replace(ARTICLES, '').replace(POSSESSIVE, '').trim()
  return bare === '' ? key : bare
}

/** Plurals that no rule makes, by their singulars. */
const IRREGULAR: Readonly<Record<string, string>> = {
  children: 'child',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  teeth: 'tooth',
  mice: 'mouse',
  geese: 'goose',
  wives: 'wife',
  knives: 'knife',
  lives: 'life',
  leaves: 'leaf',
  shelves: 'shelf',
  wolves: 'wolf',
  halves: 'half',
  movies: 'movie',
  cookies: 'cookie',
  brownies: 'brownie',
  selfies: 'selfie',
  buses: 'bus',
  shoes: 'shoe',
  quizzes: 'quiz',
}
/** Words with the ending of a plural that name something else without it, or nothing. */
const NO_PLURAL: ReadonlySet<string> = new Set(
  `arms clothes customs glasses goods means news physics politics series species thanks works`.split(/\s+/),
)

/**
 * The key of one of several things: "dog" of "dogs". The key itself where it is no plural.
 *
 * @param key what {@link identityOf} answers for a name that is written in lower case: "Williams" is no plural.
 */
export function singularOf(key: string): string {
  const start = key.lastIndexOf(' ') + 1
  const singular = singularWord(key.slice(start))
  return key.slice(0, start) + singular
}

function singularWord(word: string): string {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word]
  if (word.length < 4 || !/^[a-z]+s$/.test(word) || /(?:ss|us|is)$/.test(word) || NO_PLURAL.has(word)) return word
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|ss|x|zz|[^aeiou]o)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const CAPITAL = /^[^\p{L}]*\p{Lu}/u

/** Whether the last word of a name is written as common nouns are. */
export function isCommon(name: string): boolean {
  return !CAPITAL.test(name.slice(name.trimEnd().lastIndexOf(' ') + 1))
}
