import { items, type Vocabulary, VOCABULARIES } from './vocabulary.js'

/** Verbs more often than months: months only beside a number or after a preposition. */
const VERBS = ['may', 'march']
const MONTH_PLACE =
  'in since until till by during from before after early late mid last next this of to and between around'.split(' ')
/** Short units are said of everything, in English: "a day", "for two hours", "good night". */
const SHORT = ['minutes?', 'hours?', 'days?']
const ENGLISH = [
  ...['in', 'last', 'past', 'next'].map((word) => `${word} (?:a )?[a-z0-9]+ (?:of )?(?:${SHORT.join('|')})`),
  ...SHORT.map((unit) => `${unit} (?:back|before|after|from|following|prior)`),
  ...['this', 'last', 'in the', 'at'].map((word) => `${word} (?:night|morning|afternoon|evening)`),
  ...VERBS.map((verb) => `${verb},? ?\\d`),
  ...MONTH_PLACE.map((word) => `${word} (?:${VERBS.join('|')})`),
]
/** 7 pm, 19:30, 2023-05-08, 8.5.2023, 5/8, 1998, 19h, 2 May. */
const FIGURES =
  String.raw`\d(?: ?[ap]\.?m\b|:\d\d|[-/]\d| ?h\b|\.\d{1,2}\.\d|` +
  String.raw`(?:st|nd|rd|th)? (?:of )?(?:${VERBS.join('|')})\b)|\b(?:1[89]|20)\d\d\b`

const GATE = gate()
/** The words by which a question names a time by an event: "after the launch". English only, as those of `event.ts`. */
const BESIDE_EVENT = /before|after|prior to|following|since|until|till/iu

/**
 * Whether a text may name a time. Cheap, so that the many texts that name none are not searched; it errs towards yes.
 */
export function mayNameTime(text: string): boolean {
  return GATE.test(text)
}

/** Whether a question may name the time that it is about, by a date or an event. Cheap; it errs towards yes. */
export function mayAskTime(cue: string): boolean {
  return mayNameTime(cue) || BESIDE_EVENT.test(cue)
}

/**
 * One expression, its words grouped by their first letter, so that most words of a text are passed over at one look.
 */
function gate(): RegExp {
  const words = new Set([
    ...Object.entries(VOCABULARIES).flatMap(([language, book]) => vocabulary(book, language === 'en')),
    ...ENGLISH,
  ])
  for (const verb of VERBS) words.delete(verb)
  // A year in French, an article in English.
  words.delete('ans?')
  const byLetter = new Map<string, string[]>()
  for (const word of words.add('ans')) byLetter.set(word[0], [...(byLetter.get(word[0]) ?? []), word.slice(1)])
  const grouped = (ascii: boolean) =>
    [...byLetter]
      .filter(([letter]) => letter < '\x7f' === ascii)
      .map(([letter, rests]) => `${letter}(?:${rests.join('|')})`)
      .join('|')
  // A word boundary does not stand before a letter outside ASCII.
  return new RegExp(`\\b(?:${grouped(true)})(?![a-z])|${grouped(false)}|${FIGURES}`, 'i')
}

/** Every alternative by itself. */
function vocabulary(book: Vocabulary, english: boolean): string[] {
  const { minute: _, hour, day, ...long } = book.units
  const units = [...Object.values(long), ...(english ? [] : [hour, day])]
  return [...[book.seasons, book.months, book.weekdays, book.casual].flatMap(items), ...units].flatMap((source) =>
    source.split(/\|(?![^(]*\))/),
  )
}
