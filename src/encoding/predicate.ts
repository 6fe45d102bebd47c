import { term, tokens } from './tokens.js'

/** What a predicate or a statement says, apart from its inflection, and whether it is denied. */
export interface Said {
  /** The stems of its words in order, joined with a space. */
  readonly stems: string
  readonly negated: boolean
}

/** Forms of the verbs that only help others; alone they are the verb. */
const AUXILIARIES: Readonly<Record<string, string>> = {
  am: 'be',
  is: 'be',
  are: 'be',
  was: 'be',
  were: 'be',
  be: 'be',
  been: 'be',
  being: 'be',
  do: 'do',
  does: 'do',
  did: 'do',
  has: 'have',
  have: 'have',
  had: 'have',
  having: 'have',
}
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'no', 'never', 'cannot', 'neither', 'nor'])
/** Words that change nothing: articles, and that it is so now. */
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'now', 'currently', 'still', 'really'])
/** What "no longer" and "not any more" leave. */
const AFTER_NEGATION: ReadonlySet<string> = new Set(['longer', 'any', 'more', 'anymore'])

/**
 * Takes apart what is said: "does not live in", "no longer lives in" and "never lived in" are all the denied "lives
 * in".
 */
export function said(text: string): Said {
  const words = tokens(parted(text))
  const kept: string[] = []
  const helping: string[] = []
  let denials = 0
  for (const word of words) {
    if (NEGATIONS.has(word)) denials++
    else if (FILLERS.has(word) || (denials > 0 && AFTER_NEGATION.has(word))) continue
    else if (Object.hasOwn(AUXILIARIES, word)) helping.push(AUXILIARIES[word])
    else kept.push(term(word) ?? word)
  }
  return { stems: (kept.length > 0 ? kept : helping).join(' '), negated: denials % 2 === 1 }
}

const ASCII = /^[\0-\x7f]*$/

/** Parts the words of names as programs write them: livesIn. */
export function parted(text: string): string {
  // By classes of Unicode it takes ten times as long.
  return ASCII.test(text) ? text.replace(/([a-z])(?=[A-Z])/g, '$1 ') : text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
}
