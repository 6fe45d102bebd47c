import type { Triple } from '../core/episode.js'
import { conceptKey } from '../hdc/concept.js'
import { tokens } from '../hdc/tokens.js'
import type { Visibility } from '../indexes/catalog.js'
import type { Setting } from './setting.js'

/** Names of a relation that give a subject another name, by themselves. */
const ALONE = [
  'aka', 'a.k.a.', 'known as', 'also known as', 'better known as', 'formerly known as', 'also called', 'nicknamed', 'alias', 'has alias', 'nickname',
  'has nickname', 'goes by', 'goes by the name', 'pen name', 'stage name', 'short for', 'same as', 'stands for', 'alias of', 'nickname of',
]
/** The same after a form of "to be": what "is called" Bawri is Bawri, but who "called" Sarah is not. */
const AFTER_BE = [
  'known as', 'better known as', 'formerly known as', 'called', 'named', 'nicknamed', 'short for', 'the same as', 'same as', 'abbreviated as',
  'an alias of', 'an alias for', 'a nickname of', 'a nickname for',
]
const PHRASES = [
  ...ALONE,
  ...['is', 'was', 'are', 'were'].flatMap((be) => ['', 'also', 'often', 'sometimes'].flatMap((how) => AFTER_BE.map((phrase) => `${be} ${how} ${phrase}`))),
]
/** Compared word for word: by its stem, who "is calling" would be called. */
const WORDS: ReadonlySet<string> = new Set(PHRASES.map((phrase) => tokens(phrase).join(' ')))

/** Whether a triple says that two names are of one concept. */
export function isAlias({ predicate }: Pick<Triple, 'predicate'>): boolean {
  return WORDS.has(tokens(predicate).join(' '))
}

/**
 * The other names of a concept, by key, nearest first: an alias is one in both directions, and so is an alias of an alias.
 *
 * @param believed the triples of the beliefs that say so; what episodes say that may be seen comes beside them.
 */
export async function aliasesOf({ indexes, fetch }: Setting, concept: string, believed: readonly Triple[], visibility: Visibility): Promise<string[]> {
  const { catalog, concepts, predicates } = indexes
  const unread = new Set<number>()
  for (const phrase of PHRASES) {
    for (const predicate of predicates.mentioned(phrase)) if (isAlias({ predicate })) for (const slot of predicates.slots(predicate)) unread.add(slot)
  }
  const known = [...believed]
  const found = new Set([conceptKey(concept)])
  // The set grows while it is walked.
  for (const key of found) {
    const slots = [...unread].filter((slot) => concepts.has(key, slot) && catalog.visible(slot, visibility)).sort((a, b) => a - b)
    for (const slot of slots) unread.delete(slot)
    for (const episode of await fetch(slots)) known.push(...(episode?.triples ?? []).filter(isAlias))
    for (const { subject, object } of known) {
      if (conceptKey(subject) === key) found.add(conceptKey(object))
      if (conceptKey(object) === key) found.add(conceptKey(subject))
    }
  }
  return [...found].slice(1)
}
