import type { AttentionCandidate, Match } from '../../api/recall.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Selection, SelectionOptions } from './selection.js'
import type { Confidence } from './confidence.js'
import type { Scored } from '../ranking/ranking.js'

/** Of candidates that nothing was read of: the bound that their confidence keeps to. */
const UNREAD = 'similarity'

/**
 * Every candidate that was considered, the ranked ones first, kept or not.
 *
 * @param dropped those that did not come as far as being ranked, by what the unlearned fusion makes of them.
 */
export function traced(
  indexes: Indexes,
  ranked: readonly Scored[],
  dropped: readonly Scored[],
  { kept: chosen, refused, folded }: Selection,
  matches: readonly Match[],
  wanted: Pick<SelectionOptions, 'k' | 'tierFloor'> & { readonly minConfidence: number },
  confidence: Confidence,
): AttentionCandidate[] {
  const kept = new Map(matches.map((match) => [match.id, match]))
  const unsure = new Set(chosen.filter(({ episode }) => !kept.has(episode.id)).map(({ found }) => found.slot))
  const why = ({ slot }: Scored): Pick<AttentionCandidate, 'rejection' | 'foldedInto'> => {
    const foldedInto = folded.get(slot)
    if (foldedInto !== undefined) {
      const live = indexes.catalog.slot(foldedInto) !== undefined
      return { rejection: 'near-duplicate of a better match', ...(live && { foldedInto }) }
    }
    const tier = refused.get(slot)
    if (unsure.has(slot)) return { rejection: `its confidence is under the minimum ${wanted.minConfidence}` }
    return {
      rejection:
        tier === undefined ? `below the best ${wanted.k}` : `tier ${tier} is under the floor ${wanted.tierFloor}`,
    }
  }
  const candidates: AttentionCandidate[] = []
  const add = (found: Scored, rank: number, reason: (found: Scored) => object) => {
    const id = indexes.catalog.id(found.slot)
    if (id === undefined) return // it went away meanwhile
    const match = kept.get(id)
    candidates.push({
      id,
      signals: match?.signals ?? found.signals(),
      score: found.score,
      confidence: match?.confidence ?? confidence(found, rank, refused.get(found.slot) ?? UNREAD),
      retained: match !== undefined,
      ...(match === undefined && reason(found)),
    })
  }
  ranked.forEach((found, rank) => add(found, rank, why))
  dropped.forEach((found, i) => add(found, ranked.length + i, () => ({ rejection: 'not among the shortlist' })))
  return candidates
}
