import type { EpisodeId, Provenance } from '../api/episode.js'

/** The provenance of an episode: where it came from, who wrote it, and that it rests on itself. */
export function provenanceOf(
  { id, source, session }: { id: EpisodeId; source?: string; session?: string },
  writer: string,
): Provenance {
  const where: { source?: string; session?: string } = {}
  if (source !== undefined) where.source = source
  if (session !== undefined) where.session = session
  return { ...where, writer, episodes: [id] }
}
