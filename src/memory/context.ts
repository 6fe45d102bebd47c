import type { Limits, OpenOptions } from '../api/open-options.js'
import type { Caller } from '../api/caller.js'
import type { Episode, EpisodeId, Observation } from '../api/episode.js'
import type { Extraction, ExtractionContext } from '../api/extractor.js'
import type { LearningEventId } from '../api/learning.js'
import type { EntryFacet } from '../api/entry-facet.js'
import type { Match } from '../api/recall.js'
import type { Purpose } from '../api/purpose.js'
import type { SensoryId } from '../api/sensory.js'
import type { EntryQuestion } from './documents/context.js'
import type { Draft } from './draft.js'
import type { MemoryParts } from './parts.js'
import type { LearningLog, Logged, NewEvent } from '../records/event-log.js'
import type { Indexes } from '../indexes/indexes.js'
import type { StoredEpisode } from '../api/storage.js'
import type { Transaction } from '../write/writer.js'
import type { ItemIndex, IndexedItem } from './item-index.js'

/** What the floors have of the memory that they are in. */
export interface MemoryContext {
  /** Of the episodes. */
  readonly indexes: Indexes
  readonly parts: MemoryParts
  readonly limits: Limits
  readonly options: Pick<
    OpenOptions,
    | 'encoders'
    | 'surpriseThreshold'
    | 'surpriseProfile'
    | 'sourceTrust'
    | 'autoBelieve'
    | 'decideRevision'
    | 'tombstoneDays'
    | 'retention'
    | 'summarizer'
  >
  /** Who writes what no call writes, for provenance. */
  readonly writer: string
  readonly log: LearningLog
  /** The events of the log as they are told now: without the episodes that are gone, by slot. */
  readonly told: () => readonly Logged[]
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** A new id that nothing has, by its prefix (`go_`). */
  readonly makeId: (prefix: string, now: number, taken: (id: string) => boolean) => string
  /** The episodes of live slots, in the order asked for. */
  readonly fetch: (slots: readonly number[]) => Promise<(Episode | undefined)[]>
  readonly find: (id: EpisodeId) => Promise<Episode | undefined>
  /** The rows of slots as they are stored, in the order asked for. */
  readonly rows: (slots: readonly number[]) => Promise<(Uint8Array | undefined)[]>
  /** The records of slots with their signatures, in the order asked for; while nothing is written. */
  readonly read: (slots: readonly number[]) => Promise<StoredEpisode[]>
  /** Resolves when all signatures are loaded, or it is known that some cannot be. */
  readonly loaded: () => Promise<void>
  /** Resolves when the texts of all episodes are read, or it is known that some will not be. */
  readonly extracted: () => Promise<void>
  /**
   * What an extractor finds in an episode that it has read before, now that other turns stand before it. `undefined`
   * where that cannot be said at once: then it is read again in the background.
   */
  readonly extractNow: (episode: Episode, context: ExtractionContext) => Promise<Extraction | undefined>
  /** Checks an observation and makes its episode, whose id is kept for it until {@link releaseId}. */
  readonly prepare: (observation: Observation, caller: Caller) => Episode
  /** To be called when a prepared episode is durable, or will not be. */
  readonly releaseId: (episode: Episode) => void
  /** What an episode that is being written was observed for; `what` names the observation, such as `items[3]`. */
  readonly observation: (id: EpisodeId) => (Purpose & { readonly what: string }) | undefined
  /** Writes new entries of documents; resolves when they are durable. */
  readonly storeEntries: (entries: readonly (readonly [Observation, EntryFacet])[], caller: Caller) => Promise<void>
  /** Changes what episodes are beside their texts, and learns events, in one commit: see `Updater.restate`. */
  readonly restate: (
    caller: Caller,
    ids: readonly EpisodeId[],
    change: (episode: Episode) => Episode,
    events?: readonly NewEvent[],
  ) => Promise<void>
  /** Answers a question about entries, best first. */
  readonly recallEntries: (question: EntryQuestion) => Promise<readonly Match[]>
  readonly itemIndex: (describe: (id: string) => IndexedItem | undefined) => ItemIndex
  /** Says that a frame was seen, whose row is in this slot. */
  readonly frameChanged: (id: SensoryId, slot: number, caller: Caller) => void
  /** Says that episodes were taken out, are back, or have pictures or sounds; `slot` is that of the last. */
  readonly tellEpisodes: (
    kind: 'episodeRemoved' | 'episodeStored' | 'multimodalEpisodeStored' | 'encoderFailed',
    ids: readonly EpisodeId[],
    slot: number,
    caller: Caller,
  ) => void
  /** Says that the rows of slots are about to be erased for good: {@link compact} makes copies of them unreadable. */
  readonly retire: (slots: readonly number[]) => Promise<void>
  /** Compacts the storage: what was erased is in no file any more. */
  readonly compact: () => Promise<unknown>
  /** Writes what a draft makes, in a turn of the writer's; see `Writer.transact`. */
  readonly transact: <T>(draft: () => Transaction<T> | Promise<Transaction<T>>) => Promise<T>
  /**
   * Writes the events that `draft` makes on behalf of a caller. `draft` is called while nothing else is written, and
   * nothing else is until its events count, so what it reads of the floors stays true. An error that it throws changes
   * nothing.
   */
  readonly learn: <T>(caller: Caller, draft: (now: number) => Draft<T> | Promise<Draft<T>>) => Promise<T>
  /**
   * Takes learning events out of the storage, the log and every projection, all or none; see `Projection.retract`. With
   * the event that created a belief, a goal or a procedure go all others that are about it. Throws `AGIDB_NOT_FOUND` if
   * one is not there.
   *
   * Goals below a goal stay, and name one that is no more; since an import refuses that, take them along or give them
   * another parent before.
   */
  readonly retract: (ids: readonly LearningEventId[], caller: Caller) => Promise<void>
}
