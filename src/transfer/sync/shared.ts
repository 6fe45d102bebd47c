import type { LearningEvent, LearningKind } from '../../api/learning.js'
import { encodeUtf8 } from '../../base/utf8.js'
import { withoutExtraction } from '../../records/extraction.js'
import { decodeEpisode, encodeEpisode, episodeKind } from '../../records/kinds/episode.js'
import { learningEventKind } from '../../records/kinds/learning-event.js'
import { versionKind } from '../../records/kinds/version.js'
import type { RecordKinds } from '../../records/record-kind.js'
import type { Episode } from '../../api/episode.js'

/**
 * Kinds of events that one device tells another: what somebody said or decided. All others follow from them and from
 * the episodes, and each device works them out by itself.
 */
const SHARED_EVENTS: ReadonlySet<LearningKind> = new Set<LearningKind>([
  'episodeLinked',
  'goalSet',
  'goalRevised',
  'goalStateChanged',
  'beliefAsserted',
  'beliefReasserted',
  'beliefRevised',
  'beliefWithdrawn',
  'procedureLearned',
  'procedureRevised',
  'procedureRetired',
  'procedureExecuted',
  'conceptsMerged',
  'conceptsSplit',
  'episodesAssociated',
  'entitiesRelated',
  'edgesForgotten',
  'entriesChanged',
  'entryLinked',
  'entryUnlinked',
  'entriesThought',
  'documentIngested',
  'perspectiveDefined',
  'perspectiveRemoved',
  'agingConfigured',
])

/** A record that devices exchange. */
export interface SharedRecord {
  readonly id: string
  /** Its content as it is exchanged. That of an episode lacks what is derived from other records. */
  readonly row: Uint8Array
  /** When it was written, epoch milliseconds. */
  readonly time: number
  /** When it was changed last. */
  readonly changed: number
  /** Of an episode: what superseded it. */
  readonly superseded?: Episode['superseded']
  readonly isEpisode: boolean
  /** Of a version: its episode. */
  readonly versionOf?: string
  /** Of an event that puts a goal below another, or (`null`) below none. */
  readonly placed?: { readonly goal: string; readonly parent: string | null }
}

/**
 * A row as it is exchanged; `undefined` for one that is not. Kinds are told by their tags: a part of a page's worker
 * has copies of them of its own.
 */
export function sharedRecord(row: Uint8Array, kinds: RecordKinds): SharedRecord | undefined {
  const kind = kinds.find(row)
  if (kind?.tag === episodeKind.tag) return ofEpisode(decodeEpisode(row))
  if (kind?.tag === versionKind.tag) {
    const { id, episode, replacedAt } = versionKind.decode(row)
    const time = Date.parse(replacedAt)
    return { id, row, time, changed: time, isEpisode: false, versionOf: episode }
  }
  if (kind?.tag !== learningEventKind.tag) return undefined
  const event = learningEventKind.decode(row)
  return isShared(event) ? ofEvent(event, row) : undefined
}

function ofEpisode(episode: Episode): SharedRecord {
  const { superseded, ...rest } = withoutExtraction(episode)
  const time = Date.parse(episode.recordedAt)
  return {
    id: episode.id,
    row: encodeEpisode(rest),
    time,
    changed: episode.updatedAt === undefined ? time : Date.parse(episode.updatedAt),
    isEpisode: true,
    ...(superseded && { superseded }),
  }
}

function ofEvent(event: LearningEvent, row: Uint8Array): SharedRecord {
  const time = Date.parse(event.at)
  const parent =
    event.kind === 'goalSet' ? event.parent : event.kind === 'goalRevised' ? event.changes.parent : undefined
  return {
    id: event.id,
    row,
    time,
    changed: time,
    isEpisode: false,
    ...(parent !== undefined && { placed: { goal: (event as LearningEvent<'goalSet'>).goal, parent } }),
  }
}

/** Whether somebody said it: what the memory came to by itself follows from what was said. */
function isShared(event: LearningEvent): boolean {
  if (!SHARED_EVENTS.has(event.kind)) return false
  if (event.kind === 'beliefAsserted') return event.automatic === undefined
  if (event.kind === 'beliefRevised') return event.rederived === undefined && event.revision.automatic === undefined
  // One that names an episode follows from a revision.
  if (event.kind === 'beliefWithdrawn') return event.revision.evidence === undefined
  return true
}

/** The row of an episode with what supersedes it. */
export function withSupersession(row: Uint8Array, superseded: Episode['superseded']): Uint8Array {
  const { superseded: _, ...episode } = decodeEpisode(row)
  return encodeEpisode({ ...episode, ...(superseded && { superseded }) })
}

/** What stands for an id that was unlearned: 128 bits, by which it can be recognised and not read. */
export function hashOf(id: string, digest: (bytes: Uint8Array) => string): string {
  return digest(encodeUtf8(`agidb/unlearned/1/${id}`)) + digest(encodeUtf8(`agidb/unlearned/2/${id}`))
}
