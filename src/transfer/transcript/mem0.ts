import { conversations } from './conversation.js'
import { arrayMember, isObject, member, objectMember, stringMember, type JsonObject } from './json.js'
import type { Message, Reading } from './reading.js'
import { readIso } from './time.js'

/** Whose memory it is, as mem0 names it in its answers and in its clients for TypeScript. */
const OWNERS = [
  ['user_id', 'userId'],
  ['agent_id', 'agentId'],
  ['app_id', 'appId'],
  ['run_id', 'runId'],
] as const

/**
 * Memories of mem0, as `get_all` (`getAll`) and `search` answer them: `{ "results": [{ "id", "memory", "user_id",
 * "metadata", "created_at", … }] }`, or the list alone. The owners and the expiration date stand in the metadata
 * afterwards, beside what was there; categories become tags, the run becomes the session.
 */
export async function* mem0(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const { line, written, conversation } of conversations(chunks, reading)) {
    const results = member(conversation, 'results') ?? member(conversation, 'memories')
    for (const memory of Array.isArray(results) ? (results as unknown[]) : [conversation]) {
      const message = isObject(memory) ? messageOf(memory, line, reading) : 'has a memory that is no object'
      if (typeof message === 'string') reading.bad(line, written, message)
      else yield message
    }
  }
}

/** The message of a memory, or what is wrong with it. */
function messageOf(memory: JsonObject, line: number, reading: Reading): Message | string {
  const text = member(memory, 'memory')
  if (typeof text !== 'string') return 'has something without a "memory" in words'
  const owners: Record<string, string> = {}
  for (const [name, other] of OWNERS) {
    const owner = (stringMember(memory, name) ?? stringMember(memory, other))?.trim()
    if (owner !== undefined) owners[name] = owner
  }
  const expiration = stringMember(memory, 'expiration_date') ?? stringMember(memory, 'expirationDate')
  const written = stringMember(memory, 'created_at') ?? stringMember(memory, 'createdAt')
  const at = written === undefined ? undefined : readIso(written, reading.zone)
  if (written !== undefined && at === undefined) return 'has a "created_at" that is no date'
  const metadata = {
    ...objectMember(memory, 'metadata'),
    ...owners,
    ...(expiration !== undefined && { expiration_date: expiration.slice(0, 10) }),
  } as Message['metadata']
  const tags = arrayMember(memory, 'categories').filter((tag) => typeof tag === 'string' && tag.trim() !== '')
  const id = stringMember(memory, 'id')
  const speaker = stringMember(memory, 'actor_id') ?? owners['user_id'] ?? owners['agent_id']
  return {
    line,
    text,
    metadata,
    ...(id !== undefined && { id }),
    ...(speaker !== undefined && { speaker }),
    ...(owners['run_id'] !== undefined && { session: owners['run_id'] }),
    ...(at !== undefined && { at }),
    ...(tags.length > 0 && { tags: tags as string[] }),
  }
}
