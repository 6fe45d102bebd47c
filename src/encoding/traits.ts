import { fold, tokens } from './tokens.js'

/** What kind of thing a text is or has, as bits: what a question of a kind looks for in its answer. */
export const TRAIT = Object.freeze({
  /** Asks something. */
  question: 1,
  /** Has digits or a number word. */
  number: 2,
  /** Names a time: a date, a day, a month, a part of the day, how long ago. */
  time: 4,
  /** Speaks of the one who speaks. */
  first: 8,
  /** Has a word with a capital inside a sentence, as names have. */
  name: 16,
  /** Gives a reason. */
  reason: 32,
  /** Denies something. */
  negation: 64,
  /** Exclaims. */
  exclamation: 128,
  /** Speaks to the other. */
  second: 256,
})

/** Traits of a text and its length. */
export interface Traits {
  /** Bits of {@link TRAIT}. */
  readonly bits: number
  /** Words. */
  readonly words: number
}

const list = (words: string) => new Set(words.split(/\s+/))
// Words of English, and the commonest ones of German, Spanish, French, Italian and Portuguese.
const NUMBERS = list(
  `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty
  hundred thousand million dozen couple several zwei drei vier fünf sechs sieben acht neun zehn hundert tausend
  dos tres cuatro cinco seis siete ocho nueve diez cien mil deux trois quatre cinq sept huit neuf dix cent due
  quattro`,
)
const TIMES = list(
  `yesterday today tonight tomorrow morning afternoon evening night noon midnight weekend week weeks month months
  year years day days hour hours minute minutes ago last next since until recently soon monday tuesday wednesday
  thursday friday saturday sunday january february march april june july august september october november
  december summer winter spring autumn fall birthday christmas easter gestern heute morgen woche wochen monat jahr
  jahre tag tage stunde montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli
  oktober dezember ayer hoy mañana semana semanas mes meses año años dia dias hora horas lunes martes miercoles
  jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
  diciembre hier demain semaine mois an ans jour jours heure lundi mardi mercredi jeudi vendredi samedi dimanche`,
)
const FIRST = list(
  `i me my mine myself we us our ours ich mich mir mein meine wir uns unser yo me mi mis nosotros nuestro je moi mon
  ma mes nous notre io mio mia`,
)
const SECOND = list(
  'you your yours yourself du dich dir dein deine ihr euch tu tú te ti usted vous toi ton ta tes votre',
)
const REASONS = list(
  'because since so cause reason therefore thanks weil denn deshalb wegen porque pues parce car perche',
)
const NEGATIONS = list(
  'not no never none nothing nobody nicht kein keine nie nein nunca nada nadie ni pas jamais rien non',
)

/** Letters, digits and marks as {@link tokens} sees them, with case. */
const CAPITAL_INSIDE = /[\p{Ll}\p{N},;:)'’"]\s+\p{Lu}\p{L}+/u
const ASKS = /[?？؟]/u

/** The traits of a text. */
export function traitsOf(text: string): Traits {
  const words = tokens(text)
  return { bits: words.reduce((bits, word) => bits | wordTraits(word), textTraits(text)), words: words.length }
}

/** The traits that a text has by its signs and capitals. */
export function textTraits(text: string): number {
  let bits = 0
  if (ASKS.test(text)) bits |= TRAIT.question
  if (text.includes('!')) bits |= TRAIT.exclamation
  if (CAPITAL_INSIDE.test(text)) bits |= TRAIT.name
  return bits
}

/** The traits that a text has for having this word, as {@link tokens} gives it. */
export function wordTraits(word: string): number {
  let bits = 0
  if (NUMBERS.has(word) || /\p{N}/u.test(word)) bits |= TRAIT.number
  if (TIMES.has(word)) bits |= TRAIT.time
  if (FIRST.has(word)) bits |= TRAIT.first
  if (SECOND.has(word)) bits |= TRAIT.second
  if (REASONS.has(word)) bits |= TRAIT.reason
  if (NEGATIONS.has(word)) bits |= TRAIT.negation
  return bits
}

/** What a question asks for. */
export type AskedTraits =
  | 'time'
  | 'duration'
  | 'number'
  | 'person'
  | 'place'
  | 'reason'
  | 'manner'
  | 'yes or no'
  | 'thing'

const ASKED: readonly [AskedTraits, RegExp][] = [
  ['duration', /\b(?:how long|how old|wie lange|cuanto tiempo|combien de temps)\b/],
  [
    'number',
    /\b(?:how (?:many|much|often|far|big|high|tall|fast)|which number|wie ?viele?|cuant[oa]s?|combien|quant[oiae])\b/,
  ],
  [
    'time',
    new RegExp(
      String.raw`\b(?:when|what (?:time|day|date|year|month)|which (?:day|date|year|month|weekend|week)|` +
        String.raw`wann|cuando|quand|quando)\b`,
    ),
  ],
  ['person', /\b(?:who|whom|whose|wer|wen|wem|quien|quienes|qui|chi|quem)\b/],
  [
    'place',
    new RegExp(
      String.raw`\b(?:where|which (?:city|country|place|town|state)|what (?:city|country|place|town)|` +
        String.raw`wo|wohin|woher|donde|adonde|dove|onde)\b`,
    ),
  ],
  [
    'reason',
    /\b(?:why|what (?:made|caused|motivated|inspired)|how come|warum|wieso|weshalb|por que|porque|pourquoi|perche)\b/,
  ],
  ['manner', /\b(?:how|wie|como|comment)\b/],
  ['thing', /\b(?:what|which|welche[rsmn]?|que|cual|cuales|quoi|quel|quelle|quels|quelles|che|cosa)\b/],
  ['yes or no', /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/],
]

/** What a cue asks for; a cue that is no question asks for a thing. */
export function askedBy(cue: string): AskedTraits {
  const folded = fold(cue)
  for (const [asked, pattern] of ASKED) if (pattern.test(folded)) return asked
  return 'thing'
}
