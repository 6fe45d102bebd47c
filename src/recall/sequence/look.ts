import { graphError } from '../../base/graph-error.js'
import type { AgidbError } from '../../base/errors.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Visibility } from '../../indexes/visibility.js'
import { neighbours } from '../candidates/neighbours.js'
import { type TimeDeps, withoutTime } from '../query/times.js'
import { mayAskOrder } from './gate.js'
import type { SequencePart } from './part.js'
import type { EventSearch } from './event.js'
import type { Sequence } from './sequence.js'

/** Where what a question asks for may lie. */
export interface Following {
  /** The factor of a score for each step along a session; absent: sessions are not followed. */
  readonly steps?: { readonly forward: number; readonly backward: number }
}

/** What of a question says where to look. */
interface Asking extends Following {
  readonly cue: string
  readonly visibility: Visibility
}

/** What questions about order in time are answered with. */
export interface SequenceParts {
  /** Absent where none are answered. */
  readonly sequence?: () => Promise<SequencePart>
  /** Told when a graph fails; the answer is the one without it. */
  readonly graphFailed?: (error: AgidbError) => void
}

/** What answers a question about order in time; `undefined` for other questions, and where it cannot be had. */
export async function partFor(
  { cue, steps }: Asking,
  { sequence, graphFailed }: SequenceParts,
): Promise<SequencePart | undefined> {
  if (steps === undefined || sequence === undefined || !mayAskOrder(cue)) return undefined
  try {
    return await sequence()
  } catch (error) {
    graphFailed?.(graphError('chain', error))
    return undefined
  }
}

/**
 * What lies where a question asks. An error takes nothing from the answer: it is told.
 *
 * @param search finds the episodes that tell of an event, best first.
 */
export async function sequenceFor(
  { sequenceOf }: SequencePart,
  indexes: Indexes,
  deps: TimeDeps & SequenceParts,
  question: Asking,
  search: (event: string) => Promise<EventSearch>,
): Promise<Sequence | undefined> {
  try {
    const cue = await withoutTime(question, deps)
    if (cue === undefined) return undefined
    const { validAsOf, transactionAsOf, now } = question.visibility
    const seen = { validAsOf, transactionAsOf, now }
    const { previous, next } = neighbours(indexes, seen)
    return await sequenceOf(cue, {
      indexes,
      search,
      textsOf: async (slots) => (await deps.fetch(slots)).map((episode) => episode?.text),
      previous,
      next,
      seen: () => indexes.catalog.mask(seen),
      weights: question.steps!,
    })
  } catch (error) {
    deps.graphFailed?.(graphError('chain', error))
    return undefined
  }
}
