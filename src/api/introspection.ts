import type { AtomId } from './atom.js'
import type { EpisodeId, TimeInput } from './episode.js'
import type { GoalChange, GoalId } from './goal.js'
import type { BeliefId, BeliefRevision } from './belief.js'
import type { LearningEvent, LearningEventId, LearningKind, LearningQuery } from './learning.js'
import type { RecallId } from './recall.js'

/** What can be asked of the self-model. */
export type IntrospectionQuestion =
  | 'what did I learn'
  | 'what was I attending to'
  | 'what changed my mind'
  | 'which goals moved'
  | 'how much did I drift'
  | 'what am I most like'

/** A question about oneself, over a time. */
export interface IntrospectionQuery {
  readonly question: IntrospectionQuestion
  /** From this time on. Default: ever. */
  readonly since?: TimeInput
  /** Before this time, exclusive. Default: up to now. */
  readonly until?: TimeInput
  /** Only of this belief or goal. */
  readonly about?: BeliefId | GoalId
}

/** What the answers share: the time that they cover and the events that they rest on. */
interface Answer<Q extends IntrospectionQuestion> {
  readonly question: Q
  /** A sentence for people. */
  readonly summary: string
  /** The events that the answer was read from. */
  readonly events: readonly LearningEventId[]
}

/** The answer to each question. */
export type Introspection =
  | (Answer<'what did I learn'> & { readonly counts: Readonly<Partial<Record<LearningKind, number>>> })
  | (Answer<'what was I attending to'> & {
      readonly recalls: readonly {
        readonly recall: RecallId
        readonly at: string
        readonly cue: string
        readonly episodes: readonly EpisodeId[]
      }[]
    })
  | (Answer<'what changed my mind'> & {
      readonly beliefs: readonly {
        readonly belief: BeliefId
        readonly claim: string
        readonly revisions: readonly BeliefRevision[]
      }[]
    })
  | (Answer<'which goals moved'> & {
      readonly goals: readonly {
        readonly goal: GoalId
        readonly description: string
        readonly changes: readonly GoalChange[]
      }[]
    })
  | (Answer<'how much did I drift'> & {
      /** Bits in which the self-vector at the end differs from that at the start. */
      readonly bits: number
      readonly epochs: readonly { readonly epoch: number; readonly at: string; readonly drift: number }[]
    })
  | (Answer<'what am I most like'> & {
      /**
       * The ten atoms that the self-vector at the end of the time is most like, best first, with their {@link
       * SelfMethods.selfSimilarity}.
       */
      readonly atoms: readonly { readonly atom: AtomId; readonly statement: string; readonly similarity: number }[]
    })

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
