import type { Limits } from '../api/open-options.js'
import { checkId, checkList } from '../api/check.js'
import type { EpisodeId } from '../api/episode.js'
import type { LearningEvent } from '../api/learning.js'
import type { Logged } from '../records/event-log.js'
import { AgidbError } from '../base/errors.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import type { IsGone } from './projection.js'
import type { Catalog } from '../indexes/catalog.js'

/** The episodes of some that are not gone: the list itself where none is. */
export function present(episodes: readonly EpisodeId[], slot: number, isGone: IsGone): readonly EpisodeId[] {
  return episodes.some((id) => isGone(id, slot)) ? episodes.filter((id) => !isGone(id, slot)) : episodes
}

/**
 * Lists of a number and places in a list of ids, with the places that those left of the ids have; a list without any
 * goes.
 */
export function withPresent(
  lists: readonly (readonly number[])[],
  ids: readonly EpisodeId[],
  left: readonly EpisodeId[],
): number[][] {
  const place = new Map(left.map((id, i) => [id, i]))
  return lists.flatMap(([first, ...places]) => {
    const kept = places.map((at) => place.get(ids[at])).filter((at) => at !== undefined)
    return kept.length === 0 ? [] : [[first, ...kept]]
  })
}

/** The events that are told otherwise, or not at all, by how each is told. */
export function insteadOf(
  events: readonly Logged[],
  told: (event: LearningEvent, slot: number) => LearningEvent | undefined,
): Map<LearningEvent, LearningEvent | undefined> {
  const instead = new Map<LearningEvent, LearningEvent | undefined>()
  for (const { event, slot } of events) {
    const now = told(event, slot)
    if (now !== event) instead.set(event, now)
  }
  return instead
}

/** Tells of episodes that an event names whether they are gone: not there, or another one has taken the id since. */
export function goneFrom(catalog: Pick<Catalog, 'slot'>): IsGone {
  return (episode, before) => {
    const slot = catalog.slot(episode)
    return slot === undefined || slot >= before
  }
}

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
