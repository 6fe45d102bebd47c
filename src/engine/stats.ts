import type { Stats } from '../api/agidb.js'
import type { Compacting } from '../maintenance/compaction-schedule.js'
import type { Encoding } from '../maintenance/encode-latents.js'
import type { Mind } from '../memory/memory.js'
import type { Workings } from './context.js'

/**
 * What `stats()` answers.
 *
 * @param traces bytes of memory that those of recalls take.
 */
export async function statsOf(
  { indexes, storage, writer, setting, loading, arrival }: Workings,
  mind: Mind,
  traces: number,
  encoding: Encoding | undefined,
  compacting: Compacting,
): Promise<Stats> {
  const { catalog, concepts, postings, kernel } = indexes
  const { name, bytes, memory: stored = 0, durability, durabilityReason, opening, room } = await storage.stats()
  const { shards, signers } = setting
  const { progress } = loading
  const pending = arrival?.pending
  const memoryParts = {
    kernel: kernel.memoryBytes,
    indexes: indexes.bytes,
    codebook: indexes.latents?.codebook.bytes ?? 0,
    ranker: setting.forest?.bytes ?? 0,
    floors: mind.bytes + traces,
    storage: stored + writer.bytes,
    shards: shards?.bytes ?? 0,
    signers: signers?.bytes ?? 0,
  }
  return {
    episodes: catalog.size,
    sessions: catalog.sessions.size,
    speakers: catalog.speakers.size,
    concepts: concepts.size,
    terms: postings.terms,
    ...mind.sizes,
    bytes,
    memory: Object.values(memoryParts).reduce((sum, bytes) => sum + bytes, 0),
    memoryParts,
    shards: { threads: shards?.threads ?? 0, episodes: shards?.episodes ?? 0 },
    ...(room && { room }),
    durability,
    durabilityReason,
    storage: name,
    role: 'owner',
    kernel: kernel.name,
    codebook: indexes.latents?.codebook.id ?? 'none',
    ...(pending && { codebookPending: pending }),
    ranker: setting.forest?.name ?? 'fusion',
    ...(encoding && { encoder: encoding.stats }),
    ...(progress && { loading: progress }),
    opening: [...opening, ...setting.opening, ...loading.events, ...(arrival?.events ?? []), ...compacting.events],
  }
}
