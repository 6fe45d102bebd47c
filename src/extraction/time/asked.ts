import { type EventTime, eventTime, type RelativeTime } from './event.js'
import type { Expression } from './expression.js'
import { expressions } from './expressions.js'
import { EARLIEST, type Interval, isSound, LATEST } from './interval.js'
import { lookingBack } from './leaning.js'
import { isOnlyTalk } from './talk.js'

/** What a question says of the time that it is about. Either `interval` or `relative` is there. */
export interface AskedTime {
  /**
   * When that was, epoch milliseconds. Open to one side ("before 10 May", "since March"): from `EARLIEST` or up to
   * `LATEST`.
   */
  readonly interval?: Interval
  /** Whether the interval is bounded by the time named (`before`, `after`) or is that time (`during`). */
  readonly limit?: 'before' | 'after' | 'during'
  /** Or how far from an event that has to be found first: "two days after launch". */
  readonly relative?: RelativeTime
  /** The question without its time. */
  readonly rest: string
  /** Whether the rest asks for nothing but what was said or done then: "what did we talk about?" */
  readonly only: boolean
}

interface Bound {
  readonly words: RegExp
  readonly limit: 'before' | 'after'
  readonly of: (named: Interval) => Interval
}

const ARTICLE = String.raw`(?:\s+(?:the|dem|den|der|el|la|le|il|lo|o|a|de|het))?\s*$`
const bound = (words: string, limit: 'before' | 'after', of: Bound['of']): Bound => ({
  words: new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})${ARTICLE}`, 'iu'),
  limit,
  of,
})
/** How far the words before a time reach, in the languages that are read. */
const BOUNDS: readonly Bound[] = [
  bound(
    'before|prior to|earlier than|vor|antes del?|antes d[oa]|avant|prima del?|prima di|voor',
    'before',
    ({ from }) => ({ from: EARLIEST, to: from }),
  ),
  bound("until|till|up to|by|bis|bis zum|hasta|jusqu'?(?:en|à|au)|fino a|fino al|tot|até", 'before', ({ to }) => ({
    from: EARLIEST,
    to,
  })),
  bound('after|later than|nach|después del?|después de|après|dopo|na|depois d[eoa]', 'after', ({ to }) => ({
    from: to,
    to: LATEST,
  })),
  bound(
    'since|ever since|starting|seit|ab|desde|a partir de|depuis|à partir de|dal?|sinds|vanaf',
    'after',
    ({ from }) => ({ from, to: LATEST }),
  ),
]
/** Prepositions, articles and modifiers in front of a time. */
const LEAD_WORDS =
  'on|in|at|during|within|between|around|from|sometime|early|late|mid|the|am|im|um|in|el|la|en|le|il|nel|op|no|na|em|' +
  'à|a|zwischen|entre'
/** The end of a text in front of a time that belongs to the time: "sometime in the". */
const LEAD = new RegExp(String.raw`(?:\s*(?:(?<![\p{L}\p{N}])(?:${LEAD_WORDS})))+\s*$`, 'iu')

/**
 * What a question says of the time it is about; `undefined` if it says nothing.
 *
 * A date without a year and a weekday mean the last one, unless the question looks ahead.
 *
 * @param reference when it is asked, epoch milliseconds.
 */
export function askedTime(cue: string, reference: number): AskedTime | undefined {
  const [named] = expressions(cue, reference, lookingBack)
  if (named !== undefined) return byDate(cue, named)
  const event = eventTime(cue)
  return event && byEvent(cue, event)
}

function byDate(cue: string, { start, end, interval }: Expression): AskedTime | undefined {
  // A preposition may have been read with the time: "on 8 May", "since March".
  const word = /^(?:\p{L}+\s+){0,2}/u.exec(cue.slice(start, end))![0].length
  const places = [cue.slice(0, start), cue.slice(0, start + word)]
  const reach = BOUNDS.find(({ words }) => places.some((place) => words.test(place)))
  if (reach === undefined) return asked(cue, start, end, { interval, limit: 'during' })
  const reached = reach.of(interval)
  // Before the first time there is, or after the last, there is none.
  if (!isSound(reached)) return undefined
  const place = places.find((one) => reach.words.test(one))!
  return asked(cue, Math.min(start, reach.words.exec(place)!.index), end, { interval: reached, limit: reach.limit })
}

function byEvent(cue: string, { start, end, anchor, offset, direction }: EventTime): AskedTime {
  return asked(cue, start, end, { relative: { anchor, offset, direction } })
}

function asked(
  cue: string,
  start: number,
  end: number,
  time: Pick<AskedTime, 'interval' | 'limit' | 'relative'>,
): AskedTime {
  const lead = time.limit === 'during' ? cue.slice(0, start).replace(LEAD, ' ') : cue.slice(0, start)
  const rest = `${lead} ${cue.slice(end)}`
    .replace(/\s+/g, ' ')
    .replace(/\s+([?!.,;])/g, '$1')
    .replace(/^[\s,;]+/, '')
    .trim()
  return { ...time, rest, only: isOnlyTalk(rest) }
}
