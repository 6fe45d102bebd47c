import { conversations, sessionOf } from './conversation.js'
import { arrayMember, isObject, member, stringMember, type JsonObject } from './json.js'
import type { Message, Reading } from './reading.js'
import { readIso } from './time.js'

/**
 * The `conversations.json` of a Claude export. The speaker is the sender, `human` or `assistant`. Of a message that is
 * made of parts those that are text count, not thoughts, tool calls and their results.
 */
export async function* claude(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const { line, written, conversation } of conversations(chunks, reading)) {
    if (!Array.isArray(member(conversation, 'chat_messages'))) {
      reading.bad(line, written, 'begins something without "chat_messages"')
      continue
    }
    const session = sessionOf(stringMember(conversation, 'name'), stringMember(conversation, 'uuid'))
    for (const message of arrayMember(conversation, 'chat_messages')) {
      if (!isObject(message)) {
        reading.bad(line, written, 'begins a conversation with a message that is no object')
        continue
      }
      const speaker = stringMember(message, 'sender')
      const at = timeOf(message, reading) ?? timeOf(conversation, reading)
      const id = stringMember(message, 'uuid')
      yield {
        line,
        text: textOf(message),
        session,
        ...(speaker === undefined ? {} : { speaker }),
        ...(at === undefined ? {} : { at }),
        ...(id === undefined ? {} : { id }),
      }
    }
  }
}

function textOf(message: JsonObject): string {
  const parts: string[] = []
  for (const part of arrayMember(message, 'content')) {
    if (isObject(part) && member(part, 'type') === 'text') parts.push(stringMember(part, 'text') ?? '')
  }
  return parts.some((part) => part.trim() !== '') ? parts.join('\n').trim() : (stringMember(message, 'text') ?? '')
}

function timeOf(object: JsonObject, reading: Reading): string | undefined {
  const written = stringMember(object, 'created_at')
  return written === undefined ? undefined : readIso(written, reading.zone)
}
