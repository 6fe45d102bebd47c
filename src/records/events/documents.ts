import { FIELD_LIMITS } from '../../api/field-limits.js'
import { list, maybe, name, names, number, oneOf, share, string, text, time, whole } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

const { entry } = FIELD_LIMITS

/** What is known of entries became something else: a caller said so, or they aged. */
export const entriesChanged: EventKind<'entriesChanged'> = {
  wording: ['changed', 'group of entries', 'groups of entries'],
  shape: stored({
    entries: names(entry.changed),
    by: oneOf('caller', 'aging'),
    visibility: maybe(text(entry.visibility)),
    expiresAt: maybe(time),
    perspectives: maybe(names(entry.perspectives)),
  }),
  subjects: ({ entries }) => entries,
  references: () => [],
}

const LINK = stored({ entry: name, relation: text(entry.relation), target: name })

/** A caller linked an entry to another. */
export const entryLinked: EventKind<'entryLinked'> = {
  wording: ['linked', 'entry', 'entries'],
  shape: LINK,
  subjects: ({ entry: id }) => [id],
  references: ({ target }) => [target],
}

/** A caller took a link of an entry away. */
export const entryUnlinked: EventKind<'entryUnlinked'> = {
  wording: ['unlinked', 'entry', 'entries'],
  shape: LINK,
  subjects: ({ entry: id }) => [id],
  references: ({ target }) => [target],
}

/** What a batch of searches found. */
export const entriesAccessed: EventKind<'entriesAccessed'> = {
  wording: ['noted', 'batch of accesses', 'batches of accesses'],
  shape: stored({
    since: time,
    entries: names(entry.accessed),
    accesses: list(list(whole, entry.access), entry.accesses),
  }),
  subjects: () => [],
  references: ({ entries }) => entries,
}

/** A document was stored as entries. */
export const documentIngested: EventKind<'documentIngested'> = {
  wording: ['ingested', 'document', 'documents'],
  shape: stored({ source: name, hash: name, root: name }),
  subjects: () => [],
  references: ({ root }) => [root],
}

/** It was thought about entries. */
export const entriesThought: EventKind<'entriesThought'> = {
  wording: ['thought', 'time about entries', 'times about entries'],
  shape: stored({ action: oneOf('reflect', 'consolidate'), entries: names(entry.changed) }),
  subjects: () => [],
  references: ({ entries }) => entries,
}

/** A caller gave documents a perspective of their own. */
export const perspectiveDefined: EventKind<'perspectiveDefined'> = {
  wording: ['defined', 'perspective', 'perspectives'],
  shape: stored({ perspective: name, hint: string('cueBytes') }),
  subjects: () => [],
  references: () => [],
}

/** A caller took a perspective away. */
export const perspectiveRemoved: EventKind<'perspectiveRemoved'> = {
  wording: ['removed', 'perspective', 'perspectives'],
  shape: stored({ perspective: name }),
  subjects: () => [],
  references: () => [],
}

/** A caller said how entries age. */
export const agingConfigured: EventKind<'agingConfigured'> = {
  wording: ['configured', 'aging of entries', 'agings of entries'],
  shape: stored({
    degradeAfterDays: number,
    degradeFrom: names(entry.perspectives),
    degradeTo: text(entry.visibility),
    salienceProtection: share,
  }),
  subjects: () => [],
  references: () => [],
}
