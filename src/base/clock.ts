/** Epoch milliseconds. */
export type Clock = () => number

/** The system's clock. */
export const systemClock: Clock = () => Date.now()

/** Milliseconds since some fixed moment, for measuring how long something took. */
export const stopwatch: Clock = () => performance.now()
