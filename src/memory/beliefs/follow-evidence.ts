import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Episode } from '../../api/episode.js'
import type { BeliefTable } from './projection.js'
import type { NewEvent } from '../../records/event-log.js'
import type { Standing } from './standing.js'
import type { RelevantItems, RelevantItem } from '../relevant-items.js'
import { type Drafted, flag, revise } from './revisions.js'
import type { SourceTrust } from './source-trust.js'
import type { Finding } from './verdict.js'

/** Why an episode is flagged rather than weighed. */
export const UNCLEAR = {
  both: 'it says both that it is so and that it is not',
  begins: 'a sentence begins as the belief does and goes on in another way',
  earlier: 'it says otherwise, but of a time before the belief begins',
} as const

/** A belief as the episodes of one commit that were looked at so far leave it. */
export interface State {
  readonly belief: Standing
  confidence: number
  next: number
  supports: number
  withdrawn: boolean
}

/**
 * What new episodes do to the beliefs on which they bear: revised where a statement or a sentence is clear, flagged
 * where it is not. It asks no language model. A belief that rests on as many episodes as evidence may have takes no
 * further support.
 */
export async function follow(
  episodes: readonly Episode[],
  table: BeliefTable,
  bearing: RelevantItems,
  trust: SourceTrust,
  now: number,
): Promise<NewEvent[]> {
  const states = new Map<string, State>()
  const events: NewEvent[] = []
  for (const episode of episodes) {
    for (const borne of await bearing.on(episode, { now })) {
      const state = states.get(borne.held.id) ?? begin(table, borne, now)
      states.set(borne.held.id, state)
      if (state.withdrawn) continue
      const finding = await bearing.verdict(state.belief, episode, { now })
      const drafted = draft(state, borne, episode, finding, trust(episode.source), now)
      if (drafted === undefined) continue
      events.push(...drafted.events)
      state.confidence = drafted.report.after
      state.next += drafted.events.length
      state.withdrawn = drafted.report.withdrawn
      if (drafted.report.revision.verdict === 'supports') state.supports++
    }
  }
  return events
}

function begin(table: BeliefTable, { held }: RelevantItem, now: number): State {
  const belief = table.stands(held, { now })!
  const { confidence, evidence, withdrawn } = belief
  return { belief, confidence, next: held.log.length, supports: evidence.length, withdrawn: withdrawn !== undefined }
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
