import { ownParts, type Sight } from './sight.js'
import { WEIGHTS } from './weights.js'

/** What each signal adds to a score. */
export type Signals = Record<string, number>

/** The unlearned ranking: for each candidate, the weighted sum of what its words, its neighbours and its speaker say. */
export function fuse({ indexes, cue, slots, around, evidence, rows, own }: Sight): Signals[] {
  const parts = ownParts(evidence, rows)
  const ownOf = (slot: number | undefined) => (slot === undefined ? 0 : own[evidence.rows.get(slot)!])
  return Array.from(slots, (slot, i) => {
    const { before, after } = around(slot)
    const speaker = indexes.catalog.speaker(slot)
    return {
      ...parts(rows[i]),
      before: WEIGHTS.before * ownOf(before[0]),
      after: WEIGHTS.after * ownOf(after[0]),
      near: WEIGHTS.near * (ownOf(before[1]) + ownOf(after[1])),
      speaker: speaker !== undefined && cue.speakers.has(speaker) ? WEIGHTS.speaker : 0,
    }
  })
}

/** The score that signals add up to. */
export function total(signals: Readonly<Signals>): number {
  let sum = 0
  for (const value of Object.values(signals)) sum += value
  return sum
}
