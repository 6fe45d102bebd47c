import { REACH } from '../candidates/neighbours.js'
import type { CandidateSet } from '../evidence/candidate-set.js'
import { FUSED_SIGNALS } from '../evidence/signals.js'
import { WEIGHTS } from './weights.js'

/** What each signal adds to a score. */
export type Signals = Record<string, number>

/**
 * The unlearned ranking: for each candidate, the weighted sum of what its words, its neighbours and its speaker say.
 */
export function fuse(candidates: CandidateSet): Float64Array {
  const { slots, rows, before, after, named, parts, own } = candidates
  const scores = new Float64Array(slots.length)
  const ownOf = (neighbour: number) => (neighbour < 0 ? 0 : own[neighbour])
  const columns = FUSED_SIGNALS.flatMap(({ name }) => parts[name] ?? [])
  // The sum of fusedSignals in their order, without the names.
  for (let i = 0, near = 0; i < scores.length; i++, near += REACH) {
    const row = rows[i]
    let alone = columns[0][row]
    for (let c = 1; c < columns.length; c++) alone += columns[c][row]
    scores[i] =
      alone +
      WEIGHTS.before * ownOf(before[near]) +
      WEIGHTS.after * ownOf(after[near]) +
      WEIGHTS.near * (ownOf(before[near + 1]) + ownOf(after[near + 1])) +
      (named[i] === 1 ? WEIGHTS.speaker : 0)
  }
  return scores
}

/** What each signal adds to the fused score of the i-th candidate. */
export function fusedSignals({ rows, before, after, named, parts, own }: CandidateSet, i: number): Signals {
  const row = rows[i]
  const near = i * REACH
  const ownOf = (neighbour: number) => (neighbour < 0 ? 0 : own[neighbour])
  const signals: Signals = {}
  for (const { name } of FUSED_SIGNALS) if (parts[name] !== undefined) signals[name] = parts[name][row]
  signals.before = WEIGHTS.before * ownOf(before[near])
  signals.after = WEIGHTS.after * ownOf(after[near])
  signals.near = WEIGHTS.near * (ownOf(before[near + 1]) + ownOf(after[near + 1]))
  signals.speaker = named[i] === 1 ? WEIGHTS.speaker : 0
  return signals
}
