const encoder = new TextEncoder()

/**
 * Cuts a text into pieces of at most `limit` UTF-8 bytes, where it can at the end of a paragraph, else of a line, else
 * of a word. Only white space at the cuts is lost.
 */
export function splitText(text: string, limit: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length * 3 > limit && byteLength(rest) > limit) {
    const room = longestStart(rest, limit)
    const start = rest.slice(0, room)
    const cut =
      [start.lastIndexOf('\n\n'), start.lastIndexOf('\n'), start.lastIndexOf(' ')].find((at) => at > room / 2) ?? room
    pieces.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return [...pieces, rest].filter((piece) => piece !== '')
}

/** How many UTF-16 units from the start fit into `limit` bytes of UTF-8 without halving a character. */
function longestStart(text: string, limit: number): number {
  return encoder.encodeInto(text, new Uint8Array(limit)).read
}

function byteLength(text: string): number {
  return encoder.encode(text).length
}
