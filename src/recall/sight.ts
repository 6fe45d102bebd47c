import { log } from '../core/exponential.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Cue } from './cue.js'
import { weigh, type Evidence } from './evidence.js'
import { REACH, type Around } from './neighbours.js'
import type { Scorers } from './scores.js'
import { ORDER_RANGE, WEIGHTS } from './weights.js'

/** A column of numbers, one for each candidate, on scales that do not depend on the memory's size. */
export interface Scale {
  readonly values: Float64Array
  /** Standard deviations above the mean of the candidates. */
  readonly z: Float64Array
  /** ln(1 + rank), 0 for the best; equals share the better rank. */
  readonly rank: Float64Array
  /** The best value. */
  readonly most: number
  /** Value over the best one's; 0 where the best is not positive. */
  readonly share: Float64Array
}

/** Everything that is seen of the candidates of one cue before they are ranked. */
export interface Sight {
  readonly indexes: Indexes
  readonly cue: Cue
  /** Candidates. */
  readonly slots: Uint32Array
  /** What the indexes say of the candidates and their neighbours. */
  readonly evidence: Evidence
  /** The row in the evidence of each candidate. */
  readonly rows: Int32Array
  /** The rows of each candidate's session neighbours, {@link REACH} of them, nearest first; −1 where there are fewer. */
  readonly before: Int32Array
  readonly after: Int32Array
  /** 1 for each candidate whose speaker the cue names. */
  readonly named: Uint8Array
  /** What own evidence counts, by row of the evidence. */
  readonly parts: OwnParts
  /** The parts together, about 0 to 1, by row of the evidence. */
  readonly own: Float64Array
  /** How well slots fit the time that the cue asks about, 0 to 1; absent if it asks about none. */
  readonly timely?: ReadonlyMap<number, number>
}

/** Candidates and their session neighbours, before they are weighed. */
export interface Gathered extends Pick<Sight, 'slots' | 'rows' | 'before' | 'after'> {
  /** The slots that are to be weighed, by row. */
  readonly weighed: Uint32Array
  /** The row of each. */
  readonly rowOf: ReadonlyMap<number, number>
}

/** Gives candidates, ascending, and their session neighbours a row each; the i-th candidate the i-th. */
export function gather(slots: Uint32Array, around: Around): Gathered {
  const rowOf = new Map<number, number>()
  for (let i = 0; i < slots.length; i++) rowOf.set(slots[i], i)
  const before = inLines(slots, around.previous, rowOf)
  // From the last on: what comes after a candidate is known then.
  const after = inLines(slots, around.next, rowOf, -1)
  return { slots, rows: Int32Array.from(slots.keys()), before, after, weighed: Uint32Array.from(rowOf.keys()), rowOf }
}

/**
 * The rows of what lies on one side of each candidate. Candidates stand in clusters, so that a neighbour mostly is the candidate
 * whose line was followed just before: the rest of it is the same.
 */
function inLines(slots: Uint32Array, step: (slot: number) => number, rowOf: Map<number, number>, direction = 1): Int32Array {
  const lines = new Int32Array(slots.length * REACH).fill(-1)
  for (let n = 0; n < slots.length; n++) {
    const i = direction > 0 ? n : slots.length - 1 - n
    const end = (i + 1) * REACH
    for (let to = i * REACH, at = step(slots[i]); at >= 0 && to < end; at = step(at)) {
      let row = rowOf.get(at)
      if (row === undefined) rowOf.set(at, (row = rowOf.size))
      lines[to++] = row
      if (row >= slots.length) continue
      lines.set(lines.subarray(row * REACH, row * REACH + end - to), to)
      break
    }
  }
  return lines
}

/** Weighs candidates and their session neighbours. */
export function look(indexes: Indexes, cue: Cue, { slots, rows, before, after, weighed }: Gathered, scorers: Scorers): Sight {
  const evidence = weigh(indexes, cue, weighed, scorers)
  const parts = ownParts(evidence, rows)
  const { words, text, order, meaning, sentence } = parts
  const own = new Float64Array(weighed.length)
  for (let row = 0; row < own.length; row++) own[row] = words[row] + text[row] + order[row] + meaning[row] + sentence[row]
  return { indexes, cue, slots, evidence, rows, before, after, named: Uint8Array.from(slots, (slot) => Number(isNamed(indexes, cue, slot))), parts, own }
}

function isNamed({ catalog }: Indexes, { speakers }: Cue, slot: number): boolean {
  const speaker = speakers.size === 0 ? undefined : catalog.speaker(slot)
  return speaker !== undefined && speakers.has(speaker)
}

/** The same sight of fewer candidates, in the order given. */
export function narrowed(sight: Sight, chosen: readonly number[]): Sight {
  const near = (rows: Int32Array) => {
    const of = new Int32Array(chosen.length * REACH)
    chosen.forEach((i, at) => of.set(rows.subarray(i * REACH, (i + 1) * REACH), at * REACH))
    return of
  }
  return {
    ...sight,
    slots: Uint32Array.from(chosen, (i) => sight.slots[i]),
    rows: Int32Array.from(chosen, (i) => sight.rows[i]),
    before: near(sight.before),
    after: near(sight.after),
    named: Uint8Array.from(chosen, (i) => sight.named[i]),
  }
}

/** The values at given rows. */
export function picked(values: Float64Array, rows: Int32Array): Float64Array {
  const found = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) found[i] = values[rows[i]]
  return found
}

/** Share of the best candidate; a neighbour may be no candidate itself and stand above the best of them: it counts as much as they can. */
export function share(value: number, most: number): number {
  return most > 0 ? Math.min(1, Math.max(0, value) / most) : 0
}

/** What each kind of own evidence counts, by row of the evidence. */
export interface OwnParts {
  readonly words: Float64Array
  readonly text: Float64Array
  readonly order: Float64Array
  readonly meaning: Float64Array
  readonly sentence: Float64Array
}

/** Evidence relative to the best of the candidates, weighed. */
function ownParts({ words, text, order, latent, sentence }: Evidence, rows: Int32Array): OwnParts {
  return {
    words: weighed(words, rows, WEIGHTS.words),
    text: weighed(text, rows, WEIGHTS.text),
    order: weighed(order, rows, WEIGHTS.order, ORDER_RANGE),
    meaning: weighed(latent, rows, WEIGHTS.meaning),
    sentence: weighed(sentence, rows, WEIGHTS.sentence),
  }
}

/** Evidence relative to the best of the rows of candidates, and to no less than `to`; what is not above `from` counts nothing. */
export function weighed(values: Float64Array, rows: Int32Array, weight: number, { from, to } = { from: 0, to: 0 }): Float64Array {
  const most = Math.max(to, best(values, rows))
  const found = new Float64Array(values.length)
  for (let row = 0; row < found.length; row++) found[row] = weight * share(values[row] - from, most - from)
  return found
}

function best(values: Float64Array, rows: Int32Array): number {
  let most = 0
  for (const row of rows) most = Math.max(most, values[row])
  return most
}

/** Puts numbers of the candidates on relative scales. */
export function scaled(values: Float64Array): Scale {
  const n = values.length
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / Math.max(1, n)
  let squares = 0
  for (const value of values) squares += (value - mean) * (value - mean)
  const deviation = Math.sqrt(squares / Math.max(1, n))
  const ascending = values.slice().sort()
  const most = n === 0 ? 0 : ascending[n - 1]
  return {
    values,
    most,
    rank: values.map((value) => logOfRank(n - countUpTo(ascending, value))),
    z: values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0)),
    share: values.map((value) => (most > 0 ? value / most : 0)),
  }
}

/** How many of ascending values are not above a value. */
function countUpTo(ascending: Float64Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= value) low = middle + 1
    else high = middle
  }
  return low
}

const LOGS: number[] = []

/** ln(1 + rank), of which the same few hundred are asked for again and again. */
function logOfRank(rank: number): number {
  while (LOGS.length <= rank) LOGS.push(log(1 + LOGS.length))
  return LOGS[rank]
}

/** The indexes of the greatest values, descending, ties by index. */
export function strongest(values: Float64Array, count: number): number[] {
  const n = values.length
  if (count >= n) return Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b)
  const least = values.slice().sort()[n - count]
  const found: number[] = []
  for (let i = 0; i < n; i++) if (values[i] >= least) found.push(i)
  return found.sort((a, b) => values[b] - values[a] || a - b).slice(0, count)
}
