import { lastingOf, subjectKey } from './lasting.js'
import { namedBy, takesUp } from './naming.js'

/**
 * Tells which statements of texts go on being true, and which other texts speak of them again. Its lists of words are
 * long, and only consolidation needs them, so it is loaded when the first text that states something is consolidated.
 */
export interface LastingReader {
  readonly lastingOf: typeof lastingOf
  readonly subjectKey: typeof subjectKey
  readonly namedBy: typeof namedBy
  readonly takesUp: typeof takesUp
}

export { lastingOf, namedBy, subjectKey, takesUp }
