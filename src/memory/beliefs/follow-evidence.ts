import type { BeliefId } from '../../api/belief.js'
import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { LearningEvent } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import type { BeliefTable } from './projection.js'
import type { NewEvent } from '../../records/event-log.js'
import { type Entry, type Fate, type Held, revising, type Standing } from './standing.js'
import type { RelevantItems, RelevantItem } from '../relevant-items.js'
import { type Drafted, flag, revise } from './revisions.js'
import type { SourceTrust } from './source-trust.js'
import { endOf, type Finding } from './verdict.js'

/** Why an episode is flagged rather than weighed. */
export const UNCLEAR = {
  both: 'it says both that it is so and that it is not',
  begins: 'a sentence begins as the belief does and goes on in another way',
  earlier: 'it says otherwise, but of a time before the belief begins',
} as const

/** Larger than any slot: events that are not stored yet come after all others. */
const LATER = 2 ** 40

/** A belief that an episode may change. */
export interface State {
  readonly belief: Standing
  readonly confidence: number
  /** The number of its next revision. */
  readonly next: number
  /** Episodes that support it. */
  readonly supports: number
}

/**
 * What new episodes do to the beliefs on which they bear: revised where a statement or a sentence is clear, flagged
 * where it is not. It asks no language model. A belief that rests on as many episodes as evidence may have takes no
 * further support. Episodes of one commit do what they would do one after the other.
 */
export async function follow(
  episodes: readonly Episode[],
  table: BeliefTable,
  bearing: RelevantItems,
  trust: SourceTrust,
  now: number,
): Promise<NewEvent[]> {
  const revised = new Map<BeliefId, Held>()
  const coming = new Map<EpisodeId, Fate>()
  const names: Triple[] = []
  const events: NewEvent[] = []
  for (const episode of episodes) {
    const endsAt = endOf(episode)
    coming.set(episode.id, { endsAt, knownAt: now })
    for (const borne of await bearing.on(episode, { now }, names)) {
      const held = revised.get(borne.held.id) ?? borne.held
      const belief = table.stands(held, { now }, coming)!
      if (belief.withdrawn !== undefined) continue
      const finding = await bearing.verdict(belief, episode, { now }, names)
      const { confidence, evidence } = belief
      const state = { belief, confidence, next: held.log.length, supports: evidence.length }
      const drafted = draft(state, borne, episode, finding, trust(episode.source), now)
      if (drafted === undefined) continue
      events.push(...drafted.events)
      revised.set(held.id, { ...held, log: [...held.log, ...drafted.events.map((event) => entryOf(event, now))] })
    }
    if (Date.parse(episode.at) <= now && now < endsAt) names.push(...episode.triples.filter(isAlias))
  }
  return events
}

/** The entry of an event that is not stored yet. */
function entryOf(event: Drafted['events'][number], now: number): Entry {
  return revising({ id: '', at: toIso(now), ...event } as LearningEvent<'beliefRevised' | 'beliefWithdrawn'>, LATER)
}

/** What an episode does to a belief that is in a state; `undefined` for nothing. */
export function draft(
  state: State,
  { isUnclear }: RelevantItem,
  episode: Episode,
  finding: Finding,
  trust: number,
  now: number,
): Drafted | undefined {
  const { belief, confidence, next, supports } = state
  const revised = { id: belief.id, confidence, next }
  if (finding === 'both') return flag(revised, episode.id, UNCLEAR.both, now)
  if (finding === undefined) return isUnclear ? flag(revised, episode.id, UNCLEAR.begins, now) : undefined
  const { verdict } = finding
  if (verdict === 'neutral' || (verdict === 'supports' && supports >= FIELD_LIMITS.belief.evidence.items))
    return undefined
  // What was so before may have changed since, as far as it tells.
  const isEarlier = Date.parse(episode.at) < Date.parse(belief.validFrom)
  if (verdict === 'contradicts' && isEarlier) return flag(revised, episode.id, UNCLEAR.earlier, now)
  return revise(revised, episode, { ...finding, trust, automatic: true }, now)
}
