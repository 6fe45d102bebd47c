import { log } from '../core/exponential.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Cue } from './cue.js'
import { weigh, type Evidence } from './evidence.js'
import type { Around } from './neighbours.js'
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
  readonly around: Around
  /** What the indexes say of the candidates and their neighbours. */
  readonly evidence: Evidence
  /** The row in the evidence of each candidate. */
  readonly rows: Int32Array
  /** Words, text and order together, about 0 to 1, by row of the evidence. */
  readonly own: Float64Array
  /** How well slots fit the time that the cue asks about, 0 to 1; absent if it asks about none. */
  readonly timely?: ReadonlyMap<number, number>
}

/** Weighs candidates and their session neighbours. */
export function look(indexes: Indexes, cue: Cue, slots: Uint32Array, around: Around): Sight {
  const weighed = new Set<number>(slots)
  for (const slot of slots) {
    const { before, after } = around(slot)
    for (const neighbour of before) weighed.add(neighbour)
    for (const neighbour of after) weighed.add(neighbour)
  }
  const evidence = weigh(indexes, cue, Uint32Array.from(weighed))
  const rows = Int32Array.from(slots, (slot) => evidence.rows.get(slot)!)
  return { indexes, cue, slots, around, evidence, rows, own: ownOf(evidence, rows) }
}

/** The same sight of fewer candidates, in the order given. */
export function narrowed(sight: Sight, chosen: readonly number[]): Sight {
  return { ...sight, slots: Uint32Array.from(chosen, (i) => sight.slots[i]), rows: Int32Array.from(chosen, (i) => sight.rows[i]) }
}

/** Share of the best candidate; a neighbour may be no candidate itself and stand above the best of them: it counts as much as they can. */
export function share(value: number, most: number): number {
  return most > 0 ? Math.min(1, Math.max(0, value) / most) : 0
}

interface OwnParts {
  readonly words: number
  readonly text: number
  readonly order: number
  readonly meaning: number
  readonly sentence: number
}

/** The parts of a row's own evidence. */
export function ownParts({ words, text, order, latent, sentence }: Evidence, rows: Int32Array): (row: number) => OwnParts {
  const most = { words: best(words, rows), text: best(text, rows), meaning: best(latent, rows), sentence: best(sentence, rows), order: Math.max(ORDER_RANGE.to, best(order, rows)) }
  return (row) => ({
    words: WEIGHTS.words * share(words[row], most.words),
    text: WEIGHTS.text * share(text[row], most.text),
    meaning: WEIGHTS.meaning * share(latent[row], most.meaning),
    sentence: WEIGHTS.sentence * share(sentence[row], most.sentence),
    order: WEIGHTS.order * share(order[row] - ORDER_RANGE.from, most.order - ORDER_RANGE.from),
  })
}

function ownOf(evidence: Evidence, rows: Int32Array): Float64Array {
  const parts = ownParts(evidence, rows)
  return Float64Array.from(evidence.slots, (_, row) => {
    const { words, text, order, meaning, sentence } = parts(row)
    return words + text + order + meaning + sentence
  })
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
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b)
  const rank = new Float64Array(n)
  order.forEach((at, position) => {
    const equal = position > 0 && values[at] === values[order[position - 1]]
    rank[at] = equal ? rank[order[position - 1]] : log(1 + position)
  })
  const most = n === 0 ? 0 : values[order[0]]
  return {
    values,
    most,
    rank,
    z: values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0)),
    share: values.map((value) => (most > 0 ? value / most : 0)),
  }
}
