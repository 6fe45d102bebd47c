import { DateOrder, type WrittenDate } from './date-order.js'
import { lines, type Line } from './lines.js'
import type { Message, Reading } from './reading.js'

/** Marks for the direction of writing. WhatsApp puts U+200E before what it writes itself. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const DATE = String.raw`(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?`
const JOIN = String.raw`(?:[,،]\s?|\s)(?:(?:à|às|at|um|kl\.?)\s)?`
const TIME = String.raw`(?:(上午|下午|오전|오후|[AaPp][Mm])\s?)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:\s?([AaPp])\.?\s?[Mm]\.?)?`
const IOS = new RegExp(String.raw`^\[${DATE}${JOIN}${TIME}\]\s?(.*)$`, 'su')
const ANDROID = new RegExp(String.raw`^${DATE}${JOIN}${TIME}\s[-–]\s(.*)$`, 'su')

/** Notices that WhatsApp writes in place of a message without marking them with U+200E. */
const NOTICES = [
  // <Media omitted>
  '<[^<>]{3,80}>',
  'null',
  String.raw`(?:this message was deleted|you deleted this message)\.?`,
  '(?:missed|silenced) (?:group )?(?:voice|video) call.*',
  '(?:waiting for this message|messages and calls are end-to-end encrypted|messages to this (?:chat|group)).*',
  String.raw`.*\S \(file attached\)`,
]
const NOTICE = new RegExp(`^(?:${NOTICES.join('|')})$`, 'i')
const EDITED = /\s*\u200e?<this message was edited>$/i
/** Notices on one line that are marked with U+200E are WhatsApp's; polls and places are somebody's. */
const SAID_WITH_MARK = /^(?:poll|location|umfrage|encuesta|sondage|enquete)\s*:/i

/** The beginning of a message, taken apart. */
interface Header {
  readonly date: WrittenDate
  readonly american: boolean
  /** Second of the day; `undefined` for a time that no clock shows. */
  readonly second: number | undefined
  readonly speaker: string | undefined
  readonly text: string
  /** True when the text began with WhatsApp's own mark. */
  readonly marked: boolean
}

interface Pending {
  readonly line: number
  readonly first: string
  readonly header: Header
  readonly more: string[]
}

/**
 * A chat that WhatsApp exported, from Android (`31/12/26, 23:59 - Name: text`) or iOS (`[31/12/26, 23:59:59] Name:
 * text`), with 12- or 24-hour clocks. Times are the phone's: pass its zone. The order of day and month is found by
 * {@link DateOrder} from the whole chat; until a date settles it messages wait, so the memory that this takes is that
 * of the chat's undecided beginning. Notices, deleted messages and omitted media are left out and counted.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: A state machine over lines.
export async function* whatsapp(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  const order = new DateOrder()
  let waiting: Pending[] = []
  let current: Pending | undefined

  function* settled(): Generator<Message> {
    const ready = waiting
    waiting = []
    for (const pending of ready) {
      const message = messageOf(pending, order, reading)
      if (message) yield message
    }
  }
  function* finishCurrent(): Generator<Message> {
    if (current) waiting.push(current)
    current = undefined
    if (order.settled) yield* settled()
  }

  // After a line that cannot be read, the rest only shows the order of day and month: the messages before it are kept.
  let broken: { readonly line: Line; readonly fault: string } | undefined
  for await (const line of lines(chunks)) {
    const header = line.tooLong ? undefined : headerOf(line.text)
    if (header) order.note(header.date, Math.floor((header.second ?? 0) / 60), header.american)
    if (broken) {
      if (order.settled) break
    } else if (header) {
      yield* finishCurrent()
      current = { line: line.number, first: line.text, header, more: [] }
    } else if (current && !line.tooLong) {
      current.more.push(line.text)
    } else if (line.text.trim() !== '') {
      yield* finishCurrent()
      const fault = line.tooLong ? 'is too long' : 'does not begin with a date'
      if (reading.skipBad) reading.bad(line.number, line.text, fault)
      else broken = { line, fault }
    }
  }
  order.decide()
  yield* finishCurrent()
  yield* settled()
  if (broken) reading.bad(broken.line.number, broken.line.text, broken.fault)
}

/** True when a line begins a message of a WhatsApp export. */
export function isWhatsappLine(text: string): boolean {
  return headerOf(text) !== undefined
}

function headerOf(line: string): Header | undefined {
  const start = line.replace(/^[\u200e\u200f\ufeff\s]+/u, '')
  if (!/^\[?\d/.test(start)) return undefined
  const found = IOS.exec(start) ?? ANDROID.exec(start)
  if (!found) return undefined
  const [, first, separator, second, third, before, hour, minute, seconds = '0', after, rest = ''] = found
  // Names may hold colons only in notices, which quote: Ann changed the subject from "a: b" to "c".
  const said = /^([^:]{1,120}): ?(.*)$/su.exec(rest)
  const named = said !== null && !/["“”«»]/u.test(said[1]!)
  const text = named ? said[2]! : rest
  return {
    date: [Number(first), Number(second), Number(third)],
    american: separator === '/' && (before ?? after) !== undefined,
    second: secondOfDay(Number(hour), Number(minute), Number(seconds), before ?? after),
    speaker: named ? said[1]!.replace(MARKS, '').trim() : undefined,
    text,
    marked: text.startsWith('\u200e'),
  }
}

function secondOfDay(hour: number, minute: number, second: number, half: string | undefined): number | undefined {
  if (minute > 59 || second > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour < 1))
    return undefined
  const afternoon = half !== undefined && /^(?:p|下午|오후)/i.test(half)
  const hours = half === undefined ? hour : (hour % 12) + (afternoon ? 12 : 0)
  return hours * 3600 + minute * 60 + second
}

/** The message, unless WhatsApp wrote it or its date is none. */
function messageOf({ line, first, header, more }: Pending, order: DateOrder, reading: Reading): Message | undefined {
  const { speaker, second, marked } = header
  const date = order.dateOf(header.date)
  const at =
    date && second !== undefined
      ? reading.zone.instant({
          year: date[0],
          month: date[1],
          day: date[2],
          hour: Math.floor(second / 3600),
          minute: Math.floor(second / 60) % 60,
          second: second % 60,
          millisecond: 0,
        })
      : undefined
  if (at === undefined) {
    reading.bad(
      line,
      first,
      date ? 'has a time that no clock shows' : "has a date that does not exist in this chat's order of day and month",
    )
    return undefined
  }
  const said = [header.text, ...more].join('\n').replace(EDITED, '')
  const text = said.replace(MARKS, '').trim()
  const ownWords =
    speaker === undefined || NOTICE.test(text) || (marked && more.length === 0 && !SAID_WITH_MARK.test(text))
  if (ownWords) {
    reading.report.system++
    return undefined
  }
  return { line, speaker, text: withoutAttachment(text), at }
}

/** A caption without the file that stands with it. */
function withoutAttachment(text: string): string {
  return text.replace(/^\S[^\n]* \(file attached\)\n/, '').replace(/\n?<attached: [^<>\n]+>$/, '')
}
