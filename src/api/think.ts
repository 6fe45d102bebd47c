import type { AgingReport, Entry } from './entry.js'
import type { EntryId } from './entry-facet.js'
import type { LlmRequest } from './llm.js'

/** What `entries.think` can do without a model. */
export type ThinkAction = 'discover' | 'status' | 'history' | 'consolidate'

/** Two entries that are alike and not linked. */
export interface DiscoveredPair {
  readonly entries: readonly [EntryId, EntryId]
  /** Standard deviations above chance. */
  readonly likeness: number
}

/** How much there is to think about. */
export interface ThinkStatus {
  readonly entries: number
  /** How many entries there are of each visibility. */
  readonly visibility: Readonly<Record<string, number>>
  /** How many entries are seen from each perspective. */
  readonly perspectives: Readonly<Record<string, number>>
  readonly openThreads: number
  /** When it was thought last (ISO 8601, UTC). Absent: never. */
  readonly last?: string
}

/** A time at which it was thought. */
export interface Thought {
  readonly at: string
  readonly action: 'reflect' | 'consolidate'
  /** The entries that came of it. */
  readonly entries: readonly EntryId[]
}

/** What a consolidation or a reflection wrote. */
export interface ThinkReport {
  /** The entries that came of it. Content that was there already is not named. */
  readonly entries: readonly Entry[]
  readonly aging: AgingReport
}

/** What a reflection asks a model, and the entries that its answer may name. */
export interface Reflection {
  readonly request: LlmRequest
  readonly ids: readonly EntryId[]
}

/** What `entries.think` answers, by action. */
export interface ThinkAnswers {
  discover: readonly DiscoveredPair[]
  status: ThinkStatus
  history: readonly Thought[]
  consolidate: ThinkReport
}
