import type { BeliefCandidate, CandidateQuery, Concept, ConceptId, ConceptQuery, ConceptSummary } from '../concept.js'
import type { Registration } from './method.js'

/** The methods that are about concepts: docs/concepts.md. */
export interface ConceptMethods {
  /**
   * What episodes name, those that most episodes name first.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`, `AGIDB_TOO_LARGE` or `AGIDB_UNKNOWN_OPTION` on a
   * wrong query
   */
  concepts(query?: ConceptQuery): Promise<ConceptSummary[]>
  /**
   * Everything about a concept: what is true of it and what was, beliefs, goals, episodes and neighbours.
   *
   * @param nameOrId any of its names, or the id of one.
   * @returns `undefined` where no episode names it
   * @throws AgidbError `AGIDB_INVALID_TEXT` or `AGIDB_TOO_LARGE` on a wrong name
   */
  concept(nameOrId: string): Promise<Concept | undefined>
  /**
   * Makes two names one concept, until `split` takes them apart. Nothing is stored where they are one already.
   *
   * @returns the id of the concept
   * @throws AgidbError `AGIDB_INVALID_TEXT` or `AGIDB_TOO_LARGE` on a wrong name
   */
  alias(name: string, other: string): Promise<ConceptId>
  /**
   * Takes names out of a concept; they are a concept of their own from then on. Whatever episodes say later does not
   * put them together again; `alias` does.
   *
   * @param nameOrId any name of the concept, or the id of one.
   * @param names those that are taken out: names of the concept, but not all.
   * @returns the id of the concept of these names
   * @throws AgidbError `AGIDB_NOT_FOUND` where no episode names the concept, `AGIDB_INVALID_ARGUMENT` for a name that
   * is not one of its names, and for all of them
   */
  split(nameOrId: string, names: readonly string[]): Promise<ConceptId>
  /**
   * The statements that are true now, are well supported, and about which nothing is believed, the surest first.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT` or `AGIDB_UNKNOWN_OPTION` on a wrong query
   */
  beliefCandidates(query?: CandidateQuery): Promise<BeliefCandidate[]>
}

export const conceptMethods: Registration<ConceptMethods> = {
  concepts: { effect: 'reads' },
  concept: { effect: 'reads' },
  alias: { effect: 'writes' },
  split: { effect: 'writes' },
  beliefCandidates: { effect: 'reads' },
}
