import { conversations, sessionOf } from './conversation.js'
import { arrayMember, isObject, member, objectMember, stringMember, type JsonObject } from './json.js'
import type { Message, Reading } from './reading.js'
import { isoOf } from './time.js'

/**
 * The `conversations.json` of a ChatGPT export: of each conversation the branch that was open last (from `current_node`
 * up to the root). The speaker is the role, `user` or `assistant`; system prompts, hidden messages, tool calls and
 * their output are left out and counted.
 */
export async function* chatgpt(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const { line, written, conversation } of conversations(chunks, reading)) {
    const mapping = objectMember(conversation, 'mapping')
    if (!mapping) {
      reading.bad(line, written, 'begins something without a "mapping"')
      continue
    }
    const session = sessionOf(stringMember(conversation, 'title'), conversationId(conversation))
    const began = timeOf(conversation)
    for (const node of branch(mapping, conversation)) {
      const message = objectMember(node, 'message')
      if (!message) continue
      const speaker = stringMember(objectMember(message, 'author') ?? {}, 'role')
      const said = textOf(message)
      if (said === undefined || (speaker !== 'user' && speaker !== 'assistant') || isHidden(message)) {
        reading.report.system++
        continue
      }
      const at = timeOf(message) ?? began
      const id = stringMember(message, 'id')
      yield {
        line,
        speaker,
        text: said,
        session,
        ...(at === undefined ? {} : { at }),
        ...(id === undefined ? {} : { id }),
      }
    }
  }
}

/** The nodes from the root to the one that was open last; without one, to the last leaf. */
function branch(mapping: JsonObject, conversation: JsonObject): JsonObject[] {
  const seen = new Set<string>()
  const path: JsonObject[] = []
  let id = stringMember(conversation, 'current_node') ?? lastLeaf(mapping)
  while (id !== undefined && !seen.has(id)) {
    seen.add(id)
    const node = objectMember(mapping, id)
    if (!node) break
    path.push(node)
    id = stringMember(node, 'parent')
  }
  return path.reverse()
}

function lastLeaf(mapping: JsonObject): string | undefined {
  let last: string | undefined
  for (const id of Object.keys(mapping)) {
    const node = objectMember(mapping, id)
    if (node && arrayMember(node, 'children').length === 0) last = id
  }
  return last
}

/**
 * The words of a message; `undefined` when it holds no speech, but code for a tool, its output, or thoughts.
 */
function textOf(message: JsonObject): string | undefined {
  const content = objectMember(message, 'content')
  const kind = content && stringMember(content, 'content_type')
  if (!content || (kind !== undefined && kind !== 'text' && kind !== 'multimodal_text')) return undefined
  const recipient = stringMember(message, 'recipient')
  if (recipient !== undefined && recipient !== 'all') return undefined
  const parts: string[] = []
  for (const part of arrayMember(content, 'parts')) {
    const text = typeof part === 'string' ? part : isObject(part) ? stringMember(part, 'text') : undefined
    if (text !== undefined && text !== '') parts.push(text)
  }
  return parts.join('\n')
}

function isHidden(message: JsonObject): boolean {
  const metadata = objectMember(message, 'metadata')
  return metadata !== undefined && member(metadata, 'is_visually_hidden_from_conversation') === true
}

/** `create_time` is in seconds. */
function timeOf(object: JsonObject): string | undefined {
  const seconds = member(object, 'create_time')
  return typeof seconds === 'number' ? isoOf(seconds * 1000) : undefined
}

function conversationId(conversation: JsonObject): string | undefined {
  return stringMember(conversation, 'conversation_id') ?? stringMember(conversation, 'id')
}
