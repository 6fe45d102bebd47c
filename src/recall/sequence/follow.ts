import { hasBit } from '../../base/bits.js'
import type { Catalog } from '../../indexes/catalog.js'
import { nearestTime } from './nearest-time.js'

/** A way along which one came from an event to what lies beside it. */
export interface Way {
  /** Slots: the event first. */
  readonly slots: readonly number[]
  /** Steps that count. */
  readonly hops: number
  readonly edge: 'forward' | 'backward'
  /** The factor of the score for each of its steps, 0 to 1. */
  readonly weight: number
}

/** How to get along a session: the slot beside one, or −1. */
export type Step = (slot: number) => number

/** What is followed. */
export interface Following {
  readonly step: Step
  readonly edge: Way['edge']
  /** The factor of the score for each step, 0 to 1. */
  readonly weight: number
  readonly hops: number
  /** Slots that tell of the event, too: they are passed over without a step. */
  readonly passed: ReadonlySet<number>
  /** Whether a slot is found on the way and takes no step. */
  readonly isLight: (slot: number) => boolean
  /** What lies beside the last one of its session, or beside one without a session. */
  readonly beyond: Step
}

/** The ways to what lies beside an event, the nearest first: along its session, and from its end on in time. */
export function ways(event: number, following: Following): Way[] {
  const { step, edge, weight, hops, passed, beyond, isLight } = following
  const found: Way[] = []
  const slots = [event]
  let taken = 0
  for (let at = event, walked = 0; taken < hops && walked < 4 * hops; walked++) {
    const next = step(at)
    at = next >= 0 ? next : beyond(at)
    if (at < 0 || slots.includes(at)) break
    if (passed.has(at)) continue
    slots.push(at)
    if (!isLight(at)) taken++
    found.push({ slots: [...slots], hops: Math.max(1, taken), edge, weight })
  }
  return found
}

/**
 * Finds what lies nearest in valid time on one side of a slot, ties by slot, in another session; −1 if there is
 * nothing.
 *
 * @param mask gives the slots to choose from; `undefined`: all. It is asked once: the steps of a question follow each
 *   other without a pause, and each mask is a copy as long as the memory.
 */
export function nearestInTime(catalog: Catalog, mask: () => Uint32Array | undefined, forward: boolean): Step {
  let chosen: Uint32Array | undefined
  return (slot) => {
    const session = catalog.session(slot)
    const among = (chosen ??= mask() ?? catalog.live)
    return nearestTime(
      catalog.validTimes,
      slot,
      forward,
      (other) => hasBit(among, other) && (session < 0 || catalog.session(other) !== session),
    )
  }
}
