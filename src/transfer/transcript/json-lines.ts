import type { Triple } from '../../api/episode.js'
import { isObject, member, parseJson, type JsonObject } from './json.js'
import { lines } from './lines.js'
import type { Message, Reading } from './reading.js'
import { isoOf, readIso } from './time.js'

/**
 * JSON lines: an object a line with `text` and, if known, `speaker`, `at` (ISO 8601 or epoch milliseconds), `session`,
 * `validTo` (likewise, after `at`), `source`, `id`, `triples`, `tags`, `metadata` and `expiresAt`. Other members are
 * ignored, blank lines too.
 */
export async function* jsonLines(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<Message> {
  for await (const line of lines(chunks)) {
    if (line.text.trim() === '') continue
    const message = line.tooLong ? 'is too long' : messageOf(line.text, line.number, reading)
    if (typeof message === 'string') reading.bad(line.number, line.text, message)
    else yield message
  }
}

/** The message on a line, or what is wrong with it. */
function messageOf(text: string, line: number, reading: Reading): Message | string {
  const parsed = parseJson(text)
  if ('fault' in parsed) return parsed.fault
  const object = parsed.value
  if (!isObject(object)) return 'is no JSON object'
  if (Object.hasOwn(object, '__proto__')) return 'has a member "__proto__", which is refused'

  const said = member(object, 'text')
  if (typeof said !== 'string') return said === undefined ? 'has no "text"' : 'has a "text" that is no string'
  for (const name of ['speaker', 'session', 'source', 'id']) {
    const value = member(object, name)
    if (value !== undefined && typeof value !== 'string') return `has a "${name}" that is no string`
  }
  const at = timeOf(member(object, 'at'), reading)
  if (at === null) return 'has an "at" that is no date: it takes ISO 8601 or epoch milliseconds'
  const validTo = timeOf(member(object, 'validTo'), reading)
  if (validTo === null) return 'has a "validTo" that is no date: it takes ISO 8601 or epoch milliseconds'
  if (validTo !== undefined && at === undefined) return 'has a "validTo" and no "at": what ends has begun'
  if (validTo !== undefined && Date.parse(validTo) <= Date.parse(at!))
    return 'has a "validTo" that is not after its "at"'
  const expiresAt = timeOf(member(object, 'expiresAt'), reading)
  if (expiresAt === null) return 'has an "expiresAt" that is no date: it takes ISO 8601 or epoch milliseconds'
  // What is wrong with these the check of the observation says.
  const [tags, metadata] = [member(object, 'tags'), member(object, 'metadata')] as [
    Message['tags'],
    Message['metadata'],
  ]
  const triples = triplesOf(member(object, 'triples'))
  if (triples === null) return 'has "triples" that are no list of { subject, predicate, object } in strings'
  return {
    line,
    text: said,
    ...names(object),
    ...(at && { at }),
    ...(validTo && { validTo }),
    ...(triples ? { triples } : {}),
    ...(tags !== undefined && { tags }),
    ...(metadata !== undefined && { metadata }),
    ...(expiresAt && { expiresAt }),
  }
}

function names(object: JsonObject): Pick<Message, 'speaker' | 'session' | 'source' | 'id'> {
  const found: Record<string, string> = {}
  for (const name of ['speaker', 'session', 'source', 'id']) {
    const value = member(object, name)
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** `null`: there is something that is no time. */
function timeOf(value: unknown, reading: Reading): string | undefined | null {
  if (value === undefined) return undefined
  if (typeof value === 'number') return isoOf(value) ?? null
  if (typeof value === 'string') return readIso(value, reading.zone) ?? null
  return null
}

/** `null`: there is something that is no list of triples. */
function triplesOf(value: unknown): readonly Triple[] | undefined | null {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) return null
  const triples: Triple[] = []
  for (const item of value as unknown[]) {
    if (!isObject(item)) return null
    const [subject, predicate, object] = [member(item, 'subject'), member(item, 'predicate'), member(item, 'object')]
    if (typeof subject !== 'string' || typeof predicate !== 'string' || typeof object !== 'string') return null
    triples.push({ subject, predicate, object })
  }
  return triples
}
