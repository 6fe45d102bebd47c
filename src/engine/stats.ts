import type { Stats, StorageEvent } from '../api/stats.js'
import type { CompactionSchedule } from '../maintenance/compaction-schedule.js'
import type { Floors } from '../memory/memory.js'
import type { BackgroundWork } from './background.js'
import type { EngineContext } from './context.js'

/** The sizes of floors that are not loaded. */
const EMPTY: Floors['sizes'] = {
  versions: 0,
  atoms: 0,
  procedures: 0,
  goals: 0,
  beliefs: 0,
  events: 0,
  tombstones: 0,
}

/**
 * What `stats()` answers.
 *
 * @param floors absent where they could not be loaded; then they count as empty.
 */
export async function statsOf(
  context: EngineContext,
  floors: Floors | undefined,
  { encoding, extraction, events }: BackgroundWork,
  compactionSchedule: CompactionSchedule,
): Promise<Stats> {
  const { indexes, storage, writer, config, signatureLoader, codebookArrival } = context
  const { catalog, concepts, postings, kernel } = indexes
  const stale = goneRecords(context)
  const about = await storage.stats()
  const { name, bytes, memory: stored = 0, durability, durabilityReason, opening, room, encryption } = about
  const { scanPool, encodePool } = config
  const { progress } = signatureLoader
  const pending = codebookArrival?.pending
  const forest = config.forestFor(false)
  const memoryParts = {
    kernel: kernel.memoryBytes,
    indexes: indexes.bytes,
    codebook: indexes.latents?.codebook.bytes ?? 0,
    ranker: (forest?.bytes ?? 0) + ((encoding && config.forestFor(true)?.bytes) ?? 0),
    floors: floors?.bytes ?? 0,
    storage: stored + writer.bytes,
    shards: scanPool?.bytes ?? 0,
    signers: encodePool?.bytes ?? 0,
  }
  return {
    episodes: catalog.size,
    sessions: catalog.sessions.size,
    speakers: catalog.speakers.size,
    concepts: concepts.size,
    terms: postings.terms,
    ...(floors?.sizes ?? EMPTY),
    bytes,
    memory: Object.values(memoryParts).reduce((sum, bytes) => sum + bytes, 0),
    memoryParts,
    shards: { threads: scanPool?.threads ?? 0, episodes: scanPool?.episodes ?? 0 },
    ...(room && { room }),
    durability,
    durabilityReason,
    storage: name,
    encryption: encryption ?? { kind: 'none', reason: 'this place has no file for keys', keys: 0 },
    role: 'owner',
    kernel: kernel.name,
    codebook: indexes.latents?.codebook.id ?? 'none',
    ...(pending && { codebookPending: pending }),
    ranker: forest?.name ?? 'fusion',
    ...(stale !== undefined && { rankerStale: stale }),
    ...(encoding && { encoder: encoding.stats }),
    ...(extraction && { extraction: extraction.stats }),
    ...(progress && { loading: progress }),
    opening: [
      ...opening,
      ...config.opening,
      ...signatureLoader.events,
      ...(codebookArrival?.events ?? []),
      ...compactionSchedule.events,
      ...(stale ? [staleRanker(forest?.name, stale)] : []),
      ...events,
    ],
  }
}

/** How many of the memories that the ranker was trained on are gone; `undefined` if it names none of this database. */
function goneRecords({ indexes, config }: EngineContext): number | undefined {
  const { ranker } = config.options
  const records = typeof ranker === 'object' ? ranker.records : undefined
  // Asked for only then: it may be drawn at random, which an edge worker may not do while it starts.
  if (records === undefined || records.database !== config.databaseId) return undefined
  return records.ids.filter((id) => indexes.catalog.slot(id) === undefined).length
}

function staleRanker(name: string | undefined, gone: number): StorageEvent {
  const message =
    `the ranker ${name} was trained on ${gone} memories that are not there any more; ` +
    'agidb train --again makes it without them'
  return { kind: 'ranker-stale', message, details: { ranker: name, gone } }
}
