/** A number, a time of day or a code that a text names. */
export interface Figure {
  /** How it stands in the text. */
  readonly text: string
  /**
   * The same for all spellings of it: "2500" for 2,500, "15:00!" for 3 pm, the digits of a telephone number, a code in
   * lower case.
   */
  readonly value: string
  /** Where it begins and ends in the text. */
  readonly from: number
  readonly to: number
  /**
   * Whether it is "one", "once", "a whole", "first" or "both", which may say no more than "a", "to begin with" and
   * "and".
   */
  readonly isOne: boolean
  /** A unit written on to it: "gb" of "16gb". */
  readonly unit?: string
}

const UNITS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  once: 1,
  twice: 2,
  thrice: 3,
  dozen: 12,
  first: 1,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  both: 2,
  twentieth: 20,
  thirtieth: 30,
}
/** "second" is a figure before a thing ("second floor"), and a time after one ("a second"). */
const SECOND = 'second'
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
}
const MOMENTS: Readonly<Record<string, string>> = { noon: '12:00!', midday: '12:00!', midnight: '0:00!' }
const LARGEST_HOUR = 12

const CLOCK = /(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])(?:\.m\.|m\b)|(\d{1,2}):(\d{2})(?!\d)|(\d{1,2})(?:\s+o'clock)/y
/** Groups of digits with signs between them: seven digits and more are one number to call or to quote. */
const GROUPED = /\+?\(?\d{2,}\)?(?:[-./ ]\(?\d{2,}\)?)+/y
const DATE = /(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/y
const NUMBER = /(\d{1,3}(?:[,'\u00a0\u202f]\d{3})+|\d+)([.]\d+)?/y
const CODE = /(?=[\p{L}\p{N}_-]*\p{N})(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/uy
const ORDINAL = /(?:st|nd|rd|th)\b/y
const WORD = /\p{L}+/uy
const BETWEEN = /(?:\s+|-)/y
const FEWEST_GROUPED = 7
const DIGIT_WORD = '(?:zero|one|two|three|four|five|six|seven|eight|niner?|\\d)(?![\\p{L}\\p{N}])'
/** Three digits and more, each a word of its own. */
const SPOKEN = new RegExp(`${DIGIT_WORD}(?:[\\s-]+${DIGIT_WORD}){2,}`, 'uy')
/** "half a", "half an", and "a whole". */
const HALF = /half\s+an?(?![\p{L}\p{N}])/uy
/** "every second week" */
const EVERY_OTHER = /second\s+(?:hour|day|night|week|month|year|morning|evening|\p{L}+day)(?!\p{L})/uy
const WHOLE = /whole(?=\s+\p{L})/uy
const AND_A_HALF = /\s+and\s+a\s+half(?![\p{L}\p{N}])/uy

/**
 * The figures of a text that {@link import('../../encoding/tokens.js').fold} would leave as long as it is, in lower
 * case, in order.
 */
export function figuresOf(text: string): Figure[] {
  const found: Figure[] = []
  for (let at = 0; at < text.length; ) {
    const before = at === 0 ? '' : text[at - 1]
    const isStart = !/[\p{L}\p{N}]/u.test(before)
    const figures = isStart ? read(text, at, found.at(-1)) : []
    if (figures.length === 0) at++
    else {
      found.push(...figures)
      at = figures[figures.length - 1].to
    }
  }
  return found
}

function read(text: string, at: number, last: Figure | undefined): Figure[] {
  const written = clock(text, at) ?? date(text, at) ?? digits(text, at) ?? grouped(text, at) ?? number(text, at)
  return written ?? spelled(text, at, last) ?? []
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function figure(text: string, from: number, to: number, value: string, isOne = false): Figure {
  return { text: text.slice(from, to), value, from, to, isOne }
}

function clock(text: string, at: number): Figure[] | undefined {
  const found = match(CLOCK, text, at)
  if (found === undefined) return undefined
  const [whole, hour, minutes = '00', half, plainHour, plainMinutes, oclock] = found
  const to = at + whole.length
  if (oclock !== undefined) return [figure(text, at, to, oclock)]
  if (plainHour !== undefined) return [figure(text, at, to, `${Number(plainHour)}:${plainMinutes}`)]
  const noon = half === 'p' ? LARGEST_HOUR : 0
  return [figure(text, at, to, `${(Number(hour) % LARGEST_HOUR) + noon}:${minutes}!`)]
}

function date(text: string, at: number): Figure[] | undefined {
  const found = match(DATE, text, at)
  return found && found.slice(1).map((part) => figure(text, at, at + found[0].length, String(Number(part))))
}

function grouped(text: string, at: number): Figure[] | undefined {
  const found = match(GROUPED, text, at)
  const digits = found?.[0].replace(/\D/g, '')
  if (found === undefined || digits!.length < FEWEST_GROUPED) return undefined
  return [figure(text, at, at + found[0].length, digits!)]
}

/** Digits that are spoken one by one, as on the radio: "two seven zero" is 270. */
function digits(text: string, at: number): Figure[] | undefined {
  const found = match(SPOKEN, text, at)
  if (found === undefined) return undefined
  const read = found[0].split(/[\s-]+/).map((word) => (word === 'niner' ? 9 : (UNITS[word] ?? word)))
  return [figure(text, at, at + found[0].length, read.join(''))]
}

function number(text: string, at: number): Figure[] | undefined {
  const found = match(NUMBER, text, at)
  if (found === undefined) return undefined
  const code = match(CODE, text, at)
  let to = at + found[0].length
  let attached: string | undefined
  const ordinal = match(ORDINAL, text, to)
  if (ordinal !== undefined) to += ordinal[0].length
  else if (code !== undefined && code[0].length > found[0].length) {
    // "16gb" is a figure and its unit, "7b3f" a code.
    const unit = /^\d+([a-z]+)$/.exec(code[0])
    if (unit === null) return [figure(text, at, at + code[0].length, code[0])]
    attached = unit[1]
  }
  const value = Number(found[0].replace(/[,'\u00a0\u202f](?=\d{3})/g, ''))
  const scaled = scale(text, to, value)
  const unit = scaled.to === to && attached !== undefined && { unit: attached }
  return [{ ...figure(text, at, scaled.to, String(scaled.value)), ...unit }]
}

/** "million" and the like after a number. */
function scale(text: string, at: number, value: number): { readonly value: number; readonly to: number } {
  const gap = match(BETWEEN, text, at)?.[0].length ?? 0
  const word = match(WORD, text, at + gap)?.[0]
  if (word === undefined || !Object.hasOwn(SCALES, word) || (gap > 0 && word.length === 1)) return { value, to: at }
  return scale(text, at + gap + word.length, value * SCALES[word])
}

function spelled(text: string, at: number, last: Figure | undefined): Figure[] | undefined {
  const word = match(WORD, text, at)?.[0]
  if (word === undefined) return undefined
  const to = at + word.length
  if (Object.hasOwn(MOMENTS, word)) return [figure(text, at, to, MOMENTS[word])]
  const past = /(half|quarter|five|ten|twenty)\s+(past|to)\s+(\p{L}+|\d{1,2})(?![\p{L}\p{N}])/uy
  const told = match(past, text, at)
  if (told !== undefined) {
    const hour = UNITS[told[3]] ?? Number(told[3])
    if (hour >= 1 && hour <= LARGEST_HOUR) {
      const minutes = { half: 30, quarter: 15, five: 5, ten: 10, twenty: 20 }[told[1]]!
      const before = hour === 1 ? LARGEST_HOUR : hour - 1
      const value = told[2] === 'past' ? `${hour}:${String(minutes).padStart(2, '0')}` : `${before}:${60 - minutes}`
      return [figure(text, at, at + told[0].length, value)]
    }
  }
  const half = match(HALF, text, at)
  if (half !== undefined) return [halved(text, at, at + half[0].length)]
  if (match(WHOLE, text, at) && /\ba\s+$/.test(text.slice(0, at))) return [figure(text, at, to, '1', true)]
  if (word === SECOND) {
    const isThing = /second\s+\p{L}/uy
    const isTime = /\b(?:a|one|per|every|each|\d+)\s*$/.test(text.slice(0, at)) && !match(EVERY_OTHER, text, at)
    return match(isThing, text, at) && !isTime && last?.to !== at - 1 ? [figure(text, at, to, '2')] : undefined
  }
  if (!Object.hasOwn(UNITS, word)) return code(text, at)
  const isOne = word === 'one' || word === 'once' || word === 'first' || word === 'both'
  if (word === 'one' && isPronoun(text, at, to)) return undefined
  return compound(text, at, to, UNITS[word], isOne)
}

function code(text: string, at: number): Figure[] | undefined {
  const found = match(CODE, text, at)
  if (found === undefined) return undefined
  const version = /^v(\d+)$/.exec(found[0])
  return [figure(text, at, at + found[0].length, version?.[1] ?? found[0])]
}

/** "the one that", "this one", "one of": no figure. */
function isPronoun(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 12), from)
  const isChosen = /\b(?:the|the only|this|that|which|each|every|no|any|another|some|good)[ ]$/.test(before)
  return isChosen || /^\s+(?:of|who|that)\b/.test(text.slice(to, to + 8))
}

/** "half a dozen" is 6, and otherwise .5. */
function halved(text: string, from: number, to: number): Figure {
  const gap = match(BETWEEN, text, to)?.[0].length ?? 0
  const word = match(WORD, text, to + gap)?.[0]
  if (word === 'dozen') return figure(text, from, to + gap + word.length, '6')
  const scaled = scale(text, to, 0.5)
  return figure(text, from, scaled.to, String(scaled.value))
}

/** "twenty-five", "two hundred and ten", and "nine thirty", which is a time. */
function compound(text: string, from: number, to: number, first: number, isOne: boolean): Figure[] {
  let value = first
  let end = to
  const gap = match(BETWEEN, text, end)?.[0].length
  const word = gap === undefined ? undefined : match(WORD, text, end + gap)?.[0]
  if (word !== undefined && Object.hasOwn(UNITS, word)) {
    const next = UNITS[word]
    if (first >= 20 && first < 100 && next > 0 && next < 10) [value, end] = [first + next, end + gap! + word.length]
    else if (first >= 1 && first <= LARGEST_HOUR && next >= 10 && next < 60) {
      return [figure(text, from, end + gap! + word.length, `${first}:${next}`)]
    }
  }
  const half = match(AND_A_HALF, text, end)
  if (half !== undefined) return [figure(text, from, end + half[0].length, String(value + 0.5))]
  const scaled = scale(text, end, value)
  if (scaled.to === end) return [figure(text, from, end, String(value), isOne)]
  const rest = /\s+(?:and\s+)?(?=\p{L})/uy
  const after = match(rest, text, scaled.to)
  const more = after && match(WORD, text, scaled.to + after[0].length)?.[0]
  if (more !== undefined && Object.hasOwn(UNITS, more) && UNITS[more] > 0) {
    const start = scaled.to + after![0].length
    const [{ value: low, to: last }] = compound(text, start, start + more.length, UNITS[more], false)
    if (Number(low) < scaled.value) return [figure(text, from, last, String(scaled.value + Number(low)))]
  }
  return [figure(text, from, scaled.to, String(scaled.value))]
}

/**
 * Whether two figures can be the same: equal, or a time of day and its hour, where one of them leaves open which half
 * of the day is meant.
 */
export function sameFigure(a: string, b: string): boolean {
  if (a === b) return true
  if (!a.includes(':') && !b.includes(':')) return false
  const [first, second] = [timeOf(a), timeOf(b)]
  if (first === undefined || second === undefined || first.minutes !== second.minutes) return false
  if (first.hour === second.hour) return true
  return (first.isOpen || second.isOpen) && first.hour % LARGEST_HOUR === second.hour % LARGEST_HOUR
}

interface Time {
  readonly hour: number
  readonly minutes: number
  /** Whether it leaves open which half of the day is meant. */
  readonly isOpen: boolean
}

function timeOf(value: string): Time | undefined {
  const found = /^(\d{1,2})(?::(\d{2}))?(!?)$/.exec(value)
  if (found === null || Number(found[1]) > 24) return undefined
  const hour = Number(found[1])
  return { hour, minutes: Number(found[2] ?? 0), isOpen: found[3] === '' && hour <= LARGEST_HOUR }
}
