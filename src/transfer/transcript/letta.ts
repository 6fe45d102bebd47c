import { conversations } from './conversation.js'
import { arrayMember, isObject, member, parseJson, stringMember, type JsonObject } from './json.js'
import type { Message, Reading } from './reading.js'
import { readIso } from './time.js'

/**
 * An agent file of Letta (`.af`), of either version, or the passages of an archival memory as its interface lists them.
 * Of an agent its memory blocks are read, and what users and the agent said to each other; the session is the name of
 * the agent. Instructions, thoughts, calls of tools and what they answered are left out and counted.
 */
export async function* letta(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const { line, written, conversation } of conversations(chunks, reading))
    for (const found of read(conversation, line, reading))
      if (typeof found === 'string') reading.bad(line, written, found)
      else yield found
}

/** The messages in an object, or what is wrong with it. */
function* read(object: JsonObject, line: number, reading: Reading): Generator<Message | string> {
  if (Array.isArray(member(object, 'agents'))) {
    const blocks = new Map(
      arrayMember(object, 'blocks')
        .filter(isObject)
        .map((block) => [member(block, 'id'), block]),
    )
    for (const agent of arrayMember(object, 'agents')) {
      if (!isObject(agent)) {
        yield 'has an agent that is no object'
        continue
      }
      const own = arrayMember(agent, 'block_ids').flatMap((id) => blocks.get(id) ?? [])
      yield* agentOf(agent, [...own, ...arrayMember(agent, 'memory_blocks')], line, reading)
    }
  } else if (Array.isArray(member(object, 'messages')) || Array.isArray(member(object, 'core_memory')))
    yield* agentOf(object, arrayMember(object, 'core_memory'), line, reading)
  else if (typeof member(object, 'text') === 'string') yield passageOf(object, line, reading)
  else yield 'has something without "agents", "messages" or "text"'
}

function* agentOf(
  agent: JsonObject,
  blocks: readonly unknown[],
  line: number,
  reading: Reading,
): Generator<Message | string> {
  const name = stringMember(agent, 'name') ?? 'agent'
  for (const block of blocks) {
    const value = isObject(block) ? member(block, 'value') : undefined
    if (typeof value !== 'string') {
      yield 'has a memory block without a "value" in words'
      continue
    }
    const label = stringMember(block as JsonObject, 'label') ?? 'block'
    yield { line, text: value.trim(), speaker: name, session: name, metadata: { block: label } }
  }
  for (const message of arrayMember(agent, 'messages')) {
    if (!isObject(message)) yield 'has a message that is no object'
    else yield* messageOf(message, name, line, reading)
  }
}

function* messageOf(message: JsonObject, agent: string, line: number, reading: Reading): Generator<Message | string> {
  const role = stringMember(message, 'role')
  const text = role === 'user' ? userText(message) : role === 'assistant' ? agentText(message) : undefined
  if (text === undefined) {
    reading.report.system++
    return
  }
  const at = timeOf(message, reading)
  if (at === null) yield 'has a "created_at" that is no date'
  else
    yield {
      ...{ line, text, session: agent },
      speaker: role === 'user' ? (stringMember(message, 'name') ?? 'user') : agent,
      ...(at !== undefined && { at }),
    }
}

/** What a user said. Letta may wrap it in an object, in which it also tells the agent of events. */
function userText(message: JsonObject): string | undefined {
  const text = textOf(message)
  if (!text.startsWith('{')) return text
  const parsed = parseJson(text)
  if (!('value' in parsed) || !isObject(parsed.value)) return text
  const type = stringMember(parsed.value, 'type')
  if (type === undefined) return text
  return type === 'user_message' ? stringMember(parsed.value, 'message') : undefined
}

/** What an agent said: its words, or those that it sent with the tool for that. Its thoughts are no words. */
function agentText(message: JsonObject): string | undefined {
  const calls = arrayMember(message, 'tool_calls').filter(isObject)
  if (calls.length === 0) return textOf(message)
  const sent = calls.flatMap((call) => {
    const called = member(call, 'function')
    if (!isObject(called) || member(called, 'name') !== 'send_message') return []
    const parsed = parseJson(stringMember(called, 'arguments') ?? '')
    return 'value' in parsed && isObject(parsed.value) ? (stringMember(parsed.value, 'message') ?? []) : []
  })
  return sent.length === 0 ? undefined : sent.join('\n')
}

function textOf(message: JsonObject): string {
  const content = member(message, 'content') ?? member(message, 'text')
  if (typeof content === 'string') return content
  const parts = arrayMember(message, 'content').filter(isObject)
  return parts.flatMap((part) => (member(part, 'type') === 'text' ? (stringMember(part, 'text') ?? []) : [])).join('\n')
}

function passageOf(passage: JsonObject, line: number, reading: Reading): Message | string {
  const at = timeOf(passage, reading)
  if (at === null) return 'has a "created_at" that is no date'
  const id = stringMember(passage, 'id')
  const tags = arrayMember(passage, 'tags').filter((tag) => typeof tag === 'string' && tag.trim() !== '')
  return {
    line,
    text: stringMember(passage, 'text') ?? '',
    ...(id !== undefined && { id }),
    ...(at !== undefined && { at }),
    ...(tags.length > 0 && { tags: tags as string[] }),
  }
}

/** `null`: there is something that is no time. */
function timeOf(object: JsonObject, reading: Reading): string | undefined | null {
  const written = stringMember(object, 'created_at')
  return written === undefined ? undefined : (readIso(written, reading.zone) ?? null)
}
