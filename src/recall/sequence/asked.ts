/**
 * What a cue asks about order in time. `after`, `before` and `between`: what lies there of one event or two; `alone`:
 * the first or the last of its kind, of all times.
 */
export interface AskedSequence {
  readonly relation: 'after' | 'before' | 'between' | 'alone'
  /** The events in the words of the cue: none of `alone`, two of `between`. */
  readonly events: readonly string[]
  /** Whether what lies next to the event is meant: "right after", "just before", "next". */
  readonly near: boolean
  /** Which of all that match is meant; absent: any. */
  readonly ordinal?: 'first' | 'last'
  /** The cue without events and words of order. */
  readonly rest: string
}

const QUESTION_WORDS = 'what|who|whom|whose|when|where|why|how|which'
const HELPING_VERBS = 'did|do|does|was|were|is|are|has|have|had|would|could|can|will'
/** The words of an event: up to a comma, the end of the sentence, or a word that opens the question. */
const EVENT = String.raw`([^,.;:?!]{2,120}?)(?=\s*(?:[,.;:?!]|$)|\s+(?:${QUESTION_WORDS})\s+(?:${HELPING_VERBS})\b)`
const NEAR = 'just|right|immediately|directly|straight|next|moments'
/** Not far, but not next to it: what is said of them reads as if they were not there. */
const SOON = 'shortly|soon|not long'
const BEFORE = 'before|prior to|preceding|leading up to|led up to|preceded'
const AFTER = 'after|following|since|followed'
/** A direction and an event: "right after the launch", "before she moved". */
const CLAUSE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:(${NEAR})|${SOON}),?\s+)?(${BEFORE}|${AFTER})\s+${EVENT}`,
  'iu',
)
/** "following dreams" is no order, "following the launch" is one. */
const FOLLOWING = /^(?:the|this|that|his|her|their|our|my|your)\b/i
/** What stands before "after" or "before" that gives it another meaning: "look after", "two days after". */
const OTHER_MEANING = new RegExp(
  String.raw`\b(?:look(?:s|ed|ing)?|name[ds]?|call(?:ed|s)?|tak(?:es?|ing)|took|go(?:es|ing)?|went|` +
    String.raw`r[au]n|runn?ing|inquir\w+|seek|sought|ever|(?:second|minute|hour|day|week|month|year)s?|` +
    String.raw`before|and|or)\s+$`,
  'i',
)
/** Events that name nothing to look up. */
const NO_EVENT = new RegExp(
  String.raw`^(?:(?:all|that|this|it|then|now|me|you|him|her|us|them|these|those|the|long|ever)$|` +
    String.raw`(?:and|or|${QUESTION_WORDS})\b)`,
  'i',
)
/** What stands before "between" that gives it another meaning than a stretch of time. */
const RELATED = new RegExp(
  String.raw`\b(?:differ\w*|relation\w*|connect\w*|bond|similarit\w*|compar\w*|common|conversations?|discussions?|` +
    String.raw`talks?|chats?|choice|choos\w+|chose|decid\w+|links?|friendship|distance|switch\w*|alternat\w+|split|` +
    String.raw`agreement|deal|fight|argument|match|game)\s+$`,
  'i',
)
const BETWEEN = new RegExp(String.raw`(?<![\p{L}\p{N}])between\s+([^,.;:?!]{2,100}?)\s+and\s+${EVENT}`, 'iu')
/** How far two events lie apart: nothing between them is asked for. */
const HOW_FAR = /\bhow\s+(?:long|much\s+time|many\s+(?:second|minute|hour|day|week|month|year)s?)\b/i
/** "The first time", "who first", "when did she last", but not "her first book", "last week" and "first place". */
const ORDINAL =
  /(?<![\p{L}\p{N}])(?:(the|for the|her|his|their|my|your|our)\s+)?(very\s+)?(first|last|latest)\s+(\p{L}+)/giu
/** What the first or the last of all that match is called where it is asked for by itself. */
const ANY_OF_THEM = /^(?:time|occasion|thing|one|person|mention|word|words|news|report|request|question|message)s?$/i
/** Nouns after which "first" and "last" count something else than what was said and done. */
const COUNTED = new RegExp(
  String.raw`^(?:second|minute|hour|day|night|morning|evening|afternoon|week|weekend|month|year|spring|summer|fall|` +
    String.raw`autumn|winter|season|term|semester|name|place|prize|aid|class|hand|grade|floor|half|of|and|or|to|but|` +
    String.raw`resort|in|on|at|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|` +
    String.raw`july|august|september|october|november|december)s?$`,
  'i',
)
/** What stands before a "first" or "last" that counts things: "an", "win", "Ann's". */
const COUNTING = new RegExp(
  String.raw`(?:\b(?:an?|its|this|that|no|two|three|four|five|each|every|any|another|of|in|at|on|to|win|wins|won)|` +
    String.raw`['’]s|s['’])\s+$`,
  'i',
)

/** What a cue asks about order in time; `undefined` if nothing. */
export function askedSequence(cue: string): AskedSequence | undefined {
  return between(cue) ?? beside(cue) ?? alone(cue)
}

function between(cue: string): AskedSequence | undefined {
  const match = BETWEEN.exec(cue)
  if (match === null || HOW_FAR.test(cue) || RELATED.test(cue.slice(0, match.index))) return undefined
  const events = [match[1], match[2]].map((event) => event.trim())
  if (events.some((event) => NO_EVENT.test(event))) return undefined
  return { relation: 'between', events, near: false, rest: without(cue, match) }
}

function beside(cue: string): AskedSequence | undefined {
  const match = CLAUSE.exec(cue)
  if (match === null) return undefined
  const [, near, word, words] = match
  const event = words.trim()
  const meant = near === undefined && OTHER_MEANING.test(cue.slice(0, match.index))
  if (meant || NO_EVENT.test(event) || (/^follow/i.test(word) && !FOLLOWING.test(event))) return undefined
  const relation = new RegExp(`^(?:${BEFORE})$`, 'i').test(word) ? 'before' : 'after'
  const rest = without(cue, match)
  const said = ordinalIn(rest)
  // "The last request before the problem" is the nearest one; so is "what came next after it".
  const nearest = relation === 'before' ? 'last' : 'first'
  const next = /\bnext\b/i.test(rest)
  return {
    relation,
    events: [event],
    near: near !== undefined || next || (said?.isAny === true && said.which === nearest),
    ...(said !== undefined && { ordinal: said.which }),
    ...(said === undefined && next && { ordinal: nearest }),
    rest: said === undefined ? rest.replace(/\bnext\b/i, ' ') : said.rest,
  }
}

function alone(cue: string): AskedSequence | undefined {
  const said = ordinalIn(cue)
  return said && { relation: 'alone', events: [], near: false, ordinal: said.which, rest: said.rest }
}

/** Which of all that match a cue asks for. */
interface Ordinal {
  readonly which: 'first' | 'last'
  /** Whether it is of things: "the last request"; otherwise of what somebody did: "last met". */
  readonly isAny: boolean
  /** The cue without it. */
  readonly rest: string
}

/** Finds which of all that match a cue asks for. */
function ordinalIn(cue: string): Ordinal | undefined {
  for (const match of cue.matchAll(ORDINAL)) {
    const [all, article, very, word, of] = match
    const isAnyOfThem = ANY_OF_THEM.test(of)
    // Between a helping verb or a name and a verb: "did she first see". After an article it counts things.
    const before = cue.slice(0, match.index)
    const stands = article === undefined && very === undefined && /(?:^|[\p{L}\p{N}])\s+$/u.test(before)
    const isAdverb = stands && !COUNTED.test(of) && !COUNTING.test(before)
    if (!isAnyOfThem && !isAdverb) continue
    const taken = isAnyOfThem ? all : all.slice(0, all.length - of.length)
    return {
      which: /first/i.test(word) ? 'first' : 'last',
      isAny: isAnyOfThem,
      rest: joined(before, cue.slice(match.index + taken.length)),
    }
  }
  return undefined
}

function without(cue: string, { index, 0: all }: RegExpExecArray): string {
  return joined(cue.slice(0, index), cue.slice(index + all.length))
}

function joined(before: string, after: string): string {
  return `${before} ${after}`
    .replace(/\s+/g, ' ')
    .replace(/\s+([?!.,;])/g, '$1')
    .replace(/^[\s,;]+/, '')
    .trim()
}
