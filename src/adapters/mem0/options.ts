import type { JsonObject } from '../../api/json.js'
import type { TimeInput } from '../../api/episode.js'
import type { MemoryFilters } from './filters.js'

/** Whose memory it is. */
export interface MemoryOwner {
  readonly userId?: string
  readonly agentId?: string
  readonly runId?: string
}

/** A message to be remembered. */
export interface MemoryMessage {
  readonly role: string
  readonly content: unknown
  /** The speaker. Default: the owner by the role. */
  readonly name?: string
}

/** Options of `add`. At least one owner has to be named, here or in `filters`. */
export interface AddMemoryOptions extends MemoryOwner {
  /** What belongs to the memories. The names of owners are left out of it. */
  readonly metadata?: JsonObject
  /** Owners under mem0's other names: `user_id`, `agent_id`, `run_id`. */
  readonly filters?: MemoryFilters
  /** Taken and without effect: words are stored as they are, and statements are extracted beside them. */
  readonly infer?: boolean
  /** When it was said or began to be true. Default: now. */
  readonly timestamp?: TimeInput | null
  /** The last day (`YYYY-MM-DD`, UTC) on which it is found. Default: none. */
  readonly expirationDate?: string | null
}

/** Options of `getAll`. */
export interface GetAllMemoryOptions {
  /** How many. Default 20. */
  readonly topK?: number
  /** Which; owners have to be among what it names. */
  readonly filters?: MemoryFilters
  /** Whether memories are found after their expiration date. Default `false`. */
  readonly showExpired?: boolean
}

/** Options of `search`. */
export interface SearchMemoryOptions extends GetAllMemoryOptions {
  /** The least score, 0 to 1: how likely a memory is what was asked for. Default 0. */
  readonly threshold?: number
  /** Whether results say which signals made their score. Default `false`. */
  readonly explain?: boolean
  /** Taken and without effect: what is found is always ranked. */
  readonly rerank?: boolean
}

/** What `update` changes. */
export interface UpdateMemoryOptions {
  readonly text?: string
  /** mem0's older name of `text`. */
  readonly data?: string
  /** Put over the metadata that is there. The names of owners are left out of it. */
  readonly metadata?: JsonObject
  /** The last day on which it is found; `null`: it has none. */
  readonly expirationDate?: string | null
}
