import { turn } from './event-loop-turn.js'

/** How long to work before whatever else waits in this thread gets its turn. */
const WORK_MS = 8

/** For long loops: what it answers is called in each round and, where it answers a promise, that is awaited. */
export function pace(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < WORK_MS) return undefined
    return turn().then(() => void (since = performance.now()))
  }
}
