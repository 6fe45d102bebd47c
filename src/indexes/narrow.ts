import { type Bits, clearBit } from '../base/bits.js'
import type { Column } from '../base/column.js'
import { PAGE } from '../base/pages.js'
import type { Times } from './times.js'

/** Words of a bit set for a page of slots. */
const WORDS = PAGE / 32

/** Leaves in a bit set of slots, all of which a column has, those for which it has this number. */
export function keepEqual(words: Uint32Array, column: Column<Int32Array>, number: number): void {
  const { values } = column
  for (let page = 0; page < words.length; page += WORDS) {
    const end = Math.min(page + WORDS, words.length)
    for (let word = page, at = column.placeOf(page * 32); word < end; word++, at += 32) {
      if (words[word] === 0) continue
      const bits = Math.min(32, values.length - at)
      let kept = 0
      // No branch: what every third slot has, no processor predicts.
      for (let bit = 0; bit < bits; bit++) kept |= Number(values[at + bit] === number) << bit
      words[word] &= kept
    }
  }
}

/** {@link keepEqual} where a column may have one of several numbers, 0 or more. */
export function keepSome(words: Uint32Array, column: Column<Int32Array>, numbers: readonly number[]): void {
  const { values } = column
  // By number, from −1 on, which is that of a slot without any.
  const wanted = new Uint8Array(2 + numbers.reduce((most, number) => Math.max(most, number), 0))
  for (const number of numbers) wanted[number + 1] = 1
  for (let page = 0; page < words.length; page += WORDS) {
    const end = Math.min(page + WORDS, words.length)
    for (let word = page, at = column.placeOf(page * 32); word < end; word++, at += 32) {
      if (words[word] === 0) continue
      const bits = Math.min(32, values.length - at)
      let kept = 0
      for (let bit = 0; bit < bits; bit++) {
        const place = values[at + bit] + 1
        kept |= (place < wanted.length ? wanted[place] : 0) << bit
      }
      words[word] &= kept
    }
  }
}

/** Leaves in a bit set of slots, all of which have a time, those of which it is not before `from` and before `to`. */
export function keepWithin(words: Uint32Array, times: Times, from: number, to: number): void {
  const { values } = times
  for (let page = 0; page < words.length; page += WORDS) {
    const end = Math.min(page + WORDS, words.length)
    const place = times.placeOf(page * 32)
    const [earliest, latest] = [times.earliest(place), times.latest(place)]
    if (from <= earliest && latest < to) continue
    if (latest < from || to <= earliest) words.fill(0, page, end)
    for (let word = page, at = place; word < end; word++, at += 32) {
      if (words[word] === 0) continue
      const bits = Math.min(32, values.length - at)
      let kept = 0
      for (let bit = 0; bit < bits; bit++)
        kept |= (Number(values[at + bit] >= from) & Number(values[at + bit] < to)) << bit
      words[word] &= kept
    }
  }
}

/** Ends of validity by slot, and since when they are known. */
export interface Ends {
  /** The slots that have one: both of their times are before `Infinity`. */
  readonly slots: Bits
  readonly at: Times
  readonly known: Times
  /** The ends of those that were given one and were replaced before it: they count where that is not known. */
  readonly later: ReadonlyMap<number, number>
}

/** When a slot ends, as far as that was known by a time; `Infinity` if it does not. */
export function endOf({ at, known, later }: Ends, slot: number, knownBy: number): number {
  return known.get(slot) > knownBy ? (later.get(slot) ?? Infinity) : at.get(slot)
}

/**
 * Takes the slots out of a bit set that had ended by a time, as far as that was known by another: see {@link endOf}.
 */
export function dropEnded(
  words: Uint32Array,
  { slots, at: ends, known, later }: Ends,
  by: number,
  knownBy: number,
): void {
  const ended = slots.words
  const length = Math.min(words.length, ended.length)
  for (let page = 0; page < length; page += WORDS) {
    const [endsAt, knownAt] = [ends.placeOf(page * 32), known.placeOf(page * 32)]
    if (by < ends.earliest(endsAt) || knownBy < known.earliest(knownAt)) continue
    const allEnded = ends.latest(endsAt) <= by
    const allKnown = known.latest(knownAt) <= knownBy
    for (let word = page; word < page + WORDS && word < length; word++) {
      let gone = words[word] & ended[word]
      if (gone === 0) continue
      if (!allEnded) gone = until(gone, ends, word * 32, by)
      if (!allKnown) gone = until(gone, known, word * 32, knownBy)
      words[word] &= ~gone
    }
  }
  for (const [slot, end] of later) if (end <= by) clearBit(words, slot)
}

/** Of a word of a bit set, which begins with a slot, the slots that have a time not after `last`. */
function until(word: number, times: Times, first: number, last: number): number {
  for (let rest = word; rest !== 0; rest &= rest - 1) {
    const bit = 31 - Math.clz32(rest & -rest)
    if (times.get(first + bit) > last) word &= ~(1 << bit)
  }
  return word
}
