import { fold } from '../../encoding/tokens.js'
import { figuresOf } from './figures.js'
import { CALENDAR, isPhatic, list } from './words.js'

/** A sentence. What is followed by no space ends none: "2.5", an address of a page. */
const SENTENCE = /\S[^\n]*?(?:[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+|\n|$)/gu
const CLAUSE = /[,;:–—]/u
const WORDS = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu
/** Words that a question begins with; of German, Spanish, French, Italian, Portuguese and Dutch the commonest. */
const ASKING = list(`
  what what's whats which who who's whos whose whom where where's wheres when when's why how how's hows
  is are was were am be do does did has have had any
  wer wie wo wann warum wieso wieviel welche welcher welches wohin woher ist sind hat habt hast seid bist kann kannst
  que quien como donde cuando cuanto cuanta cuantos cual qui quoi comment quand pourquoi combien est
  chi cosa come dove quando perche quanto quem onde porque wat wie waar waarom hoe heeft heb
`)
/** Words that may stand before these and name no person. */
const LEADING = list('and but so then or und aber denn y pero et mais ma mas en maar')
/** Who asks so tells something, or wants something. */
const TELLING = list(`
  i i'm i've i'd i'll me my mine we we're we've we'd we'll us our ours ich mir mich mein meine wir uns
`)
/** "Did you know that …?" */
const ANNOUNCING = /\b(?:did|do|have|has) (?:you|ye|u|anyone) (?:know|knew|hear|heard|see|seen|notice|noticed)\b/u
/** A question of so few words is no sentence that states something: "The red one?" */
const FRAGMENT = 4
/** So few words before a question only say to whom it goes. */
const ADDRESS = 2
/** Requests to say something: questions in other words. "Tell me when …" is none: it asks for something later. */
const REQUEST = new RegExp(
  String.raw`^(?:\S+, )?(?:(?:please|now|so|and|then|ok|okay) )*(?:say (?:it |that )?again\b|` +
    String.raw`tell (?:me|us)(?: (?:about|all|everything|more|how|where|why|who)\b|[.!]?$))`,
  'u',
)
/** Names of months and days that are words as well. */
const ALSO_WORDS = list('may march mar sun sat')
/** "What a lovely day!" */
const EXCLAMATION = /^(?:what|such) an? (?:\S+ ?){1,4}!/u

/**
 * A text without the parts that only ask or exclaim, and so state nothing. Questions that count as stated: one in which
 * the one who asks speaks of himself, one that names a figure or a day, denies ("Isn't it in the hall?") or announces
 * ("Did you know …?"), and one of more than four words without inversion ("You moved to Rome with him?").
 */
export function stated(text: string): string {
  return text.replace(SENTENCE, (sentence) => {
    const said = fold(sentence)
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .trimEnd()
    if (EXCLAMATION.test(said) || (REQUEST.test(said) && !namesFigure(said))) return ''
    const from = /[?？]["'”’)\]]*$/u.test(said) ? askedFrom(sentence) : undefined
    return from === undefined ? sentence : sentence.slice(0, from)
  })
}

/** Where the question of a sentence begins; `undefined` where it states something. */
function askedFrom(sentence: string): number | undefined {
  const words = [...sentence.matchAll(WORDS)].map(({ 0: word, index }) => ({ word: fold(word), index }))
  const isStated = ANNOUNCING.test(fold(sentence)) || namesFigure(sentence) || words.some(({ word }) => isDay(word))
  if (isStated || words.some(({ word }) => TELLING.has(word))) return undefined
  if (sentence.includes('¿') || words.length <= FRAGMENT) return 0
  const begins = words.findIndex(({ word, index }, i) => {
    const before = words.slice(0, i)
    const isStart = i === 0 || CLAUSE.test(sentence.slice(before[i - 1].index, index))
    return ASKING.has(word) && (isStart || before.every((one) => LEADING.has(one.word) || isPhatic(one.word)))
  })
  if (begins < 0) return undefined
  return begins <= ADDRESS ? 0 : words[begins].index
}

/** "at five", but not "the two". */
function namesFigure(sentence: string): boolean {
  const lower = sentence.toLowerCase()
  return figuresOf(lower).some(({ isOne, from }) => !isOne && !/\bthe\s+$/u.test(lower.slice(0, from)))
}

function isDay(word: string): boolean {
  return CALENDAR.has(word) && !ALSO_WORDS.has(word)
}
