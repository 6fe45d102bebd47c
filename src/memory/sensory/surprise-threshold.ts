/**
 * The surprise over which a frame is remembered, unless `open` says otherwise: chosen on the Apollo 13 transcript, see
 * `docs/floors.md`.
 */
export const SURPRISE_THRESHOLD = 0.6
/**
 * The goal relevance over which a frame is remembered: of texts that have nothing to do with a goal fewer than 1 in 100
 * have more.
 */
export const GOAL_THRESHOLD = 0.1

/** Where a value stands between what chance gives and the most that there can be: 0 to 1, the corrected scale. */
export function corrected(value: number, chance: number, most: number): number {
  if (!(most > chance)) return 0
  return Math.max(0, Math.min(1, (value - chance) / (most - chance)))
}
