import { stopwatch } from './clock.js'
import { turn } from './event-loop-turn.js'

/** Milliseconds for which long work keeps the thread before other calls get their turn. */
const SLICE_MS = 8

/**
 * Cuts long work into slices: what it answers is to be called between steps, and gives others their turn once a slice
 * is over. A turn for each step would make work wait for others as often as it has steps.
 */
export function slices(): () => Promise<void> {
  let until = stopwatch() + SLICE_MS
  return async () => {
    if (stopwatch() < until) return
    await turn()
    until = stopwatch() + SLICE_MS
  }
}
