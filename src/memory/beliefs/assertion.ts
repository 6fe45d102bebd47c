import { type BeliefId } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import type { BeliefTable } from './projection.js'
import type { NewEvent } from '../../records/event-log.js'
import { repetition } from './repetition.js'
import type { RelevantItems } from '../relevant-items.js'
import { type Compared } from './verdict.js'

/** A checked assertion. */
export interface Assertion extends Compared {
  /** Absent where the caller gives none. */
  readonly confidence?: number
  readonly evidence: readonly EpisodeId[]
}

/** What is known of the evidence of an assertion. */
export interface Grounds {
  /** In the order of the evidence. */
  readonly trust: readonly number[]
  /** What of it had ended already. */
  readonly superseded: readonly EpisodeId[]
}

/**
 * The belief that an assertion makes again, and what it adds to its log: `undefined` where none that is held says the
 * same of a time that includes that of the assertion.
 */
export async function again(
  table: BeliefTable,
  bearing: RelevantItems,
  given: Assertion,
  grounds: Grounds,
  now: number,
): Promise<{ readonly id: BeliefId; readonly events: readonly NewEvent[] } | undefined> {
  for (const held of await bearing.beside(given, now)) {
    const belief = table.stands(held, { now })
    if (belief === undefined || belief.withdrawn !== undefined) continue
    const includes = Date.parse(belief.validFrom) <= Date.parse(given.validFrom) && belief.validTo === given.validTo
    if (!includes || !bearing.saysTheSame(belief, given)) continue
    const { evidence, confidence } = given
    const isCounted = (episode: EpisodeId) =>
      held.log.some(
        (entry) =>
          entry.counted.some((counted) => counted.episode === episode) && table.fate(episode, entry) !== undefined,
      )
    const fresh = { evidence: evidence.filter((episode) => !isCounted(episode)), confidence }
    const trustOf = (episode: EpisodeId) => grounds.trust[evidence.indexOf(episode)]
    const revised = { id: held.id, confidence: belief.confidence, next: held.log.length }
    return { id: held.id, events: repetition(revised, fresh, { ...grounds, trustOf }, now) }
  }
  return undefined
}
