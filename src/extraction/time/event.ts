import { grammarOf } from './grammar.js'
import { DAY, EARLIEST, HOUR, LATEST, MINUTE } from './interval.js'

/** A time told by an event that is to be looked up: the event's words, and how far from its time. */
export interface RelativeTime {
  /** The event in the words of the cue: "launch", "the wedding", "we moved". */
  readonly anchor: string
  /**
   * Milliseconds from the time of the event, half-open, negative before it: "two days after" is half a day around the
   * second day. Open to one side ("before the explosion"): down to `EARLIEST` or up to `LATEST`.
   */
  readonly offset: { readonly from: number; readonly to: number }
  readonly direction: 'before' | 'after'
}

/** Where in the cue it stands. */
export interface EventTime extends RelativeTime {
  readonly start: number
  readonly end: number
}

const { amount, count, meaning } = grammarOf('en')
const LENGTHS: Readonly<Partial<Record<string, number>>> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
}

/** How near "just before" and "shortly after" are. A convention: chats and logs are hours and days, not seconds. */
const CLOSE: readonly (readonly [RegExp, number])[] = [
  [/just|right|immediately/i, HOUR],
  [/shortly|soon|not long/i, DAY],
]
const QUESTION_WORDS = 'what|who|whom|when|where|why|how|which|did|do|does'
/** The words of an event: up to a comma, the end of the sentence, or a word that opens the question. */
const ANCHOR = String.raw`([^,.;:?!]{2,80}?)(?=\s*(?:[,.;:?!]|$)|\s+(?:${QUESTION_WORDS})\b)`
/** The distance from an event: "two days", "the week", "just". */
const DISTANCE =
  String.raw`${amount}|the\s+(minute|hour|day|week|month|year)|` + '(just|right|immediately|shortly|soon|not long)'
/** A distance, a direction and an event: "two days after launch". */
const EVENT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${DISTANCE})\s+)?` +
    String.raw`(before|after|prior to|following|since|until|till)\s+${ANCHOR}`,
  'iu',
)
/** Words in front of "after" or "before" that give it another meaning than a time: "look after", "day after". */
const NO_TIME_WORDS =
  'look|looks|looking|looked|named?|takes?|took|taking|ask|asks|asked|go|went|going|run|ran|' +
  String.raw`inquir\w+|seek|sought|day|week|year|time|month`
const NO_TIME = new RegExp(String.raw`\b(?:${NO_TIME_WORDS})\s+$`, 'i')
/** Anchors that name nothing to look up. */
const NO_EVENT = /^(?:all|that|this|it|then|now|me|you|him|her|us|them|these|those|the)$/i

/** The time of a cue that is told by an event: "two days after launch". English only. */
export function eventTime(cue: string): EventTime | undefined {
  const match = EVENT.exec(cue)
  if (match === null) return undefined
  const [all, number, unit, single, close, word, words] = match
  const anchor = words.trim()
  const bare = number === undefined && single === undefined && close === undefined
  if (NO_EVENT.test(anchor) || (bare && NO_TIME.test(cue.slice(0, match.index)))) return undefined
  const direction = /^(?:before|prior|until|till)/i.test(word) ? 'before' : 'after'
  return { anchor, direction, offset: offset(), start: match.index, end: match.index + all.length }

  function offset(): RelativeTime['offset'] {
    const sign = direction === 'before' ? -1 : 1
    const limit = CLOSE.find(([pattern]) => close !== undefined && pattern.test(close))?.[1]
    const length = LENGTHS[single !== undefined ? single.toLowerCase() : unit !== undefined ? meaning(unit).kind : '']
    // A half unit to either side, for an event is told to the day and happened at some hour of it.
    const [least, most] = number === undefined ? [1, 1] : count(number)
    const near = length === undefined ? 0 : (least - 0.5) * length
    const far = length === undefined ? (limit ?? LATEST) : (most + 0.5) * length
    return sign < 0 ? { from: far === LATEST ? EARLIEST : -far, to: near === 0 ? 0 : -near } : { from: near, to: far }
  }
}
