import type { Episode, EpisodeId } from '../api/episode.js'
import type { Signatures } from '../api/storage.js'
import type { NewEvent } from '../records/event-log.js'
import type { RecordChange } from '../write/record-change.js'

/** What is to be learned: events that become durable and count together, all or none. */
export interface Draft<T> {
  readonly events: readonly NewEvent[]
  /** A hypervector that is stored with an event. */
  readonly signatures?: ReadonlyMap<NewEvent, Uint8Array>
  readonly episodes?: readonly Episode[]
  /** Signatures of what was perceived with each episode beside its text, as they are stored. */
  readonly perceived?: ReadonlyMap<EpisodeId, Signatures>
  /** Rows that stand right after those of the episodes: pieces of pictures and sounds. */
  readonly media?: readonly RecordChange[]
  /** Rows of the floor's own, such as frames. */
  readonly records?: readonly RecordChange[]
  /** What is to be answered when the call is asked again, where that cannot be read anew. Plain data. */
  readonly answer?: unknown
  /**
   * Called when all of it is durable and every floor has the events; `slots` are those of the records, `media` those of
   * the pieces. Its answer is the call's.
   */
  readonly result: (slots: readonly number[], media: readonly number[]) => T
}
