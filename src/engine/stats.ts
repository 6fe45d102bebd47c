import type { Stats } from '../api/stats.js'
import type { CompactionSchedule } from '../maintenance/compaction-schedule.js'
import type { LatentEncoding } from '../maintenance/encode-latents.js'
import type { Floors } from '../memory/memory.js'
import type { EngineContext } from './context.js'

/** What `stats()` answers. */
export async function statsOf(
  { indexes, storage, writer, config, signatureLoader, codebookArrival }: EngineContext,
  floors: Floors,
  encoding: LatentEncoding | undefined,
  compactionSchedule: CompactionSchedule,
): Promise<Stats> {
  const { catalog, concepts, postings, kernel } = indexes
  const { name, bytes, memory: stored = 0, durability, durabilityReason, opening, room } = await storage.stats()
  const { scanPool, encodePool } = config
  const { progress } = signatureLoader
  const pending = codebookArrival?.pending
  const memoryParts = {
    kernel: kernel.memoryBytes,
    indexes: indexes.bytes,
    codebook: indexes.latents?.codebook.bytes ?? 0,
    ranker: config.forest?.bytes ?? 0,
    floors: floors.bytes,
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
    ...floors.sizes,
    bytes,
    memory: Object.values(memoryParts).reduce((sum, bytes) => sum + bytes, 0),
    memoryParts,
    shards: { threads: scanPool?.threads ?? 0, episodes: scanPool?.episodes ?? 0 },
    ...(room && { room }),
    durability,
    durabilityReason,
    storage: name,
    role: 'owner',
    kernel: kernel.name,
    codebook: indexes.latents?.codebook.id ?? 'none',
    ...(pending && { codebookPending: pending }),
    ranker: config.forest?.name ?? 'fusion',
    ...(encoding && { encoder: encoding.stats }),
    ...(progress && { loading: progress }),
    opening: [
      ...opening,
      ...config.opening,
      ...signatureLoader.events,
      ...(codebookArrival?.events ?? []),
      ...compactionSchedule.events,
    ],
  }
}
