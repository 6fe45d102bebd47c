import type { Limits, OpenOptions } from '../api/open-options.js'
import type { StorageEvent } from '../api/stats.js'
import type { Caller } from '../api/caller.js'
import type { ChangeKind } from '../api/change.js'
import type { Clock } from '../base/clock.js'
import type { Episode, EpisodeId } from '../api/episode.js'
import type { IdMaker } from '../base/ids.js'
import type { RecordKinds } from '../records/record-kind.js'
import type { Listeners } from '../api/listeners.js'
import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import type { CodebookArrival } from '../maintenance/codebook-arrival.js'
import type { SignatureLoader } from '../maintenance/load-signatures.js'
import type { IdempotencyLog } from '../write/idempotency-log.js'
import type { Writer } from '../write/writer.js'
import type { Forest } from '../recall/ranking/forest.js'
import type { LateScanPool } from '../pools/scan/late-pool.js'
import type { EncodePool } from '../pools/encode/pool.js'
import type { OpenedStorage } from '../api/storage.js'
import type { LatentEncoding } from '../maintenance/encode-latents.js'
import type { EngineSettings } from './settings.js'

/** The configuration of an engine. */
export interface EngineConfig {
  readonly options: EngineSettings
  /**
   * The trees for what the indexes have now. `undefined`: the unlearned fusion ranks.
   *
   * @param encoder whether a sentence encoder has encoded the cue.
   */
  readonly forestFor: (encoder: boolean) => Forest | undefined
  readonly clock: Clock
  readonly makeId: IdMaker
  readonly makeRecallId: IdMaker
  /** The program that opened it. */
  readonly caller: Caller
  readonly idempotencyLog: IdempotencyLog
  /** The kinds of records that the memory may hold. */
  readonly recordKinds: RecordKinds
  readonly listeners: Listeners
  readonly limits: Limits
  readonly encoder: OpenOptions['encoder']
  /** What encodes memories in the background. Absent where there is no sentence encoder. */
  readonly LatentEncoding: typeof LatentEncoding | undefined
  readonly onEncoded: OpenOptions['onEncoded']
  readonly databaseId: string
  /** Absent where the storage keeps none. */
  readonly signatures: FetchSignatures | undefined
  /** Absent where there are no other threads. */
  readonly scanPool: LateScanPool | undefined
  readonly encodePool: EncodePool | undefined
  /** What happened when the indexes were built. */
  readonly opening: readonly StorageEvent[]
}

/** What the parts of an engine share. */
export interface EngineContext {
  readonly storage: OpenedStorage
  readonly indexes: Indexes
  readonly writer: Writer
  readonly signatureLoader: SignatureLoader
  /** Absent where no codebook is on its way. */
  readonly codebookArrival: CodebookArrival | undefined
  readonly config: EngineConfig
  /** The episodes of slots; `undefined` for one that is not there. */
  fetch(slots: readonly number[]): Promise<(Episode | undefined)[]>
  find(id: EpisodeId): Promise<Episode | undefined>
  tell(kind: ChangeKind, ids: readonly string[], slot: number, caller: Caller): void
  /** @throws AgidbError `AGIDB_CLOSED` */
  checkOpen(): void
}
