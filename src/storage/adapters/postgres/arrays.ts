// Arrays as the text form of PostgreSQL (manual, 8.15.2): any driver sends a text the same.

import { decodeUtf8, encodeUtf8 } from '../../../base/utf8.js'

const DIGITS = encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const [PAD, QUOTE, COMMA, OPEN, CLOSE] = encodeUtf8('=",{}')
const NULL = encodeUtf8('NULL')

/** An array of numbers, truths and nulls. */
export function arrayOf(values: readonly (number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

/** An array of texts. */
export function arrayOfTexts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/**
 * An array of base64, for `decode(…, 'base64')`: two thirds of what hexadecimal digits take. It is one piece from the
 * beginning: a string for each element would be garbage, megabytes of it for each commit.
 *
 * @throws RangeError where it would be longer than a string may be.
 */
export function arrayOfBytes(values: readonly (Uint8Array | undefined)[]): string {
  let length = 2
  for (const value of values) length += 1 + (value === undefined ? 4 : 2 + 4 * Math.ceil(value.length / 3))
  const text = new Uint8Array(length)
  let at = 0
  text[at++] = OPEN
  for (const [index, value] of values.entries()) {
    if (index > 0) text[at++] = COMMA
    if (value === undefined) {
      text.set(NULL, at)
      at += NULL.length
    } else {
      text[at++] = QUOTE
      at = writeBase64(value, text, at)
      text[at++] = QUOTE
    }
  }
  text[at++] = CLOSE
  return decodeUtf8(text.subarray(0, at))
}

/** Bytes as one text in base64. */
export function base64Of(bytes: Uint8Array): string {
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3))
  writeBase64(bytes, text, 0)
  return decodeUtf8(text)
}

/** Answers the position after what was written. */
function writeBase64(bytes: Uint8Array, into: Uint8Array, from: number): number {
  const { length } = bytes
  let at = from
  for (let i = 0; i < length; i += 3) {
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    into[at++] = DIGITS[three >> 18]
    into[at++] = DIGITS[(three >> 12) & 63]
    into[at++] = i + 1 < length ? DIGITS[(three >> 6) & 63] : PAD
    into[at++] = i + 2 < length ? DIGITS[three & 63] : PAD
  }
  return at
}
