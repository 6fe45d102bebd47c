import { COMPARED_CHARACTERS, EXPIRES_AT, memberOf, METADATA, TAGS } from '../api/attribute.js'
import type { Episode } from '../api/episode.js'
import type { MetadataValue } from '../api/filter.js'
import type { JsonValue } from '../api/json.js'

/**
 * An attribute with one of its values, as text: the length of the attribute's name, the name, a letter for the type of
 * the value, the value. `present` has no value: it says that the episode has the attribute, whatever it is.
 */
export type Entry = string

const TYPE = { present: 'e', null: 'z', boolean: 'b', number: 'n', string: 's' } as const
/** Ends a string that was cut because it is too long: it sorts after all strings that a filter compares it with. */
const CUT = '\0'

/** What the attributes of an episode are found by, each once; `undefined` where it has none. */
export function entriesOf({ tags, metadata, expiresAt }: Episode): ReadonlySet<Entry> | undefined {
  if (tags === undefined && metadata === undefined && expiresAt === undefined) return undefined
  const entries = new Set<Entry>()
  for (const tag of tags ?? []) entries.add(entryOf(TAGS, tag))
  if (expiresAt !== undefined) entries.add(entryOf(EXPIRES_AT, Date.parse(expiresAt)))
  if (metadata !== undefined) addMembers(METADATA, metadata, entries)
  return entries
}

/** The entry of an attribute that has a value. */
export function entryOf(attribute: string, value: MetadataValue): Entry {
  const name = prefixOf(attribute)
  if (value === null) return name + TYPE.null
  if (typeof value === 'string')
    return name + TYPE.string + (value.length > COMPARED_CHARACTERS ? value.slice(0, COMPARED_CHARACTERS) + CUT : value)
  return name + (typeof value === 'number' ? TYPE.number : TYPE.boolean) + value
}

/** The entry of an attribute that is there. */
export function presenceOf(attribute: string): Entry {
  return prefixOf(attribute) + TYPE.present
}

/** The tag that an entry stands for; `undefined` for any other attribute. */
export function tagOf(entry: Entry): string | undefined {
  const start = prefixOf(TAGS) + TYPE.string
  return entry.startsWith(start) ? entry.slice(start.length) : undefined
}

/** The attribute of an entry, and the number that is its value, or that it is a string; absent for any other value. */
export function orderOf(entry: Entry): { readonly attribute: string; readonly value?: number | 'string' } {
  const start = entry.indexOf(':') + 1
  const end = start + Number(entry.slice(0, start - 1))
  const attribute = entry.slice(start, end)
  if (entry[end] === TYPE.number) return { attribute, value: Number(entry.slice(end + 1)) }
  return entry[end] === TYPE.string ? { attribute, value: 'string' } : { attribute }
}

function prefixOf(attribute: string): string {
  return `${attribute.length}:${attribute}`
}

function addMembers(attribute: string, value: JsonValue, entries: Set<Entry>): void {
  if (typeof value !== 'object' || value === null) return void entries.add(entryOf(attribute, value))
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) addMembers(attribute, item, entries)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const path = memberOf(attribute, name)
    entries.add(presenceOf(path))
    addMembers(path, member, entries)
  }
}
