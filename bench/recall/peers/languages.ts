import { stemmer as englishStem } from '@orama/stemmers/english'
import { stemmer as frenchStem } from '@orama/stemmers/french'
import { stemmer as germanStem } from '@orama/stemmers/german'
import { stemmer as italianStem } from '@orama/stemmers/italian'
import { stemmer as portugueseStem } from '@orama/stemmers/portuguese'
import { stemmer as spanishStem } from '@orama/stemmers/spanish'
import { stopwords as englishStops } from '@orama/stopwords/english'
import { stopwords as frenchStops } from '@orama/stopwords/french'
import { stopwords as germanStops } from '@orama/stopwords/german'
import { stopwords as italianStops } from '@orama/stopwords/italian'
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese'
import { stopwords as spanishStops } from '@orama/stopwords/spanish'

/** What a full-text search knows of a language. */
export interface Language {
  readonly stem: (word: string) => string
  /** In lower case. */
  readonly stops: ReadonlySet<string>
}

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['english', language(englishStem, englishStops)],
  ['french', language(frenchStem, frenchStops)],
  ['german', language(germanStem, germanStops)],
  ['italian', language(italianStem, italianStops)],
  ['portuguese', language(portugueseStem, portugueseStops)],
  ['spanish', language(spanishStem, spanishStops)],
])

/** The Snowball stemmer and stop words of a language, as Orama's packages have them; an Error for an unknown one. */
export function languageNamed(name: string): Language {
  const known = LANGUAGES.get(name)
  if (known === undefined) throw new Error(`there is no stemmer of ${name}; known are ${[...LANGUAGES.keys()].join()}`)
  return known
}

/** The stem of a word, whether or not it is a stop word. */
export function stemOf({ stem }: Language, word: string): string {
  return stem(word.toLowerCase())
}

/** The stem of a word, or null if it is a stop word. */
export function termOf({ stem, stops }: Language, word: string): string | null {
  const lower = word.toLowerCase()
  return stops.has(lower) ? null : stem(lower)
}

function language(stem: Language['stem'], stops: readonly string[]): Language {
  return { stem, stops: new Set(stops) }
}
