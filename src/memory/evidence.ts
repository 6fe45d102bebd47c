import type { Limits } from '../api/open-options.js'
import { checkId, checkList } from '../api/check.js'
import type { EpisodeId } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import type { Catalog } from '../indexes/catalog.js'

/** Checks a list of ids of episodes, and leaves out those that are named again. Absent: none. */
export function checkEvidence(what: string, evidence: readonly EpisodeId[] | undefined, limits: Limits): EpisodeId[] {
  if (evidence === undefined) return []
  const ids = checkList(what, evidence, limits, FIELD_LIMITS.belief.evidence)
  for (const [i, id] of ids.entries()) checkId(`${what}[${i}]`, id, limits)
  return [...new Set(ids)]
}

/** @throws AgidbError `AGIDB_NOT_FOUND` unless all of the episodes are there. */
export function expectEvidence(catalog: Catalog, evidence: readonly EpisodeId[]): void {
  for (const id of evidence) {
    if (catalog.slot(id) !== undefined) continue
    throw new AgidbError(
      'AGIDB_NOT_FOUND',
      `there is no episode with the id ${JSON.stringify(id)}, so it cannot be evidence`,
      { id },
    )
  }
}
