import type { Unit } from './interval.js'
import { type Phrasebook, PHRASEBOOKS } from './phrasebook.js'
import { items, type Language, word } from './vocabulary.js'

/** A thing that comes round: a unit of the calendar, the weekend, or the n-th season, month or weekday. */
export type Noun =
  | { readonly kind: 'season' | 'month' | 'weekday'; readonly index: number }
  | { readonly kind: Unit | 'weekend' }

/** The patterns of one language. Each has the groups that its name says, in that order. */
export interface Grammar {
  /** "last week", "next May": which of its kind (-1, 0, 1), and the noun. */
  readonly turned: readonly (readonly [-1 | 0 | 1, RegExp])[]
  /** "the last two weeks": number, unit. */
  readonly span: readonly (readonly [-1 | 1, RegExp])[]
  /** "two weeks ago": number, unit. */
  readonly counted: readonly (readonly [-1 | 1, RegExp])[]
  /** "summer of 2022": season, year. */
  readonly season: RegExp
  /** "May 2022": month, year. */
  readonly month: RegExp
  /** "in May": month. */
  readonly bareMonth: RegExp
  /** "in 2022": year. */
  readonly year: RegExp
  /** A number and a unit of time: "two weeks". */
  readonly amount: string
  /** Any noun. */
  readonly noun: string
  /** What a noun means. */
  meaning(noun: string): Noun
  /** The least and the most that a number word may mean. */
  count(number: string): readonly [number, number]
}

const UNITS_OF_AMOUNTS =
  'feet|foot|ft|miles?|met(?:er|re)s?|km|kg|pounds?|dollars?|euros?|people|hours?|minutes?|degrees?'
/** Behind a year: not the rest of an amount, as in 2010 feet, 2010% and 2010.5. */
const NO_AMOUNT = String.raw`(?!\s*(?:[%$€£°/]|[-:.,]\d|(?:${UNITS_OF_AMOUNTS})\b))`
/** The nearest that these come to a number. */
const VAGUE: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/couple/i, [2, 2]],
  [/few/i, [2, 5]],
  [/several/i, [3, 8]],
]
/** Languages that say "the week last". */
const ADJECTIVE_AFTER: readonly Language[] = ['es', 'fr', 'it', 'pt']

const grammars = new Map<Language, Grammar>()

/** The grammar of a language, made when it is first needed. */
export function grammarOf(language: Language): Grammar {
  let found = grammars.get(language)
  if (found === undefined) grammars.set(language, (found = grammar(PHRASEBOOKS[language], language)))
  return found
}

function grammar(book: Phrasebook, language: Language): Grammar {
  const regexp = (source: string) => new RegExp(source, 'giu')
  const exact = (source: string) => new RegExp(`^(?:${source})$`, 'iu')
  const nouns = nounsOf(book)
  const noun = nouns.map(([source]) => source).join('|')
  const words = items(book.numbers)
  const vague = language === 'en' ? ['a couple(?: of)?', 'a few', 'few', 'several'] : []
  const amount = `(${['\\d{1,3}', ...vague, ...words].join('|')})[\\s-]+(${Object.values(book.units).join('|')})`
  const months = items(book.months).join('|')
  const kinds = [
    [-1, book.last],
    [0, book.this],
    [1, book.next],
  ] as const
  const orders = (kind: string) =>
    [`(?:${kind})\\s+(${noun})`, ...(ADJECTIVE_AFTER.includes(language) ? [`(${noun})\\s+(?:${kind})`] : [])].map(
      (one) => regexp(word(one)),
    )
  const patterns = nouns.map(([source, meaning]) => [exact(source), meaning] as const)
  const numbers = words.map(exact)
  return {
    turned: kinds.flatMap(([turn, kind]) => orders(kind).map((pattern) => [turn, pattern] as const)),
    span: [
      [-1, regexp(word(`(?:${book.last})\\s+${amount}`))],
      [1, regexp(word(`(?:${book.next})\\s+${amount}`))],
    ],
    counted: (
      [
        [-1, book.ago],
        [1, book.hence],
      ] as const
    ).flatMap(([direction, sources]) =>
      sources.split('|').map((source) => [direction, regexp(word(source.replace('N', amount)))] as const),
    ),
    season: regexp(`${word(`(${items(book.seasons).join('|')})`)}(?:\\s+(?:${book.of}))?,?\\s+(\\d{4})(?!\\d)`),
    month: regexp(`${word(`(${months})`)}\\.?(?:\\s+(?:${book.of}))?,?\\s+(\\d{4})(?!\\d)`),
    bareMonth: regexp(`${word(book.inMonth)}\\s+(${months})(?![\\p{L}\\p{N}])(?!,?\\.?\\s+\\d)`),
    year: regexp(`${word(book.in)}\\s+((?:1[89]|20)\\d\\d)(?![\\p{L}\\p{N}])${NO_AMOUNT}`),
    amount,
    noun,
    meaning: (source) => patterns.find(([pattern]) => pattern.test(source))![1],
    count: (source) => {
      const unsure = VAGUE.find(([pattern]) => pattern.test(source))
      if (unsure !== undefined) return unsure[1]
      const listed = numbers.findIndex((pattern) => pattern.test(source)) + 1
      return listed > 0 ? [listed, listed] : [Number(source), Number(source)]
    },
  }
}

function nounsOf(book: Phrasebook): [string, Noun][] {
  const listed = (kind: 'season' | 'month' | 'weekday', list: string) =>
    items(list).map((source, index): [string, Noun] => [source, { kind, index }])
  const units = Object.entries(book.units).map(([kind, source]): [string, Noun] => [
    source,
    { kind: kind as Unit | 'weekend' },
  ])
  // "weekend" before "week": the first alternative that fits is taken.
  return [
    ...units.reverse(),
    ...listed('season', book.seasons),
    ...listed('month', book.months),
    ...listed('weekday', book.weekdays),
  ]
}
