import { DEFAULT_LIMITS } from '../api/check.js'
import { encodeUtf8 } from '../base/utf8.js'

/** UTF-16 units of a part at most: each takes up to three bytes. */
const PART = Math.floor(DEFAULT_LIMITS.textBytes / 3)

/** A text in which half of a surrogate pair is U+FFFD: memories refuse it, and not all runtimes have `toWellFormed`. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * What was said, as the texts of episodes: one, or several where it is longer than a memory takes by default. It is cut
 * at white space where there is some. None where nothing is said.
 */
export function saidTexts(text: string): string[] {
  let rest = wellFormed(text)
  const parts: string[] = []
  while (isLong(rest)) {
    const end = endOfPart(rest)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest].filter((part) => part.trim() !== '')
}

function isLong(text: string): boolean {
  const { textBytes } = DEFAULT_LIMITS
  return text.length > textBytes || encodeUtf8(text).length > textBytes
}

/** Where the first part of a text ends: before the last white space of it, unless that is far from its end. */
function endOfPart(text: string): number {
  const space = text.slice(0, PART).search(/\s\S*$/)
  if (space > PART / 2) return space
  // No pair of surrogates is cut.
  return /[\ud800-\udbff]/.test(text[PART - 1]!) ? PART - 1 : PART
}
