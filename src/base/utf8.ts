/**
 * Text to UTF-8 and back. By default a `TextDecoder` drops a U+FEFF (byte order mark) at the start of its input and
 * replaces invalid bytes by U+FFFD (WHATWG Encoding, section 8.1). An id that begins with U+FEFF would be read as
 * another id, and damage would go unnoticed. So all stored bytes are decoded here. Files that users bring may begin
 * with a byte order mark: the readers of transcripts and of JSON lines have decoders of their own.
 */
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The UTF-8 bytes of a text. Half of a surrogate pair becomes U+FFFD, so texts are checked before (`api/check.ts`).
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/**
 * The text of UTF-8 bytes, the inverse of {@link encodeUtf8}. A U+FEFF at the start is part of the text.
 *
 * @throws TypeError when the bytes are not valid UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
