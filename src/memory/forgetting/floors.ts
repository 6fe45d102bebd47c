import type { Caller } from '../../api/caller.js'
import type { Episode, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { RecordChange } from '../../write/record-change.js'
import type { Transaction } from '../../write/writer.js'
import type { MemoryContext } from '../context.js'
import type { ChangedEpisode, IsGone, MadeEvent, Rederived } from '../projection.js'
import type { KeptMedia } from '../episodes/kept-media.js'
import type { Versions } from '../episodes/versions.js'
import type { SensoryBuffer } from '../sensory/buffer.js'
import type { Instead } from '../told.js'
import type { AuditKey } from './audit-key.js'
import type { Audits } from './audits.js'
import type { Tombstones } from './tombstones.js'

/** Events that went, came back at their places, or are new, once that is durable. */
export interface LogChange {
  readonly gone: readonly LearningEvent[]
  readonly back: readonly Logged[]
  readonly made: readonly (Logged & { readonly signature?: Uint8Array })[]
  /** Those of `made` that subscribers are told of. */
  readonly told: readonly LearningEvent[]
}

/** The other floors, as forgetting sees them. */
export interface OtherFloors {
  /** The frames that stand in the buffer. */
  readonly frames: SensoryBuffer
  /** Which earlier versions of episodes are stored. */
  readonly versions: Versions
  /** Which pictures and sounds are kept. Those of a forgotten episode stay until it cannot be restored. */
  readonly media: KeptMedia
  /** What is believed about other names now. */
  readonly aliases: () => readonly Triple[]
  /** What all floors would tell of the events without what is gone; see `Service.without`. */
  readonly without: (isGone: IsGone) => Instead
  /** What all floors say of it; see `Service.rederive`. */
  readonly rederive: (changed: readonly ChangedEpisode[]) => Promise<Rederived>
  /** Bits by which the self-vector would be another. */
  readonly drift: (gone: readonly LearningEvent[], made: readonly MadeEvent[]) => number
  /** An event with an id and a time, and its row. */
  readonly make: (drafted: NewEvent, now: number) => { readonly event: LearningEvent; readonly row: RecordChange }
  /** Takes events out of the log and of every floor, and others in; tells subscribers. */
  readonly replace: (change: LogChange, caller: Caller) => void
  /** Drops from main memory what names episodes that are gone. */
  readonly forgetGone: () => void
}

/** What the drafts of forgetting work with. */
export interface Parts {
  readonly context: MemoryContext
  readonly floors: OtherFloors
  readonly audits: Audits
  readonly tombstones: Tombstones
  readonly key: AuditKey
  /** Episodes as they are once the commit that is being made is durable, by slot. */
  readonly pending: Map<number, Episode>
}

/** What a draft of forgetting writes and answers. */
export interface Forgetful<T> {
  readonly records: Transaction<T>['records']
  readonly undo?: () => Promise<void>
  /** Called when it is durable; `slots` are those of the records. */
  readonly done: (slots: readonly number[]) => LogChange
  readonly answer: T
  /** Whether rows were erased, which stand in the storage until it is compacted. */
  readonly isErased: boolean
}
