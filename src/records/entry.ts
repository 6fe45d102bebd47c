import type { EntryLevel, EntryType } from '../api/entry-facet.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import { list, maybe, name, names, object, oneOf, share, text, time, whole } from './shapes.js'

const limits = FIELD_LIMITS.entry

export const ENTRY_TYPES: readonly EntryType[] = ['raw', 'summary', 'meta', 'impression']
export const ENTRY_LEVELS: readonly EntryLevel[] = [1, 2, 3, 4, 5, 6, 7]
/** What stands under headings. */
export const CONTENT_LEVEL: EntryLevel = 7

const PLACE = object({
  source: text(limits.source),
  path: names(limits.path),
  parent: maybe(name),
  heading: maybe(text(limits.heading)),
  level: oneOf(...ENTRY_LEVELS),
  start: whole,
  end: whole,
})

/** What of an entry is stored with its content, as it comes from outside. */
export const ENTRY = object({
  type: oneOf(...ENTRY_TYPES),
  places: list(PLACE, limits.places),
  visibility: maybe(text(limits.visibility)),
  expiresAt: maybe(time),
  perspectives: maybe(names(limits.perspectives)),
  summarizes: maybe(names(limits.summarizes)),
  madeBy: maybe(text(limits.madeBy)),
  memberships: maybe(list(share, limits.summarizes)),
})
