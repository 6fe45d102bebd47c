import type { Limits, OpenOptions, StorageEvent } from '../core/agidb.js'
import type { Caller } from '../core/caller.js'
import type { ChangeKind } from '../core/change.js'
import type { Clock } from '../core/clock.js'
import type { Episode, EpisodeId } from '../core/episode.js'
import type { IdMaker } from '../core/ids.js'
import type { Listeners } from '../core/listeners.js'
import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import type { Arrival } from '../lifecycle/arrival.js'
import type { Loading } from '../lifecycle/loading.js'
import type { Receipts } from '../lifecycle/receipts.js'
import type { Writer } from '../lifecycle/writer.js'
import type { Forest } from '../ranker/forest.js'
import type { Shards } from '../shards/shards.js'
import type { Signers } from '../signers/signers.js'
import type { Storage } from '../storage/port.js'
import type { EngineOptions } from './options.js'

/** What an engine is made of besides its parts. */
export interface Setting {
  readonly options: EngineOptions
  /** The one for what the indexes have now. Absent: the unlearned fusion ranks. */
  readonly forest: Forest | undefined
  readonly clock: Clock
  readonly makeId: IdMaker
  readonly makeRecallId: IdMaker
  /** The program that opened it. */
  readonly caller: Caller
  readonly receipts: Receipts
  readonly listeners: Listeners
  readonly limits: Limits
  readonly encoder: OpenOptions['encoder']
  readonly onEncoded: OpenOptions['onEncoded']
  readonly databaseId: string
  /** Absent where the storage keeps none. */
  readonly signatures: FetchSignatures | undefined
  /** Absent where there are no other threads. */
  readonly shards: Shards | undefined
  readonly signers: Signers | undefined
  /** What happened when the indexes were built. */
  readonly opening: readonly StorageEvent[]
}

/** What the parts of an engine work on together. */
export interface Workings {
  readonly storage: Storage
  readonly indexes: Indexes
  readonly writer: Writer
  readonly loading: Loading
  /** Absent where no codebook is on its way. */
  readonly arrival: Arrival | undefined
  readonly setting: Setting
  /** The episodes of slots; `undefined` for one that is not there. */
  fetch(slots: readonly number[]): Promise<(Episode | undefined)[]>
  find(id: EpisodeId): Promise<Episode | undefined>
  tell(kind: ChangeKind, ids: readonly string[], slot: number, caller: Caller): void
  /** @throws AgidbError `AGIDB_CLOSED` */
  checkOpen(): void
}
