import type { ScanTrace } from '../api/recall.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Forest } from './ranking/forest.js'
import { hasBit } from '../base/bits.js'
import { candidates, type CandidateQuery } from './candidates/candidates.js'
import { findNearest } from './candidates/find-nearest.js'
import type { SelectionOptions } from './answer/selection.js'
import { longlist, shortlist } from './ranking/ranking.js'
import { type NeighbourScores, FUSED_REACH, neighbours, REACH } from './candidates/neighbours.js'
import { LARGE_MEMORY, type Scorers, withScorers } from './evidence/scores.js'
import { restingSlots } from './evidence/resting.js'
import { score, rescore, type CandidateSet } from './evidence/candidate-set.js'
import { gather, type Gathered } from './candidates/gather.js'
import { TIERS } from './answer/tiers.js'
import { type AskedWindow, timely, windowOf } from './query/times.js'
import type { Sequence } from './sequence/sequence.js'
import { CANDIDATES } from './ranking/weights.js'
import type { Cue } from './query/cue.js'
import type { Question } from './query/question.js'
import { visibilityOf, searchFor } from './query/search.js'
import type { Bring } from './graph/bring.js'
import type { RecallDeps } from './deps.js'

/** How many candidates each source gives, at least: some of them may be folded. */
export function depthOf({ k, fold }: SelectionOptions): number {
  return Math.max(CANDIDATES, fold ? 2 * k : k)
}

/** Some candidates, with more of their neighbours. */
export function gatherAround(
  { slots, rowOf }: CandidateSet,
  chosen: readonly number[],
  around: NeighbourScores,
): Gathered {
  return gather(
    Uint32Array.from(chosen, (i) => slots[i]),
    around,
    REACH,
    rowOf,
  )
}

/** What is seen of a question. */
export interface Seen {
  readonly wide: CandidateSet
  /** Of those that a learned ranker is to look at; absent where none does. */
  readonly near?: CandidateSet
  readonly window?: AskedWindow
  /** Where what the cue asks for lies beside other episodes; absent where it asks for no order. */
  readonly sequence?: Sequence
  readonly scans: readonly ScanTrace[]
}

/** What is worth a look, and why. */
interface Worth {
  readonly cue: Cue
  readonly queries: readonly CandidateQuery[]
  readonly mask?: Uint32Array
  readonly around: NeighbourScores
  /** The candidates with their session neighbours. */
  readonly gathered: Gathered
  readonly window?: AskedWindow
  /** How sure beliefs and atoms make of candidates, by slot. */
  readonly resting: ReadonlyMap<number, number>
  /** Those of the sequence that the question may see. */
  readonly leads: Sequence['leads']
  readonly scans: readonly ScanTrace[]
}

/**
 * Looks at what the cue asks about, and at the times of it where the cue names one; closer at what a learned ranker is
 * to rank.
 *
 * @param bring brings what is associated with what is found. Default: nothing.
 */
export async function lookInTime(
  indexes: Indexes,
  deps: RecallDeps,
  forest: Forest | undefined,
  question: Question,
  depth: number,
  sequence: () => Promise<Sequence | undefined>,
  bring?: Bring,
): Promise<Seen> {
  const { signatures } = deps
  // Anew where it is looked at again: what was changed meanwhile may pass no more.
  const placed = await sequence()
  const worth = await worthALook(indexes, deps, question, depth, placed)
  const { cue, queries, mask, around, gathered, window, resting, leads, scans } = worth
  // Of what was said at a time, when nothing but the time is asked for, the newest is the best: there is nothing that a
  // ranker could weigh.
  // The trees were grown on words alone: what else is like a picture or a sound they do not see.
  const { cue: said, perceived } = question
  const isRanked = !window?.only && said !== '' && perceived === undefined && forest?.isFor(said) === true
  const looks = isRanked && indexes.catalog.size > LARGE_MEMORY ? await deps.particulars?.() : undefined
  const first = looks?.firstLook(cue, queries)
  const look = <T>({ added, rowOf }: Gathered, use: (scorers: Scorers) => T): Promise<T> => {
    const before = rowOf.size - added.length
    return withScorers(indexes, signatures, added, (slot) => rowOf.get(slot)! - before, use, looks !== undefined)
  }
  const again = (candidates: CandidateSet, gathered: Gathered) =>
    look(gathered, (scorers) => rescore(candidates, gathered, scorers, first))
  const sight = await look(gathered, (scorers) => score(indexes, cue, gathered, scorers, first))
  const all: CandidateSet = {
    ...sight,
    ...(resting.size > 0 && { resting }),
    ...(leads.size > 0 && { leads }),
  }
  const brought = (await bring?.(all, mask, around, again)) ?? all
  const found = window ? { ...brought, timely: await timely(indexes, deps, brought, window) } : brought
  const listed = cue.pattern === undefined && question.tierFloor === TIERS.at(-1) ? shortlist : longlist
  const list = isRanked ? listed(found, depth) : []
  const wide = looks === undefined ? found : await looks.lookCloser(signatures, found, list)
  const chosen = isRanked ? gatherAround(wide, list, around) : undefined
  const near = chosen && (await again(wide, chosen))
  // What was removed while the storage was read must not be ranked.
  const gone = (near ?? wide).evidence.slots.some((slot) => !indexes.catalog.has(slot))
  return gone
    ? lookInTime(indexes, deps, forest, question, depth, sequence, bring)
    : { wide, near, window, scans, ...(placed && { sequence: { ...placed, leads } }) }
}

/** Finds what is worth a look. @param placed where what the cue asks for lies beside other episodes. */
async function worthALook(
  indexes: Indexes,
  deps: RecallDeps,
  question: Question,
  depth: number,
  placed: Sequence | undefined,
): Promise<Worth> {
  const { vectors } = deps
  const visibility = visibilityOf(indexes, question)
  const named = await windowOf(indexes, deps, question.cue, visibility, depth)
  // What was next to an event says more than what was within the hour.
  const window = placed !== undefined && placed.leads.size > 0 && named?.event !== undefined ? undefined : named
  const { cue, queries, mask } = searchFor(indexes, question, visibility, window)
  const resting = restingSlots(indexes, question.resting, mask)
  const leads = new Map([...(placed?.leads ?? [])].filter(([slot]) => mask === undefined || hasBit(mask, slot)))
  const hits = await findNearest(indexes, vectors, queries, depth, mask)
  const scans = question.traceAttention
    ? await (await deps.particulars!()).scanTraces(vectors, queries, hits, mask)
    : []
  const around = neighbours(indexes, visibility)
  const more = [...(window?.slots ?? []), ...resting.keys(), ...leads.keys()]
  const slots = candidates(indexes, cue, depth, mask, around, hits, more)
  const gathered = gather(slots, around, FUSED_REACH)
  return { cue, queries, mask, around, gathered, window, resting, leads, scans }
}
