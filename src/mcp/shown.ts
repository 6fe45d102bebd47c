import type { Entry } from '../api/entry.js'
import type { Belief } from '../api/belief.js'
import type { Episode } from '../api/episode.js'
import type { Goal } from '../api/goal.js'
import { uriOf } from './uri.js'

/** UTF-16 units of a text that a list shows. The resource of the record has all of it. */
const SHOWN = 2_000

/** The beginning of a text, and whether something is missing. */
export function excerpt(text: string): { readonly text: string; readonly truncated?: true } {
  if (text.length <= SHOWN) return { text }
  const end = /[\ud800-\udbff]/.test(text[SHOWN - 1]!) ? SHOWN - 1 : SHOWN
  return { text: `${text.slice(0, end)}…`, truncated: true }
}

/** An episode in a list. */
export function shownEpisode(episode: Episode) {
  const { id, text, speaker, session, source, at, validTo, recordedAt, tags, metadata, expiresAt, superseded } = episode
  const { goal, beliefs } = episode
  return {
    id,
    ...excerpt(text),
    ...{ speaker, session, source, at, validTo, recordedAt, tags, metadata, expiresAt, goal, beliefs },
    supersededBy: superseded?.by,
    uri: uriOf('episodes', id),
  }
}

/** An entry of a document in a list. */
export function shownEntry(entry: Entry) {
  const { id, content, type, level, heading, path, source, visibility, perspectives, relations, at, tags } = entry
  return {
    id,
    ...excerpt(content),
    ...{ type, level, heading, path, source, visibility, perspectives, relations, at, tags },
    metadata: entry.metadata,
    uri: uriOf('entries', id),
  }
}

/** A belief in a list. */
export function shownBelief(belief: Belief) {
  const { id, claim, confidence, subject, predicate, object, evidence, contradictions, conflictsWith } = belief
  return {
    ...{ id, claim, confidence, subject, predicate, object, evidence, contradictions, conflictsWith },
    validFrom: belief.validFrom,
    validTo: belief.validTo,
    uri: uriOf('beliefs', id),
  }
}

/** A goal in a list. */
export function shownGoal(goal: Goal) {
  const { id, description, state, parent, successCriteria, deadline, overdue, createdAt, updatedAt } = goal
  return { id, description, state, parent, successCriteria, deadline, overdue, createdAt, updatedAt }
}
