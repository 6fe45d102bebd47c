import type { Catalog } from '../../indexes/catalog.js'
import type { Led } from '../graph/lift.js'
import type { Lead, Sequence } from './sequence.js'

/** A candidate with what its place in time made of its score. */
export interface Placed extends Led {
  /** Absent where its place says nothing. */
  readonly lead?: Lead
}

/** From how many of the best on a score is ordinary: between it and the best lies what scores differ by. */
const ORDINARY = 10
/** How far above the best a candidate comes that has the place that is asked for, in parts of that difference. */
const ABOVE = 0.5
/** Of the first or last: from which part of the best score on a candidate matches, and what its turn counts. */
const MATCHING = 0.5
const TURN = 0.3

/**
 * Lifts candidates by their place in time: each as far towards the best, and beyond it, as its lead is strong. Best
 * first, ties by slot.
 *
 * @param ranked best first.
 */
export function liftBySequence(catalog: Catalog, ranked: readonly Led[], { leads, ordinal }: Sequence): Placed[] {
  if (ranked.length === 0) return []
  const best = ranked[0].score
  const spread = best - ranked[Math.min(ORDINARY, ranked.length) - 1].score
  const given = ordinal === undefined ? leads : inTurn(catalog, ranked, ordinal, best, spread)
  return ranked
    .map((found): Placed => {
      const lead = given.get(found.slot)
      if (lead === undefined) return found
      const missing = 1 - lead.strength
      const sequence = (1 - missing * missing) * (best + ABOVE * spread - found.score)
      return {
        ...found,
        lead,
        score: found.score + sequence,
        signals: () => ({ ...found.signals(), sequence }),
      }
    })
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
}

/** Of the candidates that match about as well as the best, each by how early or late it is among them. */
function inTurn(
  catalog: Catalog,
  ranked: readonly Led[],
  ordinal: 'first' | 'last',
  best: number,
  spread: number,
): Map<number, Lead> {
  const least = best - MATCHING * spread
  const time = ({ slot }: Led) => catalog.validFrom(slot)
  const sign = ordinal === 'first' ? 1 : -1
  const turns = ranked
    .filter(({ score }) => score >= least)
    .sort((a, b) => sign * (time(a) - time(b) || a.slot - b.slot))
  const leads = new Map<number, Lead>()
  let strength = TURN
  for (const { slot } of turns) {
    leads.set(slot, { strength, confidence: 0 })
    strength *= TURN
  }
  return leads
}
