import type { RecallWithPrompt } from '../../api/recall.js'
import { RECALLED, recalledText } from '../recalled.js'

/** The part of a message of the AI SDK that is read here. */
export interface Part {
  readonly type: string
}

/** A message of the AI SDK: its role and its content, the parts of it or, in a system message, a text. */
export interface Message {
  readonly role: string
  readonly content: string | readonly Part[]
}

/** The place of the user's last message, or -1. */
export function lastOfUser(prompt: readonly Message[]): number {
  return prompt.findLastIndex(({ role }) => role === 'user')
}

/** The text of a message or of an answer, without what was recalled into it. */
export function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content
  const texts = content.filter(isText).map(({ text }) => text)
  return texts
    .filter((text) => !text.startsWith(RECALLED))
    .join('\n')
    .trim()
}

/** The messages with what was recalled before the user's last one, marked as stored data. */
export function withRecalled<M extends Message>(prompt: readonly M[], found: RecallWithPrompt): M[] {
  const place = lastOfUser(prompt)
  const text = recalledText(found)
  return prompt.map((message, i) => {
    if (i !== place || typeof message.content === 'string') return message
    return { ...message, content: [{ type: 'text', text }, ...message.content] }
  })
}

function isText(part: Part): part is Part & { readonly text: string } {
  return part.type === 'text' && typeof (part as { text?: unknown }).text === 'string'
}
