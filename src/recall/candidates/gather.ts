import { type NeighbourScores, REACH } from './neighbours.js'

/** Candidates and their session neighbours, a row each. */
export interface Gathered {
  /** Candidates, ascending. */
  readonly slots: Uint32Array
  /** The row of each. */
  readonly rows: Int32Array
  /**
   * The rows of each candidate's session neighbours, {@link REACH} of them, nearest first; −1 where there are fewer, or
   * no more were asked for.
   */
  readonly before: Int32Array
  readonly after: Int32Array
  /** The row of each slot. */
  readonly rowOf: ReadonlyMap<number, number>
  /** The slots of the last rows: those that were not known before. */
  readonly added: Uint32Array
}

/**
 * Gives candidates and their session neighbours a row each.
 *
 * @param slots ascending.
 * @param reach neighbours on each side, {@link REACH} at most.
 * @param known rows that are there already.
 */
export function gather(
  slots: Uint32Array,
  around: NeighbourScores,
  reach: number,
  known: ReadonlyMap<number, number> = new Map(),
): Gathered {
  const rowOf = new Map(known)
  const rows = new Int32Array(slots.length)
  for (let i = 0; i < slots.length; i++) rows[i] = enter(rowOf, slots[i])
  /** The number of the candidate in a row, −1 where there is none. */
  const candidateIn = new Int32Array(rowOf.size).fill(-1)
  for (let i = 0; i < slots.length; i++) candidateIn[rows[i]] = i

  // Candidates stand in clusters, so that the neighbour of one mostly is the one whose line was followed just before:
  // the rest is the same.
  const inLine = (lines: Int32Array, i: number, step: (slot: number) => number) => {
    const end = i * REACH + reach
    for (let to = i * REACH, at = step(slots[i]); at >= 0 && to < end; at = step(at)) {
      const row = enter(rowOf, at)
      lines[to++] = row
      const candidate = row < candidateIn.length ? candidateIn[row] : -1
      if (candidate < 0) continue
      lines.set(lines.subarray(candidate * REACH, candidate * REACH + end - to), to)
      break
    }
  }
  const before = new Int32Array(slots.length * REACH).fill(-1)
  const after = new Int32Array(slots.length * REACH).fill(-1)
  for (let i = 0; i < slots.length; i++) inLine(before, i, around.previous)
  for (let i = slots.length - 1; i >= 0; i--) inLine(after, i, around.next)
  return { slots, rows, before, after, rowOf, added: Uint32Array.from([...rowOf.keys()].slice(known.size)) }
}

/** The row of a slot, the next one if it has none. */
function enter(rowOf: Map<number, number>, slot: number): number {
  let row = rowOf.get(slot)
  if (row === undefined) rowOf.set(slot, (row = rowOf.size))
  return row
}
