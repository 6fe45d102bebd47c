import type {
  Belief,
  BeliefChange,
  BeliefId,
  BeliefOptions,
  BeliefRevision,
  FoundBelief,
  NewBelief,
  RevisionReport,
} from '../belief.js'
import type { EpisodeId } from '../episode.js'
import type { Registration } from './method.js'

/** The methods of floor 6 that are about beliefs. */
export interface BeliefMethods {
  /**
   * Holds a claim to be true. A claim that is held already, of a time that includes this one, stays one belief, whose
   * id is answered: evidence that is new to it supports it by Bayes' rule, and raises it at least to the confidence
   * that is given. Without new evidence the confidence that is given takes the place of the old one.
   */
  assertBelief(belief: NewBelief): Promise<BeliefId>
  /**
   * Updates the confidence by an episode. An episode that changed the belief when it was observed is not weighed again:
   * the answer is what it did then. Throws `AGIDB_BELIEF_WITHDRAWN` for a belief that was withdrawn, and
   * `AGIDB_INVALID_ARGUMENT` for an episode that was counted before by a call.
   */
  reviseBelief(id: BeliefId, evidenceId: EpisodeId): Promise<RevisionReport>
  /**
   * Updates all beliefs on which an episode bears: those about the subject of one of its triples by the same relation,
   * and those whose claim or statement one of its sentences says, denies or begins. Answers for each, in the order in
   * which they were asserted, what this episode did to it, now or before. Where it is not clear, `decideRevision`
   * decides, and without it the belief is flagged. Throws `AGIDB_NOT_FOUND`.
   */
  reviseBeliefs(episodeId: EpisodeId): Promise<BeliefChange[]>
  /**
   * What is believed about a concept, one of its other names, or something like it; that about the concept first,
   * surest first.
   */
  whatDoIBelieve(about: string, options?: BeliefOptions): Promise<FoundBelief[]>
  /** All that became of a belief, the assertion first. Throws `AGIDB_NOT_FOUND`. */
  beliefHistory(id: BeliefId): Promise<BeliefRevision[]>
  /** Takes a belief out of all answers; its history stays. */
  withdrawBelief(id: BeliefId, reason: string): Promise<void>
  getBelief(id: BeliefId): Promise<Belief | undefined>
}

export const beliefMethods: Registration<BeliefMethods> = {
  assertBelief: { effect: 'writes' },
  reviseBelief: { effect: 'writes' },
  reviseBeliefs: { effect: 'writes' },
  whatDoIBelieve: { effect: 'reads' },
  beliefHistory: { effect: 'reads' },
  withdrawBelief: { effect: 'writes' },
  getBelief: { effect: 'reads' },
}
