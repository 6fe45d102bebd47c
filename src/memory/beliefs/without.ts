import type { EpisodeId } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { IsGone } from '../projection.js'
import { effectiveOf, type Episodes, type StoredBelief } from './effective.js'
import type { HeldBeliefs } from './held-beliefs.js'

/**
 * The events of beliefs as they are stored once some episodes will never come back: what differs, `undefined` for what
 * is not stored any more. All other episodes that events name count as there, whether they are or not, so that those
 * that are only forgotten can still come back.
 */
export function withoutEpisodes(
  { table, episodes }: HeldBeliefs,
  isGone: IsGone,
): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
  const instead = new Map<LearningEvent, LearningEvent | undefined>()
  const left = others(episodes, isGone)
  for (const id of table.ids()) {
    const { stored } = table.stored(id)!
    if (!eventsOf(stored).some(({ event, slot }) => named(event).some((one) => isGone(one, slot)))) continue
    for (const [event, other] of changesOf(stored, left, isGone)) instead.set(event, other)
  }
  return instead
}

function changesOf(
  stored: StoredBelief,
  left: Episodes,
  isGone: IsGone,
): Map<LearningEvent, LearningEvent | undefined> {
  const { held, told, before } = effectiveOf(stored, left)
  const all = eventsOf(stored)
  if (held === undefined) return new Map(all.map(({ event }) => [event, undefined]))
  const changes = new Map<LearningEvent, LearningEvent | undefined>(before.map((event) => [event, undefined]))
  for (const { event, slot } of all) {
    const other = told.get(event)
    if (other !== undefined) changes.set(event, 'rederived' in event ? ({ ...other, rederived: true } as never) : other)
    else if (told.has(event) && named(event).some((one) => isGone(one, slot))) changes.set(event, undefined)
  }
  return changes
}

function eventsOf({ assertion, events }: StoredBelief) {
  return assertion === undefined ? events : [assertion, ...events]
}

/** The episodes that an event of a belief names. */
function named(event: StoredBelief['events'][number]['event'] | LearningEvent<'beliefAsserted'>): readonly EpisodeId[] {
  if ('evidence' in event) return event.evidence
  return event.revision.evidence === undefined ? [] : [event.revision.evidence]
}

/** All episodes that were ever there but for those that are gone. */
function others({ slotOf, fateOf }: Episodes, isGone: IsGone): Episodes {
  return {
    // An episode that is forgotten came before its event; just before it, where the event followed from it.
    slotOf: (episode, before) => (isGone(episode, before) ? undefined : (slotOf(episode, before) ?? before - 1)),
    // An end that is forgotten can come back as well.
    hadEnded: (_, __, ___, stored) => stored,
    fateOf: (episode, before, known) =>
      isGone(episode, before) ? undefined : (fateOf(episode, before, known) ?? { endsAt: Infinity, knownAt: Infinity }),
  }
}
