import { items, type Language, type Vocabulary, VOCABULARIES, word } from './vocabulary.js'

/** Characters looked at: more say nothing new. */
const ENOUGH = 400

const WORDS = Object.entries(VOCABULARIES).map(([name, book]) => ({
  language: name as Language,
  signs: new RegExp(word(...items(book.signs)), 'giu'),
  times: new RegExp(word(...timeWords(book)), 'giu'),
}))

/** The language of a text by its commonest words and, counted twice, its words of time; English in doubt. */
export function languageOf(text: string): Language {
  const start = text.slice(0, ENOUGH)
  let best: Language = 'en'
  let most = -1
  // English comes first in the books, so another language must have more.
  for (const { language, signs, times } of WORDS) {
    const count = (start.match(signs)?.length ?? 0) + 2 * (start.match(times)?.length ?? 0)
    if (count > most) [best, most] = [language, count]
  }
  return best
}

function timeWords(book: Vocabulary): string[] {
  return [book.seasons, book.months, book.weekdays, book.casual]
    .flatMap(items)
    .concat(book.last, book.this, book.next, ...Object.values(book.units))
}
