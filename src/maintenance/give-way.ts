import { stopwatch } from '../base/clock.js'
import { turn } from '../base/event-loop-turn.js'

/** How long no recall must have begun before work in the background goes on, milliseconds. */
const QUIET_MS = 10
/** How long the work waits at most, milliseconds: recalls may follow one another without a pause. */
const MOST_MS = 50

/** The recalls of a memory. */
export interface Recalls {
  /** How many began so far. */
  readonly begun: number
  /** Resolves when no recall is under way; `undefined` where none is. */
  readonly ending: Promise<void> | undefined
}

/**
 * Lets calls that wait go first, and the recall that is under way with those that follow it closely. So few recalls
 * wait for the work, and those for one slice of it.
 */
export async function giveWay(recalls: Recalls): Promise<void> {
  const until = stopwatch() + MOST_MS
  await turn()
  if (recalls.ending === undefined) return
  let begun: number
  do {
    await Promise.race([recalls.ending, after(until - stopwatch())])
    ;({ begun } = recalls)
    await after(QUIET_MS)
  } while (recalls.begun !== begun && stopwatch() < until)
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
