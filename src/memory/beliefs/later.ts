/** Larger than any slot: episodes and events that are not stored yet come after all others. */
export const LATER = 2 ** 40
