import type { Limits, StorageEvent } from '../core/agidb.js'
import { checkKeys, checkName, checkWhole, DEFAULT_LIMITS, invalid } from '../core/check.js'
import { systemClock } from '../core/clock.js'
import { randomIds, seededIds } from '../core/ids.js'
import { toMillis } from '../core/time.js'
import { checkSurpriseOptions } from '../floors/surprise.js'
import { Indexes } from '../indexes/indexes.js'
import { rowsWithin } from '../indexes/rows.js'
import { signaturesFrom } from '../indexes/signatures.js'
import { checkEncoder } from '../lifecycle/encoding.js'
import { Compacting } from '../lifecycle/compacting.js'
import { withHeadroom } from '../lifecycle/headroom.js'
import { Keeping } from '../lifecycle/keeping.js'
import { Restoring } from '../lifecycle/restoring.js'
import { Writer } from '../lifecycle/writer.js'
import { forestFor } from '../recall/rankers.js'
import { Shards } from '../shards/shards.js'
import { Engine } from './engine.js'
import type { EngineOptions } from './options.js'

/** See `OpenOptions.memoryBudget`. */
const MEMORY_BUDGET = 2.5 * 2 ** 30
/** More threads than any machine has cores for. */
const MAX_SHARDS = 64

/**
 * Opens the engine: recovers the storage, and takes the indexes from the image that is kept there or builds them from the
 * episodes. Owns the storage from then on.
 *
 * @throws AgidbError what `Storage.open` throws, `AGIDB_INVALID_ARGUMENT` and `AGIDB_UNKNOWN_OPTION` on wrong options;
 * then the storage is closed.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { shardThreads, shards: threads = shardThreads?.cores ?? 0, memoryBudget = MEMORY_BUDGET } = options
  const { headroom = 0 } = options
  checkWhole('headroom', headroom, 0, Number.MAX_SAFE_INTEGER)
  const storage = headroom > 0 ? withHeadroom(options.storage, headroom) : options.storage
  const { kernel, clock = systemClock, seed, writer: writerName = 'agidb' } = options
  const limits = checkLimits(options.limits)
  checkName('writer', writerName, limits)
  checkWhole('shards', threads, 0, MAX_SHARDS)
  checkWhole('memoryBudget', memoryBudget, 0, Number.MAX_SAFE_INTEGER)
  if (seed !== undefined) checkWhole('seed', seed, 0, 2 ** 32 - 1)
  if (typeof clock !== 'function') throw invalid('clock must be a function that returns epoch milliseconds', { option: 'clock' })
  checkSurpriseOptions(options.surpriseThreshold, options.surpriseProfile)
  const { encoder, onEncoded } = options
  if (encoder !== undefined) checkEncoder(encoder)
  if (onEncoded !== undefined && typeof onEncoded !== 'function') throw invalid('onEncoded must be a function that takes { done, total }', { option: 'onEncoded' })

  const forest = forestFor(options.ranker, { codebook: options.codebook !== undefined })
  const restoring = new Restoring(() => new Indexes(kernel, options.codebook, encoder, rowsWithin(memoryBudget)))
  try {
    const { nextSlot } = await storage.open((stored) => restoring.visit(stored), restoring)
    const { indexes, records, encoded, damage } = restoring
    const makeId = seed === undefined ? randomIds() : seededIds(seed, nextSlot)
    // Of their own, so that asking changes no id of what is observed.
    const makeRecallId = seed === undefined ? randomIds() : seededIds(seed, nextSlot)
    // Whole milliseconds of a time that can be stored, whatever the clock gives.
    const now = () => toMillis(clock(), 'the time of the clock')
    const writer = new Writer(storage, indexes, nextSlot, (changes) => (keeping.committed(changes), compacting.committed(changes)))
    const keeping = new Keeping(storage, indexes, writer, restoring.followed, options.keepAfter)
    const compacting = new Compacting(storage, keeping)
    const signatures = signaturesFrom(storage, indexes)
    const room = () => memoryBudget - kernel.memoryBytes - indexes.bytes
    const shards = shardThreads && signatures && threads > 0 ? new Shards({ ...shardThreads, cores: threads, indexes, signatures, room }) : undefined
    return new Engine(storage, indexes, writer, { keeping, compacting }, records, {
      options, clock: now, makeId, makeRecallId, writer: writerName, limits, forest, encoder, onEncoded, signatures, shards,
      opening: [...reencoded(encoded), ...madeAgain(damage), ...withoutCodebook(options.codebookProblem)],
    })
  } catch (error) {
    restoring.free()
    await storage.close().catch(() => {})
    throw error
  }
}

/** What opening reports when signatures were of another version of the encoder or another codebook, or left out for want of one. */
function reencoded(episodes: number): StorageEvent[] {
  if (episodes === 0) return []
  const message = `the signatures of ${episodes} episodes were made by another version of agidb or without its codebook; they were made again in memory`
  return [{ kind: 're-encoded', message, details: { episodes } }]
}

function madeAgain(damage: unknown): StorageEvent[] {
  if (damage === undefined) return []
  const message = 'what was kept of the indexes is damaged; they were made again from the episodes, and nothing is lost'
  return [{ kind: 'index-damaged', message, details: { reason: damage instanceof Error ? damage.message : String(damage) } }]
}

function withoutCodebook(problem: string | undefined): StorageEvent[] {
  return problem === undefined ? [] : [{ kind: 'no-codebook', message: `memories are ranked without the semantic codebook: ${problem}` }]
}

function checkLimits(given: Partial<Limits> | undefined): Limits {
  checkKeys('limits', given, Object.keys(DEFAULT_LIMITS))
  for (const [name, value] of Object.entries(given ?? {})) checkWhole(`limits.${name}`, value, 1, 2 ** 30)
  return { ...DEFAULT_LIMITS, ...given }
}
