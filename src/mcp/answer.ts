import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { toWire } from '../base/errors.js'
import type { ToolAnswer } from './tool.js'
import { markedAsData, UNTRUSTED } from './untrusted.js'

/** The result of a tool call that worked: text that is marked as stored data, and structured content. */
export function resultOf({ data, text, note }: ToolAnswer): CallToolResult {
  const json = JSON.stringify(data)
  const lines = [...(note === undefined ? [] : [note]), UNTRUSTED, markedAsData(text ?? json)]
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: JSON.parse(json) as Record<string, unknown>,
  }
}

/** Where the result of a call that failed has its error; structured content would have to fit the tool's schema. */
const ERROR = 'agidb/error'

/** The result of a tool call that failed: the message with its code, and both with details in `_meta`. */
export function failureOf(error: unknown): CallToolResult {
  const { code, message, details } = toWire(error)
  const { stack: _, ...told } = details
  return {
    isError: true,
    content: [{ type: 'text', text: `${message} (${code})` }],
    _meta: { [ERROR]: { code, message, details: plain(told) } },
  }
}

/** What JSON can say of some details. */
function plain(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(details)) as Record<string, unknown>
  } catch {
    return {} // a value that is no JSON, such as a circle
  }
}
