import type { EpisodeId } from '../../api/episode.js'
import type { Recall, Tier } from '../../api/recall.js'
import { hasBit } from '../../base/bits.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Confidence } from '../answer/confidence.js'
import type { Scored } from '../ranking/ranking.js'
import { reaches } from '../answer/tiers.js'

/**
 * Episodes on which beliefs and atoms rest that bear on a cue, each with how likely that belief or atom is right and
 * what the cue asks for, 0 to 1: of several the highest, since they may say the same.
 */
export type Resting = ReadonlyMap<EpisodeId, number>

/** Episodes of one belief or atom that become candidates, at most: the newest. */
const MOST_EACH = 100

/** What beliefs and atoms that bear on a cue say of the episodes that they rest on. */
export function restingOn({ beliefs, semanticAtoms }: Pick<Recall, 'beliefs' | 'semanticAtoms'>): Resting {
  const resting = new Map<EpisodeId, number>()
  const add = (episodes: readonly EpisodeId[], strength: number) => {
    for (const id of episodes.slice(-MOST_EACH)) resting.set(id, Math.max(strength, resting.get(id) ?? 0))
  }
  for (const { evidence, confidence, relevance } of beliefs) add(evidence, confidence * relevance)
  for (const { provenance, confidence, relevance } of semanticAtoms) add(provenance.episodes, confidence * relevance)
  return resting
}

/** The same by slot, of the episodes that the question may see. @param mask the visible slots; absent: all. */
export function restingSlots(
  { catalog }: Indexes,
  resting: Resting | undefined,
  mask: Uint32Array | undefined,
): ReadonlyMap<number, number> {
  const slots = new Map<number, number>()
  for (const [id, strength] of resting ?? []) {
    const slot = catalog.slot(id)
    if (slot !== undefined && strength > 0 && (mask === undefined || hasBit(mask, slot))) slots.set(slot, strength)
  }
  return slots
}

/** Something that bears on the cue rests on it: that is more than likeness by chance. */
export function tierResting(tier: Tier, { rests }: Scored): Tier {
  return rests > 0 && !reaches(tier, 'similarity') ? 'similarity' : tier
}

/**
 * The confidence with what rests on a candidate: it is what was asked for if its own words say so, or if what rests on
 * it does (noisy or, Pearl 1988).
 */
export function confidenceResting(confidence: Confidence): Confidence {
  return (found, rank, tier, fit) => {
    const own = confidence(found, rank, tier, fit)
    return found.rests === 0 ? own : 1 - (1 - own) * (1 - found.rests)
  }
}
