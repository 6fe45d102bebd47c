import { refuse } from '../checks.js'
import { NO_NODE, type TemporalChain } from '../graph.js'
import { checkCount, checkNode } from './checks.js'

/** Between which slots of its list one comes. */
export interface Place {
  readonly previous: number
  readonly next: number
}

/**
 * Checks where a slot is to be inserted, and completes its place from the neighbour that is given.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for a slot that is in a list, neighbours that are in none, that do not
 * follow each other, or that are of another session
 */
export function checkPlace(
  chain: Pick<TemporalChain, 'has' | 'next' | 'previous' | 'session'>,
  slot: number,
  session: number,
  previous: number,
  next: number,
): Place {
  checkNode(slot)
  checkCount(session, 'session')
  if (chain.has(slot)) refuse('slot', 'a slot that is in no list', slot)
  for (const [what, neighbour] of Object.entries({ previous, next })) {
    if (neighbour === NO_NODE) continue
    checkNode(neighbour, what)
    if (chain.session(neighbour) !== session) refuse(what, `a slot in a list of session ${session}`, neighbour)
  }
  const place = {
    previous: previous === NO_NODE && next !== NO_NODE ? chain.previous(next) : previous,
    next: previous === NO_NODE ? next : chain.next(previous),
  }
  if (next !== NO_NODE && next !== place.next) refuse('next', `the slot after ${previous}, or none`, next)
  return place
}
