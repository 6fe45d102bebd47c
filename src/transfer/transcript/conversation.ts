import { elements } from './elements.js'
import { isObject, parseJson, type JsonObject } from './json.js'
import type { Reading } from './reading.js'

/** One conversation of an export. */
interface Conversation {
  /** The line that it starts on, from 1. */
  readonly line: number
  /** As it is written, for messages about it. */
  readonly written: string
  /** Empty when it is no object. */
  readonly conversation: JsonObject
}

/** The conversations of a `conversations.json`; one that is no valid JSON is reported. Holds one at a time. */
export async function* conversations(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Conversation> {
  for await (const { number, text, fault } of elements(chunks)) {
    const parsed = fault === undefined ? parseJson(text) : { fault }
    if ('fault' in parsed) reading.bad(number, text, `begins a conversation that ${parsed.fault}`)
    else yield { line: number, written: text, conversation: isObject(parsed.value) ? parsed.value : {} }
  }
}

/**
 * The session of an exported conversation: its title with the beginning of its id, because titles repeat
 * (`Dinner in Bandra (6f1c2a9e)`).
 */
export function sessionOf(title: string | undefined, id: string | undefined): string {
  const short = title === undefined ? undefined : [...title.trim()].slice(0, 120).join('')
  if (short && id) return `${short} (${id.slice(0, 8)})`
  return short || id || 'conversation'
}
