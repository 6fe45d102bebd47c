import type { Episode, EpisodeVersion } from '../../api/episode.js'
import type { JsonObject } from '../../api/json.js'
import { OWNERS } from './filters.js'

/** A memory as mem0 shows it. */
export interface MemoryItem {
  readonly id: string
  readonly memory: string
  /** When it was said or began to be true (ISO 8601, UTC). */
  readonly createdAt: string
  readonly updatedAt?: string
  readonly metadata: JsonObject
  readonly user_id?: string
  readonly agent_id?: string
  readonly run_id?: string
  /** Of a search: how likely it is what was asked for, 0 to 1. */
  readonly score?: number
}

/** A version of a memory, as mem0 shows it. */
export interface MemoryHistoryEntry {
  readonly id: string
  readonly memory_id: string
  readonly previous_value: string | null
  readonly new_value: string
  readonly action: 'ADD' | 'UPDATE'
  readonly created_at: string
  readonly updated_at: string | null
  readonly is_deleted: 0
}

/** An episode, or a match, as a memory. */
export function itemOf(episode: Pick<Episode, 'id' | 'text' | 'at' | 'metadata' | 'updatedAt'>): MemoryItem {
  const { id, text, at, metadata = {}, updatedAt } = episode
  const members = Object.entries(metadata)
  const isOwner = ([name]: [string, unknown]) => OWNERS.includes(name as (typeof OWNERS)[number])
  return {
    ...{ id, memory: text, createdAt: at },
    ...(updatedAt !== undefined && { updatedAt }),
    metadata: Object.fromEntries(members.filter((member) => !isOwner(member))) as JsonObject,
    ...Object.fromEntries(members.filter(isOwner)),
  }
}

/** The versions of an episode, newest first. */
export function historyOf(versions: readonly EpisodeVersion[]): MemoryHistoryEntry[] {
  const entries = versions.map(({ version, from, episode }, i): MemoryHistoryEntry => {
    const before = versions[i - 1]?.episode.text ?? null
    return {
      id: `${episode.id}#${version}`,
      memory_id: episode.id,
      previous_value: before,
      new_value: episode.text,
      action: i === 0 ? 'ADD' : 'UPDATE',
      created_at: versions[0]!.from,
      updated_at: i === 0 ? null : from,
      is_deleted: 0,
    }
  })
  return entries.reverse()
}
