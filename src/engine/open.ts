import type { OnOpenProgress } from '../api/open-progress.js'
import type { OpenedStorage } from '../api/storage.js'
import { FEATURES } from '../recall/ranking/features.js'
import { EngineBuilder } from './builder.js'
import type { Engine } from './engine.js'
import type { EngineOptions } from './options.js'
import { occasionalOf } from './parts.js'
import { replaceable } from './replaceable.js'

/**
 * Opens the engine: recovers the storage, and takes the indexes from the checkpoint that is stored there or builds them
 * from the episodes. Owns the storage from then on.
 *
 * @throws AgidbError what `StorageAdapter.open` throws, `AGIDB_RANKER`, `AGIDB_INVALID_ARGUMENT` and
 * `AGIDB_UNKNOWN_OPTION` on wrong options; then the storage is closed.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const builder = new EngineBuilder(await withCheckedRanker(options))
  const { engine, storage } = await openStored(builder, options.onProgress)
  const { parts } = options
  const late = storage.onCommit && (await occasionalOf(parts))
  return replaceable(
    engine,
    builder.caller,
    async (...asked) => (await occasionalOf(parts)).replacementIn(storage, builder, parts)(...asked),
    async (...asked) => (await occasionalOf(parts)).applicationIn(storage, builder, parts)(...asked),
    () => builder.isCallingBack,
    (renew) => {
      const tell = () => builder.tell('changesApplied', builder.caller, false)
      late?.follow(renew, storage, tell, () => openStored(builder))
    },
  )
}

/** The options with a ranker of the caller's checked; what checks it is loaded only then. */
async function withCheckedRanker(options: EngineOptions): Promise<EngineOptions> {
  const { ranker, parts } = options
  if (ranker === undefined || typeof ranker === 'string') return options
  const { checkRanker } = await occasionalOf(parts)
  return { ...options, ranker: checkRanker(ranker, FEATURES) }
}

/** Rows after which `onProgress` is told how many were read. */
const ROWS_PER_REPORT = 1_024

/** A function of its own, so that what was read to build the engine is let go once it is built. */
async function openStored(
  builder: EngineBuilder,
  onProgress?: OnOpenProgress,
): Promise<{ readonly engine: Engine; readonly storage: OpenedStorage }> {
  const restorer = builder.restorer()
  let storage: OpenedStorage | undefined
  let engine: Engine | undefined
  try {
    storage = await builder.storage.open(
      (stored) => {
        restorer.visit(stored)
        if (restorer.followed % ROWS_PER_REPORT === 0) onProgress?.({ what: 'indexes', done: restorer.followed })
      },
      restorer,
      () => builder.tell('storageDeleted', builder.caller, false),
    )
    engine = await builder.build(restorer, storage, storage.nextSlot)
    builder.adopt(restorer)
    const { followed: done } = restorer
    if (done > 0) onProgress?.({ what: 'indexes', done, of: done })
    engine.start()
    return { engine, storage }
  } catch (error) {
    builder.discard(engine ?? restorer)
    await storage?.close().catch(() => {})
    throw error
  }
}
