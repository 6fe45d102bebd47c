import { DEFAULT_LIMITS } from '../api/check.js'
import { encodeUtf8 } from '../base/utf8.js'
import { wellFormed } from './said.js'

/**
 * A text as the cue of a recall: of one that is longer than a cue may be, its end, where a message asks something.
 */
export function cueOf(text: string): string {
  const bytes = encodeUtf8(text)
  const over = bytes.length - DEFAULT_LIMITS.cueBytes
  if (over <= 0) return wellFormed(text).trim()
  // A character that is cut in the middle becomes U+FFFD, which is taken away again.
  return new TextDecoder()
    .decode(bytes.subarray(over))
    .replace(/^\ufffd+/, '')
    .trim()
}
