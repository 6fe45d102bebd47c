import type { WhyStep } from '../../api/graph.js'
import type { Tier } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Confidence } from '../answer/confidence.js'
import type { Scored } from '../ranking/ranking.js'
import type { Placed } from './lift.js'

/** What lies where the cue asks is more than merely near. */
export function tierInSequence(tier: Tier, { lead }: Placed): Tier {
  return tier === 'nearest' && lead !== undefined && lead.confidence > 0 ? 'gist' : tier
}

/**
 * The confidence with a place in time: a candidate is what was asked for if its own words say so, or if it lies where
 * the cue asks of the event that is meant (noisy or, Pearl 1988).
 */
export function confidenceInSequence(confidence: Confidence): Confidence {
  return (found: Scored & Pick<Placed, 'lead'>, rank, tier, fit) => {
    const own = confidence(found, rank, tier, fit)
    return found.lead === undefined ? own : 1 - (1 - own) * (1 - found.lead.strength * found.lead.confidence)
  }
}

/** The steps from the event to a candidate; `undefined` for one that has no lead, or whose event is gone. */
export function whyOf({ catalog }: Indexes, { lead }: Placed): WhyStep[] | undefined {
  if (lead?.way === undefined) return undefined
  const { slots, edge, weight } = lead.way
  const ids = slots.map((slot) => catalog.id(slot))
  if (ids.includes(undefined)) return undefined
  return ids.slice(1).map((to, i) => ({ from: ids[i]!, edge, weight, to: to! }))
}
