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

/** {@link Bring} by some associations. */
export async function bring(
  candidates: CandidateSet,
  associations: Associations,
  ...[mask, around, look]: Parameters<Bring> extends [unknown, ...infer Rest] ? Rest : never
): Promise<CandidateSet | undefined> {
  const { slots, rows, rowOf, own } = candidates
  const evidence = subset(own, rows)
  const strengths = new Map<number, number>()
  for (const i of strongest(evidence, FROM)) {
    const near = associations.neighbours(slots[i])
    near.slots.forEach((slot, at) => {
      if (mask !== undefined && !hasBit(mask, slot)) return
      const strength = evidence[i] * Math.min(1, near.weights[at])
      if (strength > (strengths.get(slot) ?? 0)) strengths.set(slot, strength)
    })
  }
  const brought = [...strengths].sort(([a, one], [b, other]) => other - one || a - b).slice(0, BROUGHT)
  if (brought.length === 0) return undefined
  const known = new Set(slots)
  const added = brought.map(([slot]) => slot).filter((slot) => !known.has(slot))
  const all = Uint32Array.from([...slots, ...added]).sort()
  const wider = added.length === 0 ? candidates : await look(candidates, gather(all, around, FUSED_REACH, rowOf))
  return { ...wider, leads: new Map<number, unknown>([...(candidates.leads ?? []), ...brought]) }
}
