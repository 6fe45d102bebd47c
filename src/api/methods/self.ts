import type { AtomId } from '../atom.js'
import type { BeliefId } from '../belief.js'
import type { EpisodeId, TimeInput } from '../episode.js'
import type { Introspection, IntrospectionQuery } from '../introspection.js'
import type { LearningEvent, LearningQuery } from '../learning.js'
import type { Registration } from './method.js'

/** The methods of floor 7, but `attentionTrace`. */
export interface SelfMethods {
  /** What was learned from a time on, in the order in which it was. */
  whatDidILearn(since: TimeInput, query?: LearningQuery): Promise<LearningEvent[]>
  /**
   * What kind of agent this is: 1,024 bytes, the signs of a slowly moving mean over what was consolidated. Before the
   * first consolidation the fixed hypervector that ties take.
   */
  selfVector(): Promise<Uint8Array>
  /** What it was at a time. */
  selfVectorAt(time: TimeInput): Promise<Uint8Array>
  /**
   * How like what was consolidated something is: 1 for the self-vector itself, 0 for what has nothing to do with it
   * (with a standard deviation of .011), −1 for its contrary; 0 before the first consolidation.
   *
   * @param textOrId the id of an episode, belief or atom that is there, or else a text.
   * @throws AgidbError `AGIDB_INVALID_TEXT`, `AGIDB_INVALID_ARGUMENT` or `AGIDB_TOO_LARGE`
   */
  selfSimilarity(textOrId: EpisodeId | BeliefId | AtomId | string): Promise<number>
  introspect(query: IntrospectionQuery): Promise<Introspection>
}

export const selfMethods: Registration<SelfMethods> = {
  whatDidILearn: { effect: 'reads' },
  selfVector: { effect: 'reads' },
  selfVectorAt: { effect: 'reads' },
  selfSimilarity: { effect: 'reads' },
  introspect: { effect: 'reads' },
}
