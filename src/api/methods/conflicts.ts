import type { Conflict, ConflictOptions } from '../conflict.js'
import type { Registration } from './method.js'

/** The method that compares what is held to be true with itself. */
export interface ConflictMethods {
  /**
   * What is held to be true at once and cannot be: pairs of beliefs in the order in which they were asserted, then
   * pairs of semantic atoms that a consolidation found to contradict each other; then statements of episodes that a
   * newer one of a relation with one object at a time replaces, each with a proposal of what to supersede.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_INVALID_TEXT`, `AGIDB_INVALID_TIME` or `AGIDB_UNKNOWN_OPTION`
   * on wrong options
   */
  conflicts(options?: ConflictOptions): Promise<Conflict[]>
}

export const conflictMethods: Registration<ConflictMethods> = {
  conflicts: { effect: 'reads' },
}
