import { conversations } from './conversation.js'
import { arrayMember, isObject, member, stringMember, type JsonObject } from './json.js'
import type { Message, Reading } from './reading.js'
import { isoOf, readIso } from './time.js'

/** Members that hold lists of what is remembered. */
const LISTS = ['threads', 'sessions', 'messages', 'edges', 'facts', 'episodes']
/** Roles whose messages are no speech. */
const NOBODY = ['system', 'function', 'tool']

/** What holds for all that stands in an object. */
interface Around {
  readonly line: number
  readonly session?: string
}

/**
 * What the interface of Zep answers: the messages of threads or sessions (`{ "messages": [{ "content", "role", "name",
 * "created_at" }] }`), the facts of a graph (`[{ "fact", "valid_at", "invalid_at" }]`), its episodes, or objects that
 * hold several of these. A fact is true from `valid_at` to `invalid_at`. Names of nodes are not there to be read, so
 * facts come without triples; summaries of nodes are left out.
 */
export async function* zep(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const { line, written, conversation } of conversations(chunks, reading))
    for (const found of read(conversation, { line }, reading))
      if (typeof found === 'string') reading.bad(line, written, found)
      else yield found
}

/** The messages in an object, or what is wrong with it. */
function* read(object: JsonObject, around: Around, reading: Reading): Generator<Message | string> {
  const session = nameOf(object, 'thread_id', 'session_id') ?? around.session
  const inside = session === undefined ? around : { ...around, session }
  // A fact names the episodes that it is from, so these are no list of its own.
  if (typeof member(object, 'fact') === 'string') yield factOf(object, inside, reading)
  else if (typeof member(object, 'content') === 'string') yield* messageOf(object, inside, reading)
  else yield* lists(object, inside, reading)
}

function* lists(object: JsonObject, around: Around, reading: Reading): Generator<Message | string> {
  const names = LISTS.filter((name) => Array.isArray(member(object, name)))
  if (names.length === 0) yield 'has something without "messages", "fact" or "content"'
  for (const name of names)
    for (const item of arrayMember(object, name)) {
      if (name === 'facts' && typeof item === 'string') yield { ...around, text: item }
      else if (isObject(item)) yield* read(item, around, reading)
      else yield `has something in "${name}" that is no object`
    }
}

function* messageOf(object: JsonObject, around: Around, reading: Reading): Generator<Message | string> {
  const kind = nameOf(object, 'role_type') ?? stringMember(object, 'role')
  if (kind !== undefined && NOBODY.includes(kind)) {
    reading.report.system++
    return
  }
  const speaker = stringMember(object, 'name') ?? stringMember(object, 'role') ?? kind
  const at = timeOf(object, reading, 'reference_time', 'created_at')
  if (at === null) yield 'has a "created_at" that is no date'
  else yield { ...common(object, around), text: stringMember(object, 'content') ?? '', ...named({ speaker, at }) }
}

function factOf(object: JsonObject, around: Around, reading: Reading): Message | string {
  const began = timeOf(object, reading, 'valid_at', 'created_at')
  const ended = timeOf(object, reading, 'invalid_at', 'expired_at')
  if (began === null || ended === null) return 'has a "valid_at" or "invalid_at" that is no date'
  // Where only the time at which it was learned is known, it may have ended before.
  const endedBefore = ended !== undefined && (began === undefined || began >= ended)
  const at = endedBefore ? isoOf(Date.parse(ended) - 1) : began
  const relation = stringMember(object, 'name')
  return {
    ...common(object, around),
    text: stringMember(object, 'fact') ?? '',
    ...named({ at, validTo: ended }),
    ...(relation !== undefined && { metadata: { relation } }),
  }
}

function common(object: JsonObject, around: Around): Omit<Message, 'text'> {
  return { ...around, ...named({ id: stringMember(object, 'uuid') }) }
}

/** A member by its name in answers, or in the clients for TypeScript. */
function nameOf(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = stringMember(object, name) ?? stringMember(object, camelCase(name))
    if (found !== undefined) return found
  }
  return undefined
}

/** `null`: there is something that is no time. */
function timeOf(object: JsonObject, reading: Reading, ...names: readonly string[]): string | undefined | null {
  const written = nameOf(object, ...names)
  return written === undefined ? undefined : (readIso(written, reading.zone) ?? null)
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The members that are there. */
function named(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}
