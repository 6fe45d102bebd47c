import { hasBit } from '../../base/bits.js'
import { type Gathered, gather } from '../candidates/gather.js'
import { FUSED_REACH, type NeighbourScores } from '../candidates/neighbours.js'
import { type CandidateSet, subset } from '../evidence/candidate-set.js'
import { strongest } from '../evidence/scale.js'
import type { Associations } from './links.js'

/** Candidates whose associations are followed: the best by their own evidence. */
const FROM = 10
/** How many become candidates, at most: those that are associated most with the best. */
const BROUGHT = 20

/**
 * The candidates with what is associated with the best of them, though no word and no signature finds it; `undefined`
 * where nothing is.
 *
 * @param mask the visible slots; absent: all.
 * @param look looks at some more slots.
 */
export type Bring = (
  candidates: CandidateSet,
  mask: Uint32Array | undefined,
  around: NeighbourScores,
  look: (candidates: CandidateSet, gathered: Gathered) => Promise<CandidateSet>,
) => Promise<CandidateSet | undefined>

/** Candidates with what was brought to them. */
export interface Brought {
  readonly candidates: CandidateSet
  /** All that is associated with the best. */
  readonly led: ReadonlySet<number>
  /** Those of them that were no candidates before. */
  readonly added: ReadonlySet<number>
}

/**
 * What {@link Bring} answers, by some associations. Where a cue asks for nothing but a time, no candidate has
 * evidence of its own, so that nothing is brought.
 */
export async function bring(
  associations: Associations,
  ...[candidates, mask, around, look]: Parameters<Bring>
): Promise<Brought | undefined> {
  const { indexes, slots, rows, rowOf, own } = candidates
  const evidence = subset(own, rows)
  const strengths = new Map<number, number>()
  for (const i of strongest(evidence, FROM)) {
    const near = associations.neighbours(slots[i])
    near.slots.forEach((slot, at) => {
      // What went since the associations were made is there no more.
      if (!indexes.catalog.has(slot) || (mask !== undefined && !hasBit(mask, slot))) return
      const strength = evidence[i] * Math.min(1, near.weights[at])
      if (strength > (strengths.get(slot) ?? 0)) strengths.set(slot, strength)
    })
  }
  const most = [...strengths].sort(([a, one], [b, other]) => other - one || a - b).slice(0, BROUGHT)
  if (most.length === 0) return undefined
  const known = new Set(slots)
  const led = new Set(most.map(([slot]) => slot))
  const added = new Set([...led].filter((slot) => !known.has(slot)))
  const all = Uint32Array.from([...slots, ...added]).sort()
  const wider = added.size === 0 ? candidates : await look(candidates, gather(all, around, FUSED_REACH, rowOf))
  const leads = new Map<number, unknown>([...(candidates.leads ?? []), ...most])
  return { candidates: { ...wider, leads }, led, added }
}
