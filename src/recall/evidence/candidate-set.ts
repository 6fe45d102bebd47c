import type { Indexes } from '../../indexes/indexes.js'
import type { Cue } from '../query/cue.js'
import { joined, weigh, type Evidence } from './evidence.js'
import type { Gathered } from '../candidates/gather.js'
import type { Scorers } from './scores.js'
import { OWN_SIGNALS, TURN_SIGNALS } from './signals.js'

/** Everything that is seen of the candidates of one cue before they are ranked. */
export interface CandidateSet extends Gathered {
  readonly indexes: Indexes
  readonly cue: Cue
  /** What the indexes say of the candidates and their neighbours, by row. */
  readonly evidence: Evidence
  /** 1 for each candidate whose speaker the cue names. */
  readonly named: Uint8Array
  /** What own evidence counts, by row of the evidence. */
  readonly parts: OwnParts
  /** The parts that speak for neighbours, too, together; about 0 to 1, by row of the evidence. */
  readonly own: Float64Array
  /** How well slots fit the time that the cue asks about, 0 to 1; absent if it asks about none. */
  readonly timely?: ReadonlyMap<number, number>
  /**
   * How likely beliefs and atoms that rest on slots are right and what is asked for; absent where none bears on the
   * cue.
   */
  readonly resting?: ReadonlyMap<number, number>
  /** Slots that lie where the cue asks in the order of time, or are associated with the best; absent: none. */
  readonly leads?: ReadonlyMap<number, unknown>
}

/**
 * Weighs candidates and their session neighbours, of which no row is known before.
 *
 * @param queries what a first look asks of signatures. Default: all that the cue asks.
 */
export function score(
  indexes: Indexes,
  cue: Cue,
  gathered: Gathered,
  scorers: Scorers,
  queries = cue.queries,
): CandidateSet {
  const evidence = weigh(indexes, cue, queries, gathered.added, scorers, gathered.slots.length)
  return seen(indexes, cue, gathered, evidence, gathered.rows)
}

/** A sight of fewer candidates, and of more of their neighbours, which `scorers` know. */
export function rescore(
  { indexes, cue, evidence, rows, timely, resting, leads }: CandidateSet,
  gathered: Gathered,
  scorers: Scorers,
  queries = cue.queries,
): CandidateSet {
  const more = weigh(indexes, cue, queries, gathered.added, scorers, 0)
  return { ...seen(indexes, cue, gathered, joined(evidence, more), rows), timely, resting, leads }
}

/** What evidence says of candidates. @param candidates the rows of all that own evidence is relative to. */
export function seen(
  indexes: Indexes,
  cue: Cue,
  gathered: Gathered,
  evidence: Evidence,
  candidates: Int32Array,
): CandidateSet {
  const parts = ownParts(evidence, candidates)
  const own = parts.words.slice()
  for (const { name } of TURN_SIGNALS.slice(1))
    for (let row = 0, part = parts[name]; row < own.length; row++) own[row] += part[row]
  return {
    ...gathered,
    indexes,
    cue,
    evidence,
    named: Uint8Array.from(gathered.slots, (slot) => Number(isNamed(indexes, cue, slot))),
    parts,
    own,
  }
}

function isNamed({ catalog }: Indexes, { speakers }: Cue, slot: number): boolean {
  const speaker = speakers.size === 0 ? undefined : catalog.speaker(slot)
  return speaker !== undefined && speakers.has(speaker)
}

/** The values at given rows. */
export function subset(values: Float64Array, rows: Int32Array): Float64Array {
  const found = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) found[i] = values[rows[i]]
  return found
}

/**
 * Share of the best candidate; a neighbour may be no candidate itself and stand above the best of them: it counts as
 * much as they can.
 */
export function share(value: number, most: number): number {
  return most > 0 ? Math.min(1, Math.max(0, value) / most) : 0
}

/** What own evidence counts, by the name of its signal and by row of the evidence; see {@link Evidence.deviations}. */
export type OwnParts = Readonly<Record<string, Float64Array>>

/** Evidence relative to the best of the candidates, weighed. */
function ownParts({ words, deviations }: Evidence, rows: Int32Array): OwnParts {
  return Object.fromEntries(
    OWN_SIGNALS.flatMap(({ name, weight, range }) => {
      const values = name === 'words' ? words : deviations[name]
      return values === undefined ? [] : [[name, weighed(values, rows, weight, range)]]
    }),
  )
}

/**
 * Evidence relative to the best of the rows of candidates, and to no less than `to`; what is not above `from` counts
 * nothing.
 */
export function weighed(
  values: Float64Array,
  rows: Int32Array,
  weight: number,
  { from, to } = { from: 0, to: 0 },
): Float64Array {
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
