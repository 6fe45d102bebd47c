import type { BeliefId } from '../../api/belief.js'
import type { Episode } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { Ordered } from '../../encoding/ontology.js'
import type { NewEvent } from '../../records/event-log.js'
import type { ChangedEpisode } from '../projection.js'
import type { Held, Standing } from './standing.js'
import type { Finding } from './verdict.js'

/** An assertion of the memory's own, which is not stored yet; its time is that of the episode that led to it. */
export type OwnAssertion = NewEvent<'beliefAsserted'> & Pick<LearningEvent, 'at'>

/** What the memory comes to believe by itself. */
export interface OwnBeliefs {
  /** Bytes of main memory, about. */
  readonly bytes: number
  /** Takes in what episodes state now. */
  read(breathe: () => Promise<void>): Promise<void>
  /** Has what the episodes of slots state be read anew before it is next asked for. */
  doubt(slots: Iterable<number>): void
  /** What the statements of an episode say of a belief of the memory's own. */
  verdict(belief: Standing, episode: Episode): Finding
  /** The beliefs of the memory's own of which an episode may say something. */
  on(episode: Episode): BeliefId[]
  /** The slots of the episodes that may say something of a belief of the memory's own, ascending. */
  slotsAbout(held: Held): number[]
  /**
   * The beliefs to which new episodes lead, one after the other.
   *
   * @param episodes the last of which is looked at; those before it are not stored yet either.
   * @param isBelieved whether a belief was asserted for one of those before it.
   */
  drafted(episodes: readonly Episode[], isBelieved: (id: BeliefId) => boolean): OwnAssertion[]
  /** The statements of which it may be believed something else now that episodes changed. */
  affected(changed: readonly ChangedEpisode[]): Ordered<string>[]
  /** The id of the belief in a statement: a function of what it says. */
  idOf(meant: Ordered<string>): BeliefId
  /** The assertion to which the episodes that are there would have led; `undefined` where they would have to none. */
  expected(meant: Ordered<string>): OwnAssertion | undefined
}
