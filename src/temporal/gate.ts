import { items, type Phrasebook, PHRASEBOOKS } from './phrasebook.js'

/** `may` and `march` are verbs more often than months: months only beside a number or after a preposition. */
const VERBS = ['may', 'march']
const MONTH_PLACE = '(?:in|since|until|till|by|during|from|before|after|early|late|mid|last|next|this|of|to|and|between|around)'

/** 7 pm, 19:30, 2023-05-08, 8.5.2023, 5/8, 1998, 19h. */
const FIGURES = String.raw`\d(?: ?[ap]\.?m\b|:\d\d|[-/]\d| ?h\b|\.\d{1,2}\.\d)|\b(?:1[89]|20)\d\d\b`

/**
 * Whether a text may name a time. Cheap, so that the many texts that name none are not searched; it errs towards yes.
 */
export function mayNameTime(text: string): boolean {
  return GATE.test(text)
}

const GATE = gate()

/** One expression, its words grouped by their first letter, so that at most of a text's words one look is enough. */
function gate(): RegExp {
  const byLetter = new Map<string, Set<string>>()
  for (const word of Object.values(PHRASEBOOKS).flatMap(vocabulary)) {
    if (!VERBS.includes(word)) byLetter.set(word[0], (byLetter.get(word[0]) ?? new Set()).add(word.slice(1)))
  }
  const plain = [...byLetter].filter(([letter]) => letter < '\x7f').map(([letter, rests]) => `${letter}(?:${[...rests].join('|')})`)
  // A word boundary does not stand before a letter outside ASCII.
  const accented = [...byLetter].filter(([letter]) => letter > '\x7f').map(([letter, rests]) => `${letter}(?:${[...rests].join('|')})`)
  const verbs = VERBS.flatMap((verb) => [`${verb},? ?\\d`, `\\d{1,2}(?:st|nd|rd|th)? (?:of )?${verb}`, `${MONTH_PLACE} ${verb}`])
  return new RegExp(`\\b(?:${[...plain, ...verbs].join('|')})(?![a-z])|${accented.join('|')}|${FIGURES}`, 'i')
}

/** Every alternative by itself, each beginning with a letter. */
function vocabulary(book: Phrasebook): string[] {
  const lists = [book.seasons, book.months, book.weekdays, book.casual].flatMap(items)
  return [...lists, ...Object.values(book.units)].flatMap(alternatives)
}

/** Splits `a|b(?:c|d)` into `a` and `b(?:c|d)`. */
function alternatives(source: string): string[] {
  return source.split(/\|(?![^(]*\))/)
}
