import { invalid } from '../api/check.js'
import type { Episode, EpisodeId, TimeInput } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { toIso, toMillis } from '../api/time.js'

/**
 * The episode as it is once another has replaced it.
 *
 * @param get reads an episode as it is now.
 * @param at valid time at which `old` stops being true. Default: when `by` began, but not before `old` did.
 * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_INVALID_ARGUMENT` if `old` is already superseded, would supersede
 * itself, or would stop before it began.
 */
export async function supersede(
  get: (id: EpisodeId) => Promise<Episode | undefined>,
  id: EpisodeId,
  byId: EpisodeId,
  at: TimeInput | undefined,
  now: number,
): Promise<Episode> {
  const old = await existing(get, id)
  const by = await existing(get, byId)
  if (old.superseded !== undefined) {
    throw invalid(`episode ${id} is already superseded by ${old.superseded.by}; supersede that one instead`, {
      id,
      by: old.superseded.by,
    })
  }
  for (
    let next: Episode | undefined = by;
    next !== undefined;
    next = next.superseded && (await get(next.superseded.by))
  ) {
    if (next.id === id)
      throw invalid(`episode ${id} cannot be superseded by ${byId}, which it supersedes itself`, { id, by: byId })
  }
  const began = Date.parse(old.at)
  const ends = at === undefined ? Math.max(began, Date.parse(by.at)) : toMillis(at, 'at')
  if (ends < began)
    throw invalid(`at is ${toIso(ends)}, before episode ${id} began (${old.at}); give a time from then on`, {
      id,
      began: old.at,
    })
  return { ...old, superseded: { by: byId, at: toIso(ends), recordedAt: toIso(now) } }
}

async function existing(get: (id: EpisodeId) => Promise<Episode | undefined>, id: EpisodeId): Promise<Episode> {
  const episode = await get(id)
  if (episode === undefined)
    throw new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
  return episode
}
