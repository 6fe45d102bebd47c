import { clearBit, hasBit } from '../base/bits.js'
import type { Column } from '../base/column.js'
import type { Span } from '../api/time.js'
import { dropEnded, endOf, type Ends, keepEqual, keepSome, keepWithin } from './narrow.js'
import type { Times } from './times.js'

/** Where an episode must belong; what is absent does not matter. */
export interface Belonging {
  readonly session?: string
  readonly speaker?: string
  readonly source?: string
  /** Only episodes whose valid time begins in this range, epoch milliseconds, half-open. */
  readonly within?: Span
  /** Only these slots, as a bit set: those that pass a filter. */
  readonly among?: Uint32Array
}

/** Which episodes a question may see. */
export interface Visibility extends Belonging {
  /** Valid time, epoch milliseconds. Absent: all that has not ceased to be true at `now`. */
  readonly validAsOf?: number
  /** Transaction time, epoch milliseconds. Absent: all that is recorded. */
  readonly transactionAsOf?: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** One condition that a visible slot meets, in two forms that agree: of one slot, and of a bit set of live slots. */
export interface VisibilityRule {
  readonly holds: (slot: number) => boolean
  /** Leaves in a bit set of live slots those for which the rule holds, at a step of a typed array a slot. */
  readonly narrow: (mask: Uint32Array) => void
}

/** The slots for which a column has this number; `undefined` where nothing has the name that was asked for. */
export function equalTo(column: Column<Int32Array>, number: number | undefined): VisibilityRule {
  if (number === undefined) return { holds: () => false, narrow: (mask) => void mask.fill(0) }
  return { holds: (slot) => column.get(slot) === number, narrow: (mask) => keepEqual(mask, column, number) }
}

/** The slots for which a column has one of these numbers. */
export function oneOf(column: Column<Int32Array>, numbers: readonly number[]): VisibilityRule {
  if (numbers.length < 2) return equalTo(column, numbers[0])
  return { holds: (slot) => numbers.includes(column.get(slot)), narrow: (mask) => keepSome(mask, column, numbers) }
}

/** The slots of a bit set, which may have been made when there were fewer. */
export function listedIn(words: Uint32Array): VisibilityRule {
  return {
    holds: (slot) => hasBit(words, slot),
    narrow(mask) {
      for (let word = 0; word < mask.length; word++) mask[word] &= word < words.length ? words[word] : 0
    },
  }
}

/** The slots that have a time from `from` on and before `to`. */
export function between(times: Times, { from, to }: Span): VisibilityRule {
  return {
    holds: (slot) => from <= times.get(slot) && times.get(slot) < to,
    narrow: (mask) => keepWithin(mask, times, from, to),
  }
}

/** The slots that have a time not after this one. */
export function notAfter(times: Times, time: number): VisibilityRule {
  // Columns have whole milliseconds alone.
  return between(times, { from: -Infinity, to: Math.floor(time) + 1 })
}

/** The slots that were not updated after a time. */
export function notUpdatedAfter(updatedAt: ReadonlyMap<number, number>, time: number): VisibilityRule {
  return {
    holds: (slot) => !(updatedAt.get(slot)! > time),
    narrow(mask) {
      for (const [slot, at] of updatedAt) if (at > time) clearBit(mask, slot)
    },
  }
}

/**
 * The slots that had not ended by a time, as far as their ends were known by another. Before it was recorded that
 * something replaces an episode, it counted as true without end, or to the end that it was given.
 */
export function notEnded(ends: Ends, by: number, knownBy: number): VisibilityRule {
  return {
    holds: (slot) => by < endOf(ends, slot, knownBy),
    narrow: (mask) => dropEnded(mask, ends, by, knownBy),
  }
}
