import { lines } from './lines.js'
import type { Message, Reading } from './reading.js'
import { readIso } from './time.js'

/** A name: up to 64 characters and five words, with nothing in it that only sentences, markup and addresses have. */
const NAME = String.raw`[^\s:[\]<>{}|*"“”][^:[\]<>{}|*"“”,;!?]{0,63}`
const SAID = new RegExp(
  String.raw`^(?:\[([^[\]]{1,40})\]\s*|(\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*)\s+(?:[-–|]\s*)?)?(${NAME})\s*:(?:\s+(.*))?$`,
  'u',
)
const CLOCK = /^\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d+)?\s*(?:[ap]\.?m\.?)?$/i

/** A line that begins what somebody says, taken apart. */
interface Beginning {
  readonly time: string | undefined
  readonly speaker: string
  readonly text: string
}

/**
 * Plain lines `Name: text`, each if wanted after an ISO 8601 time: `[2026-05-01 19:00] Name: text`. Any other line
 * goes on with the message before it, so a quoted `Note: …` inside a message reads as somebody called Note; indent it
 * to keep it in. A time of day alone (`[19:00]`) names no date and is left out.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: A state machine over lines.
export async function* plain(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  let current: { message: Message; more: string[] } | undefined
  const finished = (): Message[] => {
    if (!current) return []
    const { message, more } = current
    current = undefined
    return [{ ...message, text: [message.text, ...more].join('\n').trimEnd() }]
  }

  for await (const line of lines(chunks)) {
    let fault = line.tooLong ? 'is too long' : undefined
    const said = fault === undefined ? beginning(line.text) : undefined
    if (said) {
      yield* finished()
      const at = said.time === undefined || CLOCK.test(said.time) ? undefined : readIso(said.time, reading.zone)
      if (at === undefined && said.time !== undefined && !CLOCK.test(said.time)) fault = 'has a time that is no date'
      else
        current = {
          message: { line: line.number, speaker: said.speaker, text: said.text, ...(at === undefined ? {} : { at }) },
          more: [],
        }
    } else if (current) {
      if (fault === undefined) current.more.push(line.text.trim())
    } else if (fault === undefined && line.text.trim() !== '') {
      fault = "says nobody's name"
    }
    if (fault !== undefined) {
      yield* finished()
      reading.bad(line.number, line.text, fault)
    }
  }
  yield* finished()
}

/** True when a line begins a message. */
export function isPlainLine(text: string): boolean {
  return beginning(text) !== undefined
}

/** True when a line begins a message with an ISO 8601 time. */
export function isTimedPlainLine(text: string): boolean {
  const time = beginning(text)?.time
  return time !== undefined && /^\d{4}-\d\d-\d\d[T ]/.test(time)
}

function beginning(text: string): Beginning | undefined {
  const found = SAID.exec(text)
  if (!found) return undefined
  const [, bracketed, bare, name = '', said = ''] = found
  const speaker = name.trim()
  if (speaker.split(/\s+/).length > 5 || !/[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(speaker)) return undefined
  // "[laughs] Fine: …" is no time at all, but "[2026-13-01] Fine: …" means to be one.
  if (bracketed !== undefined && !/\d/.test(bracketed)) return undefined
  return { time: (bracketed ?? bare)?.trim(), speaker, text: said }
}
