/** One element of a JSON array, still as text. */
export interface Element {
  /** The line that it starts on, from 1. */
  readonly number: number
  readonly text: string
  /** Why it cannot be parsed: the file ended inside it, or it is too long or too deep. `text` is then its beginning. */
  readonly fault?: string
}

/** Characters that one conversation may have. */
export const ELEMENT_LIMIT = 64 * 1024 * 1024
/** Exported conversations nest about ten deep. */
export const DEPTH_LIMIT = 256

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const NEWLINE = 0x0a

/**
 * The elements of a JSON array that comes in pieces, so that an export of any size is parsed a conversation at a time
 * and the elements before the end of a truncated file are kept. A lone object counts as an array of one.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a state machine over characters
export async function* elements(chunks: AsyncIterable<string>, limit = ELEMENT_LIMIT): AsyncGenerator<Element> {
  let number = 1
  let startedOn = 1
  let parts: string[] = []
  let length = 0
  let depth = 0
  let deepest = 0
  let inside = false
  let inString = false
  let escaped = false
  let outer = 0
  let opened = false

  const keep = (text: string) => {
    if (length < limit) parts.push(text)
    length += text.length
  }
  const take = (cut: boolean): Element => {
    const text = parts.join('')
    const fault =
      length > limit
        ? `is longer than ${limit.toLocaleString('en')} characters`
        : deepest > DEPTH_LIMIT
          ? `is nested deeper than ${DEPTH_LIMIT}`
          : cut
            ? 'is cut off: the file ends inside it'
            : undefined
    parts = []
    length = 0
    depth = 0
    deepest = 0
    inside = false
    return fault === undefined ? { number: startedOn, text } : { number: startedOn, text: text.slice(0, 200), fault }
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i)
      if (code === NEWLINE) number++
      if (inString) {
        if (escaped) escaped = false
        else if (code === BACKSLASH) escaped = true
        else if (code === QUOTE) inString = false
        continue
      }
      if (!inside) {
        if (isSpace(code) || code === COMMA) continue
        if (!opened && code === 0x5b) {
          opened = true
          outer = 1
          continue
        }
        if (outer === 1 && code === 0x5d) {
          outer = 0
          continue
        }
        opened = true
        inside = true
        startedOn = number
        from = i
      }
      if (code === QUOTE) inString = true
      else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
      else if (depth > 0 && (code === 0x7d || code === 0x5d)) depth--
      else if (depth === 0 && (code === COMMA || (code === 0x5d && outer === 1))) {
        keep(chunk.slice(from, i))
        if (code !== COMMA) outer = 0
        yield take(false)
      }
    }
    if (inside) keep(chunk.slice(from))
  }
  const cut = depth > 0 || inString
  if (inside) yield take(cut)
  if (outer === 1 && !cut) yield { number, text: '', fault: 'is missing: the file ends before the closing ]' }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === NEWLINE || code === 0x0d || code === 0x09 || code === 0xfeff
}
