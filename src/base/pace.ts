import { turn } from './event-loop-turn.js'

/** How long to work before whatever else waits in this thread gets its turn. */
const WORK_MS = 8

/**
 * For long loops: what it answers is called in each round and, where it answers a promise, that is awaited. Calls that
 * share one wait for the same turn, and go on in the order in which they called it.
 */
export function pace(): () => Promise<void> | undefined {
  let since = performance.now()
  let turning: Promise<void> | undefined
  return () => {
    if (turning !== undefined || performance.now() - since < WORK_MS) return turning
    turning = turn().then(() => {
      since = performance.now()
      turning = undefined
    })
    return turning
  }
}
