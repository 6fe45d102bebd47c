import type { TranscriptFormat } from './format.js'
import { isObject, parseJson } from './json.js'
import { isPlainLine, isTimedPlainLine } from './plain.js'
import { isWhatsappLine } from './whatsapp.js'

const LINES_LOOKED_AT = 50

/** The format of a transcript by its beginning; `undefined` when it looks like none. */
export function detectFormat(beginning: string): TranscriptFormat | undefined {
  const start = beginning.replace(/^[\ufeff\s]+/u, '')
  const lines = start
    .split('\n', LINES_LOOKED_AT)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '')
  if (/^\[\s*(?:\{|$)/.test(start) || (start.startsWith('{') && !isJsonLine(lines[0] ?? ''))) {
    if (/"chat_messages"\s*:/.test(start)) return 'claude'
    if (/"mapping"\s*:/.test(start)) return 'chatgpt'
    if (/^\{\s*"agents"\s*:\s*\[|"core_memory"\s*:|"agent_type"\s*:/.test(start)) return 'letta'
    if (/"memory"\s*:\s*"/.test(start)) return 'mem0'
    if (/"fact"\s*:\s*"|"messages"\s*:\s*\[\s*\{[^]*"content"\s*:/.test(start)) return 'zep'
  }
  if (lines.some(isJsonLine) || start.startsWith('{')) return 'jsonl'
  const whatsapp = lines.filter(
    (line) => isWhatsappLine(line) && (start.includes('\u200e') || !isTimedPlainLine(line)),
  ).length
  const plain = lines.filter(isPlainLine).length
  if (whatsapp > 0 && 2 * whatsapp >= plain) return 'whatsapp'
  return plain > 0 ? 'plain' : undefined
}

function isJsonLine(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false
  const parsed = parseJson(line)
  return 'value' in parsed && isObject(parsed.value) && Object.hasOwn(parsed.value, 'text')
}
