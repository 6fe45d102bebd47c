import type { Triple } from '../../api/episode.js'
import { tokens } from '../../encoding/tokens.js'

/** Names of a relation that give a subject another name, by themselves. */
const ALONE = [
  'aka',
  'a.k.a.',
  'known as',
  'also known as',
  'better known as',
  'formerly known as',
  'also called',
  'nicknamed',
  'alias',
  'has alias',
  'nickname',
  'has nickname',
  'goes by',
  'goes by the name',
  'pen name',
  'stage name',
  'short for',
  'same as',
  'stands for',
  'alias of',
  'nickname of',
]
/** The same after a form of "to be": what "is called" Bawri is Bawri, but who "called" Sarah is not. */
const AFTER_BE = [
  'known as',
  'better known as',
  'formerly known as',
  'called',
  'named',
  'nicknamed',
  'short for',
  'the same as',
  'same as',
  'abbreviated as',
  'an alias of',
  'an alias for',
  'a nickname of',
  'a nickname for',
]
/** Every phrase for it. */
export const ALIAS_PHRASES: readonly string[] = [
  ...ALONE,
  ...['is', 'was', 'are', 'were'].flatMap((be) =>
    ['', 'also', 'often', 'sometimes'].flatMap((how) => AFTER_BE.map((phrase) => `${be} ${how} ${phrase}`)),
  ),
]
/** Compared word for word: by its stem, who "is calling" would be called. */
const WORDS: ReadonlySet<string> = new Set(ALIAS_PHRASES.map((phrase) => tokens(phrase).join(' ')))

/** Whether a triple says that two names are of one concept. */
export function isAlias({ predicate }: Pick<Triple, 'predicate'>): boolean {
  return WORDS.has(tokens(predicate).join(' '))
}
