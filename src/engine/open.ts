import type { OpenOptions } from '../api/open-options.js'
import type { StorageEvent } from '../api/stats.js'
import type { Caller } from '../api/caller.js'
import { checkEngineOptions, OPEN_OPTIONS } from '../api/option-table.js'
import { systemClock } from '../base/clock.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { newHandle, randomIds, seededIds } from '../base/ids.js'
import { Listeners } from '../api/listeners.js'
import { refusedToWrite } from '../api/registry.js'
import type { ImportReport } from '../api/portable.js'
import { clockMillis } from '../api/time.js'
import { Indexes } from '../indexes/indexes.js'
import { rowsWithin } from '../indexes/rows.js'
import { signaturesFrom } from '../indexes/signatures.js'
import { CompactionSchedule } from '../maintenance/compaction-schedule.js'
import { withHeadroom } from '../write/headroom.js'
import { Checkpoints } from '../maintenance/checkpoints.js'
import { SignatureLoader } from '../maintenance/load-signatures.js'
import { IdempotencyLog } from '../write/idempotency-log.js'
import { receiptKind } from '../records/kinds/receipt.js'
import { RECORD_KINDS } from '../records/registry.js'
import type { StoredRecord } from '../records/stored-record.js'
import { Restorer } from './restore.js'
import type { Kernel } from '../kernel/port.js'
import type { Codebook } from '../encoding/codebook/codebook.js'
import type { Forest } from '../recall/ranking/forest.js'
import { Writer } from '../write/writer.js'
import { forestFor } from '../recall/ranking/rankers.js'
import { ScanPool } from '../pools/scan/pool.js'
import { EncodePool } from '../pools/encode/pool.js'
import { Engine } from './engine.js'
import { readExportInto } from './import.js'
import type { OpenedStorage } from '../api/storage.js'
import type { EngineOptions } from './options.js'
import { replaceable, type Replace } from './replaceable.js'

/** Whether the console of this thread was told of a slow kernel. */
let warned = false

/** See `EngineInternals.lateFrom`. */
const LATE_FROM = 262_144

/**
 * Opens the engine: recovers the storage, and takes the indexes from the image that is kept there or builds them from
 * the episodes. Owns the storage from then on.
 *
 * @throws AgidbError what `Storage.open` throws, `AGIDB_INVALID_ARGUMENT` and `AGIDB_UNKNOWN_OPTION` on wrong options;
 * then the storage is closed.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const {
    headroom = OPEN_OPTIONS.headroom.default,
    kernel,
    clock = systemClock,
    seed,
    writer: writerName = OPEN_OPTIONS.writer.default,
    encoder,
    onEncoded,
    lateFrom = LATE_FROM,
  } = options
  const {
    shardThreads,
    signerThreads,
    shards: threads = shardThreads?.cores ?? 0,
    memoryBudget = OPEN_OPTIONS.memoryBudget.default,
  } = options
  const limits = checkEngineOptions(options)
  const recordKinds = RECORD_KINDS.with(...(options.extensions ?? []).flatMap(({ recordKinds = [] }) => recordKinds))
  let { codebook } = options
  // Once for all engines: an import gets one of its own.
  let fetching: Promise<Codebook> | undefined
  const codebookComing =
    options.codebookComing && (() => (fetching ??= options.codebookComing!().then((came) => (codebook = came))))
  const forests = new Map<boolean, Forest | undefined>()
  const forestOf = ({ latents }: Indexes) => {
    const has = latents !== undefined
    if (!forests.has(has)) forests.set(has, forestFor(options.ranker, { codebook: has }, options.codebookModel))
    return forests.get(has)
  }
  // refused before anything is opened
  forestFor(options.ranker, { codebook: codebook !== undefined }, options.codebookModel)
  const begin = (): Restorer =>
    new Restorer(() => new Indexes(kernel, codebook, encoder, rowsWithin(memoryBudget)), recordKinds, lateFrom)
  // Whole milliseconds of a time that can be stored, whatever the clock gives.
  const now = () => clockMillis(clock())
  const makerFrom = (start: number) => (seed === undefined ? randomIds() : seededIds(seed, start))
  const calls = countingCalls(options.decideRevision)
  let handle = options.handle
  const caller: Caller = {
    writer: writerName,
    // Drawn when it is first needed: an edge worker that opens a memory while it starts may not draw random numbers
    // yet.
    get from() {
      return (handle ??= newHandle(systemClock()))
    },
    readOnly: options.readOnly,
  }
  const listeners = new Listeners()

  const assemble = (
    { indexes, records, encoded, damage, followed }: Restorer,
    storage: OpenedStorage,
    nextSlot: number,
  ): Engine => {
    const idempotencyLog = new IdempotencyLog()
    const rest: StoredRecord[] = []
    for (const record of records) {
      if (recordKinds.find(record.row) === receiptKind) idempotencyLog.restore(record)
      else rest.push(record)
    }
    const room = () => memoryBudget - kernel.memoryBytes - indexes.bytes
    const encodePool = signerThreads && threads > 0 ? new EncodePool(signerThreads, indexes, room) : undefined
    const stored = (episodes: readonly Episode[], slot: number, { writer, from }: Caller) => {
      scanPool?.giveBack() // with more memories there is less room
      listeners.tell({
        kind: 'episodeStored',
        ids: episodes.map(({ id }) => id),
        slot,
        writer,
        from,
        own: from === caller.from,
      })
    }
    const writer = new Writer(
      headroom > 0 ? withHeadroom(storage, headroom) : storage.rows,
      indexes,
      nextSlot,
      (changes) => (checkpoints.committed(changes), compactionSchedule.committed(changes)),
      idempotencyLog,
      stored,
      encodePool,
    )
    const checkpoints = new Checkpoints(
      storage.checkpoint,
      indexes,
      writer,
      followed,
      options.readOnly ? Infinity : options.keepAfter,
    )
    const signatureLoader = new SignatureLoader(indexes, storage.signatures)
    const compactionSchedule = new CompactionSchedule(storage, checkpoints, signatureLoader)
    const signatures = signaturesFrom(storage.signatures, indexes)
    const scanPool =
      shardThreads && signatures && threads > 0
        ? new ScanPool({ ...shardThreads, cores: threads, indexes, signatures, room })
        : undefined
    // What is not this thread's is given back, for good: the memory of a kernel never shrinks.
    indexes.onFull = () => [scanPool, encodePool].forEach((threads) => threads?.close())
    return new Engine(
      storage,
      indexes,
      writer,
      { checkpoints, compactionSchedule, signatureLoader, ...(indexes.latents === undefined && { codebookComing }) },
      rest,
      {
        options: { ...options, decideRevision: calls.decideRevision },
        // Recalls have ids of their own, so that asking changes no id of what is observed.
        clock: now,
        makeId: makerFrom(nextSlot),
        makeRecallId: makerFrom(nextSlot),
        caller,
        idempotencyLog,
        recordKinds,
        listeners,
        limits,
        encoder,
        onEncoded,
        signatures,
        scanPool,
        encodePool,
        get databaseId() {
          return storage.databaseId
        },
        opening: [...reencoded(encoded), ...madeAgain(damage), ...slowKernel(kernel)],
        get forest() {
          return forestOf(indexes)
        },
      },
    )
  }

  const replaceIn =
    (storage: OpenedStorage): Replace =>
    (before, by, source, imported) =>
      before.still(async () => {
        if (caller.readOnly) throw refusedToWrite('import')
        if (imported.replace !== true && (await before.slots()).length > 0) {
          throw new AgidbError(
            'AGIDB_NOT_EMPTY',
            'the memory holds something, which an import would take the place of; import into an empty one, ' +
              'or pass { replace: true }',
          )
        }
        const restorer = begin()
        let engine: Engine | undefined
        let report: ImportReport | undefined
        try {
          await storage.rows.replace(async (add) => {
            report = await readExportInto(
              { restorer, recordKinds, limits, clock: now, makeId: makerFrom(0), writer: by.writer, add },
              source,
              imported,
            )
            const { episodes, records } = report
            // In the same commit, so that whoever asks again is told.
            const receipts = before.idempotencyLog.rowsForReplacement(episodes + records, {
              caller: by,
              answer: report,
            })
            if (receipts.length > 0) await add(receipts)
            for (const row of receipts) restorer.visit(row)
            engine = opened(() => assemble(restorer, storage, episodes + records + receipts.length))
          })
        } catch (error) {
          restorer.free()
          throw error
        }
        before.release()
        engine!.start()
        listeners.tell({
          kind: 'memoryImported',
          ids: [],
          slot: -1,
          writer: by.writer,
          from: by.from,
          own: by.from === caller.from,
        })
        return { engine: engine!, report: report! }
      })

  // Of its own, so that what was read is let go when all is made of it: the other functions here stay as long as the
  // engine.
  const opening = async () => {
    const restorer = begin()
    let storage: OpenedStorage | undefined
    try {
      storage = await options.storage.open(
        (stored) => restorer.visit(stored),
        restorer,
        () =>
          listeners.tell({
            kind: 'storageDeleted',
            ids: [],
            slot: -1,
            writer: caller.writer,
            from: caller.from,
            own: false,
          }),
      )
      const engine = assemble(restorer, storage, storage.nextSlot)
      engine.start()
      return { engine, storage }
    } catch (error) {
      restorer.free()
      await storage?.close().catch(() => {})
      throw error
    }
  }
  const { engine, storage } = await opening()
  return replaceable(engine, caller, replaceIn(storage), () => calls.running > 0)
}

/** The caller's function, and how many of its calls are under way. */
function countingCalls(decide: OpenOptions['decideRevision']): {
  readonly running: number
  readonly decideRevision: OpenOptions['decideRevision']
} {
  // what is no function is refused where it is used
  if (typeof decide !== 'function') return { running: 0, decideRevision: decide }
  let running = 0
  return {
    get running() {
      return running
    },
    decideRevision: async (belief, evidence) => {
      running++
      try {
        return await decide(belief, evidence)
      } finally {
        running--
      }
    },
  }
}

/**
 * What a memory is made of that was imported; rows that passed every check and cannot be opened all the same are
 * refused, too.
 */
function opened<T>(make: () => T): T {
  try {
    return make()
  } catch (cause) {
    if (cause instanceof AgidbError) throw cause
    throw new AgidbError(
      'AGIDB_CORRUPT',
      `the rows of the export do not fit each other: ${String(cause)}; nothing was imported`,
      {},
      { cause },
    )
  }
}

/**
 * What opening reports when signatures were of another version of the encoder or another codebook, or left out for want
 * of one.
 */
function reencoded(episodes: number): StorageEvent[] {
  if (episodes === 0) return []
  const message =
    `the signatures of ${episodes} episodes were made by another version of agidb or without its codebook; ` +
    'they were made again in memory'
  return [{ kind: 're-encoded', message, details: { episodes } }]
}

function madeAgain(damage: unknown): StorageEvent[] {
  if (damage === undefined) return []
  const message = 'what was kept of the indexes is damaged; they were made again from the episodes, and nothing is lost'
  return [
    { kind: 'index-damaged', message, details: { reason: damage instanceof Error ? damage.message : String(damage) } },
  ]
}

/** What opening reports, and the console is told once, when the TypeScript kernel runs though nobody asked for it. */
function slowKernel({ fallback }: Kernel): StorageEvent[] {
  if (fallback === undefined) return []
  const message =
    'the TypeScript kernel runs, with the same answers but many times slower, ' +
    `because the WebAssembly kernel cannot be used: ${fallback}`
  if (!warned) console.warn(`agidb: ${message}`)
  warned = true
  return [{ kind: 'slow-kernel', message }]
}
