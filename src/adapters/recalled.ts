import type { RecallWithPrompt } from '../api/recall.js'
import { markedAsData, UNTRUSTED } from '../mcp/untrusted.js'

/** How a text begins that holds what was recalled. */
export const RECALLED = `What is remembered. ${UNTRUSTED}`

/** What was recalled, for a model: a sentence that says what it is, then the memories, marked as stored data. */
export function recalledText(found: RecallWithPrompt): string {
  const doubt = found.matches[0]?.lowConfidence === false ? '' : ' Nothing speaks clearly for it; it is the nearest.'
  return `${RECALLED}${doubt}\n${markedAsData(found.prompt.text)}`
}
