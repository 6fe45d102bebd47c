import type { BeliefId } from '../../api/belief.js'
import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { LearningEvent } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { turn } from '../../base/event-loop-turn.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import type { OwnAssertion, OwnBeliefs } from './own-beliefs.js'
import type { HeldBeliefs } from './held-beliefs.js'
import type { NewEvent } from '../../records/event-log.js'
import { assertion, type Entry, type Fate, type Held, revising, type Standing } from './standing.js'
import type { RelevantItem } from '../relevant-items.js'
import { type Drafted, flag, revise } from './revisions.js'
import { endOf, type Finding } from './verdict.js'
import { LATER } from './later.js'

/** Why an episode is flagged rather than weighed. */
export const UNCLEAR = {
  both: 'it says both that it is so and that it is not',
  begins: 'a sentence begins as the belief does and goes on in another way',
  earlier: 'it says otherwise, but of a time before the belief begins',
} as const

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
export async function follow(beliefs: HeldBeliefs, episodes: readonly Episode[], now: number): Promise<NewEvent[]> {
  const { table, trust } = beliefs
  const bearing = await beliefs.bearing()
  const own = beliefs.hasOwn ? await beliefs.own() : undefined
  await own?.read(turn)
  const revised = new Map<BeliefId, Held>()
  /** Those that come to be believed by these episodes. */
  const fresh: Held[] = []
  const coming = new Map<EpisodeId, Fate>()
  const names: Triple[] = []
  const events: NewEvent[] = []
  for (const [i, episode] of episodes.entries()) {
    const endsAt = endOf(episode)
    coming.set(episode.id, { endsAt, knownAt: now })
    for (const one of await borneBy(beliefs, own, episode, fresh, names, now)) {
      const held = revised.get(one.held.id) ?? one.held
      const belief = table.stands(held, { now }, coming)!
      if (belief.withdrawn !== undefined) continue
      const isOwn = held.asserted.automatic !== undefined
      const finding = isOwn ? own!.verdict(belief, episode) : await bearing.verdict(belief, episode, { now }, names)
      const { confidence, evidence } = belief
      const state = { belief, confidence, next: held.log.length, supports: evidence.length }
      const drafted = draft(state, one, episode, finding, trust(episode.source), now)
      if (drafted === undefined) continue
      events.push(...drafted.events)
      revised.set(held.id, { ...held, log: [...held.log, ...drafted.events.map((event) => entryOf(event, now))] })
    }
    for (const event of (beliefs.believes ? own : undefined)?.drafted(episodes.slice(0, i + 1), (id) =>
      revised.has(id),
    ) ?? []) {
      events.push(event)
      fresh.push(heldOf(event))
    }
    if (Date.parse(episode.at) <= now && now < endsAt) names.push(...episode.triples.filter(isAlias))
  }
  return events
}

/** The beliefs on which an episode bears: those of callers, and the memory's own. */
async function borneBy(
  beliefs: HeldBeliefs,
  own: OwnBeliefs | undefined,
  episode: Episode,
  fresh: readonly Held[],
  names: readonly Triple[],
  now: number,
): Promise<RelevantItem[]> {
  const borne = await (await beliefs.bearing()).on(episode, { now }, names)
  const told = borne.filter(({ held }) => held.asserted.automatic === undefined)
  const others = [...fresh, ...(own?.on(episode) ?? []).map((id) => beliefs.table.find(id)!)]
  return [...told, ...others.map((held) => ({ held, isUnclear: false }))]
}

/** A belief of the memory's own that is not stored yet. */
function heldOf(event: OwnAssertion): Held {
  const asserted = { id: '', ...event }
  return { id: event.belief, place: LATER, asserted, log: [assertion(asserted, LATER)] }
}

/** The entry of an event that is not stored yet. */
function entryOf(event: Drafted['events'][number], now: number): Entry {
  return revising({ id: '', at: toIso(now), ...event } as LearningEvent<'beliefRevised' | 'beliefWithdrawn'>, LATER)
}

/** What an episode does to a belief that is in a state; `undefined` for nothing. */
export function draft(
  state: State,
  { held, isUnclear }: RelevantItem,
  episode: Episode,
  finding: Finding,
  trust: number,
  now: number,
): Drafted | undefined {
  const { belief, confidence, next, supports } = state
  // A flag on a belief of the memory itself is marked as automatic: it goes when the belief is another.
  const isOwn = held.asserted.automatic !== undefined
  const revised = { id: belief.id, confidence, next, ...(isOwn && { automatic: true as const }) }
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
