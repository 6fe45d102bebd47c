import type { AtomId } from './atom.js'
import type { EpisodeId, TimeInput } from './episode.js'
import type { GoalChange, GoalId } from './goal.js'
import type { BeliefId, BeliefRevision } from './belief.js'
import type { LearningEventId, LearningKind } from './learning.js'
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
       * The ten atoms that the self-vector at the end of the time is most like, best first, with their
       * `selfSimilarity`.
       */
      readonly atoms: readonly { readonly atom: AtomId; readonly statement: string; readonly similarity: number }[]
    })
