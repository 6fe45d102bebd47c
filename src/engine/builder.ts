import { DEFAULT_ONTOLOGY, Ontology } from '../encoding/ontology.js'
import type { Caller } from '../api/caller.js'
import type { ChangeKind } from '../api/change.js'
import type { Episode } from '../api/episode.js'
import { Listeners } from '../api/listeners.js'
import type { Limits } from '../api/open-options.js'
import { checkEngineOptions } from '../api/option-checks.js'
import { OPEN_OPTIONS } from '../api/option-table.js'
import type { OpenedStorage, StorageAdapter } from '../api/storage.js'
import { clockMillis } from '../api/time.js'
import { systemClock } from '../base/clock.js'
import { type IdMaker, newHandle, randomIds, seededIds } from '../base/ids.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import type { SenseIds } from '../encoding/spaces/space.js'
import { Indexes } from '../indexes/indexes.js'
import { rowsWithin } from '../indexes/rows.js'
import { signaturesFrom } from '../indexes/signatures.js'
import { Checkpoints } from '../maintenance/checkpoints.js'
import { CompactionSchedule } from '../maintenance/compaction-schedule.js'
import { SignatureLoader } from '../maintenance/load-signatures.js'
import { LateScanPool } from '../pools/scan/late-pool.js'
import type { Forest } from '../recall/ranking/forest.js'
import { forestFor, type RankedBy } from '../recall/ranking/rankers.js'
import { receiptKind } from '../records/kinds/receipt.js'
import type { RecordKinds } from '../records/record-kind.js'
import { RECORD_KINDS } from '../records/registry.js'
import type { StoredRecord } from '../records/stored-record.js'
import { unitsOfRow } from '../records/units.js'
import type { UnitsOf } from '../storage/crypto/row-vault.js'
import { encryptedWhereNeeded } from '../storage/crypto/where-needed.js'
import { withHeadroom } from '../write/headroom.js'
import { IdempotencyLog } from '../write/idempotency-log.js'
import { Writer } from '../write/writer.js'
import { countedCalls } from './counted-calls.js'
import { Engine } from './engine.js'
import { occasionalOf } from './parts.js'
import { openingEvents } from './opening-events.js'
import { needsFloors } from './late-floors.js'
import type { EngineOptions } from './options.js'
import { Restorer } from './restore.js'

/** See `EngineInternals.lateFrom`. */
const LATE_FROM = 262_144

/**
 * Builds the engines of one opened memory: the one that is opened, and one for each import. It holds what they share:
 * the options, the codebook, the listeners, and the program that opened the memory.
 */
export class EngineBuilder {
  readonly limits: Limits
  readonly recordKinds: RecordKinds
  /** The program that opened the memory. */
  readonly caller: Caller
  readonly #options: EngineOptions
  readonly #listeners = new Listeners()
  readonly #revisions: ReturnType<typeof countedCalls>
  /** By what there is to rank by, as JSON. */
  readonly #forests = new Map<string, Forest | undefined>()
  #codebook: Codebook | undefined
  readonly #ontology: Ontology
  /** The indexes of the memory as it is. */
  #indexes: Indexes | undefined
  /** What is being read, and is to take the place of the memory. */
  #reading: Restorer | undefined
  #fetching: Promise<Codebook> | undefined

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` and `AGIDB_UNKNOWN_OPTION` on wrong options. */
  constructor(options: EngineOptions) {
    this.#options = options
    this.limits = checkEngineOptions(options)
    const { extensions = [], codebook, ranker, lateModels, readOnly, writer = OPEN_OPTIONS.writer.default } = options
    const { ontology } = options
    this.recordKinds = RECORD_KINDS.with(...extensions.flatMap(({ recordKinds = [] }) => recordKinds))
    this.#codebook = codebook
    this.#ontology = ontology === undefined ? DEFAULT_ONTOLOGY : new Ontology(ontology)
    // A wrong ranker is refused before anything is opened.
    forestFor(ranker, { codebook: codebook !== undefined }, lateModels)
    this.#revisions = countedCalls(options.decideRevision)
    let { handle } = options
    this.caller = {
      writer,
      // Drawn when it is first needed: an edge worker that opens a memory while it starts may not draw random numbers
      // yet.
      get from() {
        return (handle ??= newHandle(systemClock()))
      },
      readOnly,
    }
  }

  /** The time of the clock in whole milliseconds that can be stored, whatever the clock gives. */
  readonly clock = (): number => clockMillis((this.#options.clock ?? systemClock)())

  /** Whether a function of the application is running, on which a call waits. */
  get isCallingBack(): boolean {
    return this.#revisions.running > 0
  }

  /** Makes ids; those that follow from the seed begin at a slot. */
  idsFrom(start: number): IdMaker {
    const { seed } = this.#options
    return seed === undefined ? randomIds() : seededIds(seed, start)
  }

  /** Tells subscribers of a change of the whole memory. */
  tell(kind: ChangeKind, { writer, from }: Caller, own = from === this.caller.from): void {
    this.#listeners.tell({ kind, ids: [], slot: -1, writer, from, own })
  }

  /** The storage of the options, encrypted as they say. */
  get storage(): StorageAdapter {
    const { kernel, storage, encryption, readOnly, parts } = this.#options
    const unitsById = (id: string) => (this.#reading?.indexes ?? this.#indexes)?.unitsById(id)
    const unitsOf: UnitsOf = (row, together) =>
      unitsOfRow(row, this.recordKinds, (id) => together.get(id) ?? unitsById(id))
    return encryptedWhereNeeded(storage, { cipher: kernel, encryption, readOnly, unitsOf }, parts.encryption)
  }

  /** Takes in what is stored, for {@link build}; then it is to be {@link adopt}ed or {@link discard}ed. */
  restorer(): Restorer {
    const { kernel, encoder, encoders, parts, stored, lateFrom = LATE_FROM } = this.#options
    return (this.#reading = new Restorer(
      () => {
        const rows = rowsWithin(this.#memoryBudget)
        const senses = senseIds(encoders)
        const indexes = new Indexes(kernel, this.#codebook, encoder, rows, senses, parts.graphs, stored?.arena)
        indexes.ontology = this.#ontology
        return indexes
      },
      this.recordKinds,
      lateFrom,
    ))
  }

  /** What was restored is the memory from now on. */
  adopt({ indexes }: Restorer): void {
    this.#indexes = indexes
    this.#reading = undefined
  }

  /** Gives the memory back that something restored takes, or the engine of it once that is built. */
  discard(restored: Restorer | Engine): void {
    restored.release()
    this.#reading = undefined
  }

  /**
   * The engine of what was restored, before it is started.
   *
   * @param nextSlot the first slot that is free in the storage.
   */
  async build(restored: Restorer, storage: OpenedStorage, nextSlot: number): Promise<Engine> {
    const { headroom = OPEN_OPTIONS.headroom.default, kernel, encoder, onEncoded, readOnly, keepAfter } = this.#options
    const { indexes, followed } = restored
    const { idempotencyLog, records } = this.#sorted(restored.records)
    const floors = needsFloors(this.#options, records) ? await this.#options.parts.floors() : undefined
    const { LatentEncoding } = encoder === undefined ? {} : await occasionalOf(this.#options.parts)
    const { signatures, scanPool, encodePool } = await this.#pools(indexes, storage)
    const stored = (episodes: readonly Episode[], slot: number, { writer, from }: Caller) => {
      scanPool?.giveBack() // with more memories there is less room
      const ids = episodes.map(({ id }) => id)
      this.#listeners.tell({ kind: 'episodeStored', ids, slot, writer, from, own: from === this.caller.from })
    }
    const writer = new Writer(
      headroom > 0 ? withHeadroom(storage, headroom) : storage.rows,
      indexes,
      nextSlot,
      (changes) => {
        checkpoints.committed(changes)
        compactionSchedule.committed(changes)
        engine.committed()
      },
      idempotencyLog,
      stored,
      encodePool,
    )
    const checkpoints = new Checkpoints(storage.checkpoint, indexes, writer, followed, readOnly ? Infinity : keepAfter)
    const signatureLoader = new SignatureLoader(indexes, storage.signatures, this.#options.onProgress)
    const compactionSchedule = new CompactionSchedule(storage, checkpoints, signatureLoader)
    const codebookComing = indexes.latents === undefined ? this.#codebookComing : undefined
    const engine = new Engine(
      storage,
      indexes,
      writer,
      { checkpoints, compactionSchedule, signatureLoader, ...(codebookComing && { codebookComing }) },
      records,
      {
        options: { ...this.#options, decideRevision: this.#revisions.decideRevision },
        // Recalls have ids of their own, so that asking changes no id of what is observed.
        clock: this.clock,
        makeId: this.idsFrom(nextSlot),
        makeRecallId: this.idsFrom(nextSlot),
        caller: this.caller,
        idempotencyLog,
        recordKinds: this.recordKinds,
        listeners: this.#listeners,
        limits: this.limits,
        encoder,
        LatentEncoding,
        onEncoded,
        signatures,
        scanPool,
        encodePool,
        get databaseId() {
          return storage.databaseId
        },
        opening: openingEvents(restored, kernel),
        forestFor: (encoder) => this.#forestFor({ codebook: indexes.latents !== undefined, encoder }),
      },
      this.#options.parts,
      floors,
    )
    return engine
  }

  get #memoryBudget(): number {
    return this.#options.memoryBudget ?? OPEN_OPTIONS.memoryBudget.default
  }

  /** Fetches the codebook once for all engines: that of an import is another. Absent where none is to come. */
  get #codebookComing(): (() => Promise<Codebook>) | undefined {
    const { codebookComing } = this.#options
    if (codebookComing === undefined) return undefined
    return () => (this.#fetching ??= codebookComing().then((came) => (this.#codebook = came)))
  }

  #forestFor(by: RankedBy): Forest | undefined {
    const key = JSON.stringify(by)
    const { ranker, lateModels } = this.#options
    if (!this.#forests.has(key)) this.#forests.set(key, forestFor(ranker, by, lateModels))
    return this.#forests.get(key)
  }

  /** Parts the receipts of calls from the other records. */
  #sorted(all: readonly StoredRecord[]) {
    const idempotencyLog = new IdempotencyLog()
    const records: StoredRecord[] = []
    for (const record of all) {
      if (this.recordKinds.find(record.row) === receiptKind) idempotencyLog.restore(record)
      else records.push(record)
    }
    return { idempotencyLog, records }
  }

  /** The threads of an engine, as far as there are any. */
  async #pools(indexes: Indexes, storage: OpenedStorage) {
    const { kernel, parts, shardThreads, signerThreads, shards: cores = shardThreads?.cores ?? 0 } = this.#options
    const budget = this.#memoryBudget
    const room = () => budget - kernel.memoryBytes - indexes.bytes
    const signatures = signaturesFrom(storage.signatures, indexes)
    const encodePool =
      signerThreads && cores > 0 ? new (await parts.pools()).EncodePool(signerThreads, indexes, room) : undefined
    const scanPool =
      shardThreads && signatures && cores > 0
        ? new LateScanPool({ ...shardThreads, cores, indexes, signatures, room }, parts.pools)
        : undefined
    // What is not this thread's is given back, for good: the memory of a kernel never shrinks.
    indexes.onFull = () => [scanPool, encodePool].forEach((threads) => threads?.close())
    return { signatures, scanPool, encodePool }
  }
}

/** The ids of encoders. */
function senseIds(encoders: EngineOptions['encoders'] = {}): SenseIds {
  return Object.fromEntries(Object.entries(encoders).map(([sense, encoder]) => [sense, encoder?.id]))
}
