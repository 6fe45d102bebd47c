import { stopwatch } from '../base/clock.js'
import { turn } from '../base/event-loop-turn.js'

/** How long work in the background waits for a recall, milliseconds. */
const MOST_MS = 50

/** The recalls of a memory. */
export interface Recalls {
  /** How many began so far. */
  readonly begun: number
  /** Whether one is under way. */
  readonly isUnderWay: boolean
}

/**
 * Lets calls that wait go first, and the recall that is under way. So a recall waits for one slice of the work at most,
 * and the work goes on where recalls follow one another without a pause.
 */
export async function giveWay(recalls: Recalls): Promise<void> {
  const until = stopwatch() + MOST_MS
  await turn()
  const { begun } = recalls
  while (recalls.isUnderWay && recalls.begun === begun && stopwatch() < until) await turn()
}
