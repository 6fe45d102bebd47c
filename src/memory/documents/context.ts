import type { Caller } from '../../api/caller.js'
import type { EntryFacet, EntryId } from '../../api/entry-facet.js'
import type { Identity } from '../../api/identity.js'
import type { Episode, Observation } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'
import type { UnlearnReport } from '../../api/forgetting.js'
import type { Limits } from '../../api/open-options.js'
import type { Summarizer } from '../../api/summarizer.js'
import type { Match } from '../../api/recall.js'
import type { DocumentParser } from '../../api/document-parser.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { Draft } from '../draft.js'
import type { EntrySources } from './view.js'

/** A question about entries. */
export interface EntryQuestion {
  readonly cue: string
  readonly k: number
  /** The entries that may answer, as a bit set over slots. */
  readonly among: Uint32Array
  /** Whether entries of every visibility may answer. */
  readonly deep: boolean
  readonly filter?: Filter
}

/** The parsers that are loaded when a document is to be read. */
export interface DocumentParsers {
  readonly markdown: () => Promise<{ readonly markdownParser: DocumentParser }>
  readonly html: () => Promise<{ readonly htmlParser: DocumentParser }>
}

/** What the methods of documents have of the memory. */
export interface DocumentContext extends EntrySources {
  readonly limits: Limits
  readonly parts: DocumentParsers
  /** What makes summaries; `undefined` where there are to be none. */
  readonly summarizer: Summarizer | undefined
  /** Writes new entries; resolves when they are durable. */
  readonly store: (entries: readonly (readonly [Observation, EntryFacet])[], caller: Caller) => Promise<void>
  /** Checks an entry that is written with an event of {@link learn}: see `MemoryContext.prepare`. */
  readonly prepare: (entry: Observation, caller: Caller) => Episode
  /** To be called when a prepared entry is durable, or will not be. */
  readonly releaseId: (entry: Episode) => void
  /** Changes entries in their place, and learns events, in one commit; entries that are gone are passed over. */
  readonly restate: (
    caller: Caller,
    ids: readonly EntryId[],
    change: (episode: Episode) => Episode,
    events?: readonly NewEvent[],
  ) => Promise<void>
  /** Answers a question about entries, best first. */
  readonly recall: (question: EntryQuestion) => Promise<readonly Match[]>
  /** The events that are told now, in order. */
  readonly log: () => readonly Logged[]
  /** Learns what a draft makes: see `MemoryContext.learn`. */
  readonly learn: <T>(caller: Caller, draft: (now: number) => Draft<T>) => Promise<T>
  /** What of the other floors makes an identity: the active goals, the surest beliefs, the best known atoms. */
  readonly beside: (most: number) => Promise<Pick<Identity, 'goals' | 'beliefs' | 'atoms'>>
  /** Notes what a search found. */
  readonly found: (ids: readonly EntryId[]) => void
  /** Forgets entries. */
  readonly forget: (ids: readonly EntryId[], reason: string, caller: Caller) => Promise<UnlearnReport>
}
