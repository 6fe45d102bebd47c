import type { Indexes } from '../indexes/indexes.js'
import type { Cue } from './cue.js'
import { weigh, type Evidence } from './evidence.js'
import { REACH, type Around } from './neighbours.js'
import type { Scorers } from './scores.js'
import { ORDER_RANGE, WEIGHTS } from './weights.js'

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

/** Gives candidates and their session neighbours a row each. */
export function gather(slots: Uint32Array, around: Around): Gathered {
  const known = new Map<number, number>()
  const rowOf = (slot: number) => {
    let row = known.get(slot)
    if (row === undefined) known.set(slot, (row = known.size))
    return row
  }
  const rows = Int32Array.from(slots, rowOf)
  const before = new Int32Array(slots.length * REACH).fill(-1)
  const after = new Int32Array(slots.length * REACH).fill(-1)
  const enter = (near: readonly number[], side: Int32Array, i: number) => {
    for (let step = 0; step < near.length; step++) side[i * REACH + step] = rowOf(near[step])
  }
  for (let i = 0; i < slots.length; i++) {
    enter(around.before(slots[i], REACH), before, i)
    enter(around.after(slots[i], REACH), after, i)
  }
  return { slots, rows, before, after, weighed: Uint32Array.from(known.keys()), rowOf: known }
}

/** Weighs candidates and their session neighbours. */
export function look(indexes: Indexes, cue: Cue, { slots, rows, before, after, weighed }: Gathered, scorers: Scorers): Sight {
  const evidence = weigh(indexes, cue, weighed, scorers)
  const parts = ownParts(evidence, rows)
  const { words, text, order, meaning, sentence } = parts
  const own = words.map((_, row) => words[row] + text[row] + order[row] + meaning[row] + sentence[row])
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
    for (let i = 0, at = 0; i < chosen.length; i++) for (let step = 0; step < REACH; step++) of[at++] = rows[chosen[i] * REACH + step]
    return of
  }
  const slots = new Uint32Array(chosen.length)
  const rows = new Int32Array(chosen.length)
  const named = new Uint8Array(chosen.length)
  for (let i = 0; i < chosen.length; i++) {
    slots[i] = sight.slots[chosen[i]]
    rows[i] = sight.rows[chosen[i]]
    named[i] = sight.named[chosen[i]]
  }
  return { ...sight, slots, rows, before: near(sight.before), after: near(sight.after), named }
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
  return values.map((value) => weight * share(value - from, most - from))
}

function best(values: Float64Array, rows: Int32Array): number {
  let most = 0
  for (const row of rows) most = Math.max(most, values[row])
  return most
}
