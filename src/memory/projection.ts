import type { Episode, EpisodeId } from '../api/episode.js'
import type { LearningEvent } from '../api/learning.js'
import { learningEventKind } from '../records/kinds/learning-event.js'
import type { Logged } from '../records/event-log.js'
import type { RecordKind } from '../records/record-kind.js'
import type { MemoryContext } from './context.js'

/**
 * What a floor makes of the stored records of one kind, in main memory. It is a function of the records that are there:
 * at opening it is rebuilt by `apply`, and after `retract` it answers as if it had been rebuilt without the retracted
 * ones.
 */
export interface Projection<R = LearningEvent> {
  /**
   * Takes a record in: at opening, and when it has become durable. Records come in ascending order of slot. Must not
   * throw.
   *
   * @param signature the hypervector that is stored with the record, if any; valid as long as the projection.
   */
  apply(record: R, slot: number, signature?: Uint8Array): void
  /**
   * Takes records out; must not throw. The log has lost them before, so a projection may replay `context.log`.
   *
   * The caller need not retract what depended on them first, nor the latest first: the remaining records count as if
   * there had been no others. A revision of a goal that was never set, for example, tells nothing. Several records in
   * one call cost one replay where a projection replays (goals, procedures, atoms: each event of that floor once, a few
   * microseconds apiece; the self-vector: each epoch); beliefs, frames and traces cost what the retracted records cost.
   *
   * @param records the very objects that were applied; those that the projection does not know are passed over.
   */
  retract(records: readonly R[]): void
  /** Bytes of main memory, about, beside those of the kernel and of the log of events. */
  readonly bytes: number
  /** Gives the kernel's memory back. */
  free?(): void
}

/** A projection and the kind of records that it is made of. */
export interface ProjectionOf<R = unknown> {
  readonly kind: RecordKind<R>
  readonly projection: Projection<R>
}

/** An episode that was just forgotten or came back, or that says something else from now on. */
export interface ChangedEpisode {
  readonly id: EpisodeId
  readonly slot: number
  /** Whether it is there from now on. */
  readonly live: boolean
  /** Present when it was there before, and was updated. */
  readonly updated?: true
  /** What it said, where it was forgotten or updated: by other names that it gave, beliefs may have been compared. */
  readonly before?: Episode
}

/** An event that is stored in the place of others, with the hypervector that goes with it. */
export interface MadeEvent {
  /** Its `at` is the time at which it would have been learned. */
  readonly event: LearningEvent
  readonly signature?: Uint8Array
}

/** Stored events that are to be replaced, so that the log is that of a memory which never had certain episodes. */
export interface Rederived {
  /** Events of the log that go: the very objects. */
  readonly gone: readonly LearningEvent[]
  /** Events that come, in the order in which they are stored. Their slots are at the end of the log. */
  readonly made: readonly MadeEvent[]
}

/** What answers the methods of a floor, from the projections that it owns. */
export interface Service {
  readonly projections: readonly ProjectionOf[]
  /**
   * Says which stored events of this floor are others now that some episodes are forgotten or are back. It is called
   * while nothing else is written, after the indexes hold the episodes that are live from now on, and before anything
   * is written. It must not change the floor: the events that it names reach it by `retract` and `apply` once they are
   * durable. What it throws leaves everything as it was.
   */
  rederive?(changed: readonly ChangedEpisode[]): Promise<Rederived>
  /**
   * The events of this floor as they would be in a memory that never had certain episodes. It decides by the events
   * alone, so that an expiry can store its answer in their place.
   *
   * @param events all that are stored, of every floor, in order.
   * @returns what differs: the event in the place of another, or `undefined` where there would be none.
   */
  without?(events: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined>
  /**
   * The same for the episodes that are not there now, as `whatDidILearn` and `introspect` tell them: with numbers that
   * follow from other events. Absent: {@link without} says it.
   */
  told?(events: readonly Logged[]): ReadonlyMap<LearningEvent, LearningEvent | undefined>
}

/** Whether the episode that an id named before a slot counts as one that never came. */
export type IsGone = (episode: EpisodeId, slot: number) => boolean

/** A floor beside those of agidb: the kinds of its records, and its service. */
export interface Extension {
  readonly recordKinds?: readonly RecordKind[]
  /** Called once for each memory that is opened or imported. */
  readonly service?: (context: MemoryContext) => Service
}

/** Registers a projection for records of a kind. */
export function projectionOf<R>(kind: RecordKind<R>, projection: Projection<R>): ProjectionOf {
  // Only records of the kind are given to the projection, which its type cannot say.
  return { kind, projection } as ProjectionOf
}

/** Registers a projection for the learning events. */
export function ofEvents(projection: Projection): ProjectionOf {
  return projectionOf(learningEventKind, projection)
}
