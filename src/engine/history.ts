import { checkId } from '../api/check.js'
import type { Episode, EpisodeId, EpisodeVersion } from '../api/episode.js'
import type { Versions } from '../memory/episodes/versions.js'
import { decodeEpisode } from '../records/kinds/episode.js'
import { versionKind } from '../records/kinds/version.js'
import { liveSlot } from '../write/writer.js'
import type { EngineContext } from './context.js'

/**
 * What an episode said, oldest first; the last is what it says now.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND`
 */
export async function historyOf(
  { indexes, storage, config, writer }: EngineContext,
  versions: Versions,
  id: EpisodeId,
): Promise<EpisodeVersion[]> {
  checkId('id', id, config.limits)
  // No update may come between what is kept and what is said now.
  const rows = await writer.still(() =>
    storage.rows.get([liveSlot(indexes, id), ...versions.of(id).map(({ slot }) => slot)]),
  )
  const [now, ...before] = rows.map((row) => row!)
  const kept = before
    .map((row) => versionKind.decode(row))
    .sort((a, b) => a.number - b.number)
    .map(
      ({ number, replacedAt, content }): EpisodeVersion => ({
        version: number,
        from: content.updatedAt ?? content.recordedAt,
        to: replacedAt,
        episode: withoutGone(content, (by) => indexes.catalog.slot(by) === undefined),
      }),
    )
  const episode = decodeEpisode(now)
  return [...kept, { version: episode.version ?? 1, from: episode.updatedAt ?? episode.recordedAt, episode }]
}

/** What an episode said, without what superseded it where that is forgotten. */
function withoutGone(episode: Episode, isGone: (id: EpisodeId) => boolean): Episode {
  const { superseded, ...rest } = episode
  return superseded !== undefined && isGone(superseded.by) ? rest : episode
}
