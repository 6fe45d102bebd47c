/** A numbered piece of a file. */
export interface Line {
  /** The line that it starts on, from 1. */
  readonly number: number
  readonly text: string
  /** True when it was over the limit; `text` is then its beginning. */
  readonly tooLong: boolean
}

/** Characters that one line may have: room for a megabyte of text with every character escaped. */
export const LINE_LIMIT = 8 * 1024 * 1024

const KEPT_OF_TOO_LONG = 200

/** The lines of a text that comes in pieces, without their line ends (`\n` or `\r\n`). Holds one line at a time. */
export async function* lines(chunks: AsyncIterable<string>, limit = LINE_LIMIT): AsyncGenerator<Line> {
  let parts: string[] = []
  let length = 0
  let number = 1
  let first = true

  const add = (text: string) => {
    if (length < limit) parts.push(text)
    length += text.length
  }
  const take = (): Line => {
    const tooLong = length > limit
    const text = parts.length === 1 ? parts[0]! : parts.join('')
    const line = { number: number++, text: tooLong ? text.slice(0, KEPT_OF_TOO_LONG) : withoutReturn(text), tooLong }
    parts = []
    length = 0
    return line
  }

  for await (let chunk of chunks) {
    if (first && chunk !== '') {
      first = false
      if (chunk.charCodeAt(0) === 0xfeff) chunk = chunk.slice(1)
    }
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, end))
      from = end + 1
      yield take()
    }
    if (from < chunk.length) add(chunk.slice(from))
  }
  if (length > 0) yield take()
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
