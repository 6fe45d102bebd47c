import type { AgidbError } from '../../base/errors.js'
import { graphError, type GraphPart } from '../../base/graph-error.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import type { Scored } from '../ranking/ranking.js'
import { type Bring, bring, type Brought } from './bring.js'
import { type Led, liftByGraph, type WalkWeights } from './lift.js'
import { AssociationError, type Associations, readable } from './links.js'

/** Loads what callers strengthened of associations; `undefined` where there is nothing. */
export type LoadAssociations = () => Promise<Associations | undefined>

/** A walk over graphs for one question. */
export interface Walk {
  /** Brings what is associated with the best candidates. */
  readonly bring: Bring
  /** Lifts ranked candidates, best first. */
  readonly lift: (candidates: CandidateSet, ranked: readonly Scored[]) => readonly Led[]
  /** Present once a graph failed while candidates were lifted: what is to be asked in its place. */
  readonly instead?: { readonly walk: WalkWeights | undefined }
}

/**
 * Walks for one question over all graphs; over associations only as far as the weight of associations is above 0.
 *
 * @param strengthened loads the associations. Absent: there are none.
 * @param failed told of each graph that fails.
 */
export async function walkOver(
  weights: WalkWeights,
  strengthened: LoadAssociations | undefined,
  failed: ((error: AgidbError) => void) | undefined,
): Promise<Walk> {
  const told = (part: GraphPart, error: unknown) => failed?.(graphError(part, error))
  let associations: Associations | undefined
  try {
    if (weights.association > 0 && weights.pageRank > 0) associations = readable(await strengthened?.())
  } catch (error) {
    told('association', error)
  }
  let brought: Brought | undefined
  let instead: Walk['instead']
  return {
    get instead() {
      return instead
    },
    async bring(...asked) {
      brought = undefined
      if (associations === undefined) return undefined
      try {
        brought = await bring(associations, ...asked)
        return brought?.candidates
      } catch (error) {
        if (!(error instanceof AssociationError)) throw error
        told('association', error.cause)
        associations = undefined
        return undefined
      }
    },
    lift(candidates, ranked) {
      try {
        return liftByGraph(candidates, ranked, weights, associations, brought)
      } catch (error) {
        const isAssociation = error instanceof AssociationError
        told(isAssociation ? 'association' : 'entity', isAssociation ? error.cause : error)
        instead = { walk: isAssociation ? { ...weights, association: 0 } : undefined }
        return ranked
      }
    },
  }
}
