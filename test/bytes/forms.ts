/** The forms in which a text can stand in a file. */
export function formsOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le')
  const escaped = Array.from(text, (char) =>
    char < '\x80' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ).join('')
  return [
    Buffer.from(text),
    Buffer.from(text, 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(escaped),
    Buffer.from(encodeURIComponent(text)),
    Buffer.from(Buffer.from(text).toString('hex')),
    ...base64Of(Buffer.from(text)),
    ...base64Of(utf16),
  ]
}

/** Whether a text stands in bytes, in any of its forms. */
export function holds(bytes: Uint8Array, text: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return formsOf(text).some((form) => buffer.includes(form))
}

/** The characters of base64 and base64url that follow from these bytes alone, for each place in a group of three. */
function base64Of(bytes: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((form) => Buffer.from(all.toString(form).slice(from, to)))
  })
}
