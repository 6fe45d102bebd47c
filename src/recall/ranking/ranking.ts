import { exp, log } from '../../base/exponential.js'
import { senseOf } from '../../encoding/spaces/perceived.js'
import { PERCEIVED } from '../../encoding/spaces/spaces.js'
import type { Indexes } from '../../indexes/indexes.js'
import type { Forest } from './forest.js'
import { chanceLevel, highest, SIMILAR_MARGIN } from '../evidence/evidence.js'
import { describe, FEATURES } from './features.js'
import { fuse, fusedSignals, type Signals } from './fusion.js'
import { toFits } from '../query/cue.js'
import { namedBy, namedFitOf, tellingIn } from '../evidence/pattern.js'
import { strongestOf } from '../evidence/scale.js'
import { subset, share, weighed, type CandidateSet } from '../evidence/candidate-set.js'
import { SEARCHED_SIGNALS, TELLING, weightOf } from '../evidence/signals.js'
import { promise } from './promise.js'
import { FUSED, LEARNED, PATTERN_WEIGHTS, QUOTED_RANGE, RANKED, WEIGHTS } from './weights.js'

/** A candidate with what each signal adds to its score. */
export interface Scored {
  readonly slot: number
  readonly score: number
  /** What the score would be without the pattern; absent where there is none. */
  readonly byCue?: number
  /** What each signal adds to the score; worked out when asked for. */
  readonly signals: () => Readonly<Signals>
  /** What the unlearned fusion makes of it. */
  readonly plain: number
  /** Standard deviations of the text or of the structured signature, whichever is more, above unrelated ones. */
  readonly likeness: number
  /**
   * About the cosine of what it means and what the cue means; of the two by codebook and by sentence encoder, the
   * higher.
   */
  readonly meaning: number
  /** Share of the cue's idf that its words carry, 0 to about 1. */
  readonly coverage: number
  /** How well its statements fit the pattern, as far as their names tell, 0 to 1; absent without a pattern. */
  readonly fit?: number
  /**
   * How likely a belief or an atom that rests on it is right and what the cue asks for, 0 to 1; 0 where there is none.
   */
  readonly rests: number
  /** Concepts of the cue that its triples name. */
  readonly concepts: readonly string[]
  /** What goals added to the score; 0 for one that is like no goal. */
  readonly goal: number
  /** What a learned ranker says of it. */
  readonly learned?: Learned
}

/** What calibration needs of a candidate. */
export interface Learned {
  /** What the trees answer. */
  readonly score: number
  /** Value of a feature by its name. */
  readonly feature: (name: string) => number
}

export interface RankingOptions {
  readonly weights?: { readonly structured: number; readonly fuzzy: number }
  /** Milliseconds. */
  readonly recencyWindow?: number
  /** Epoch milliseconds from which recency is counted back. */
  readonly now: number
}

/** What the fuzzy evidence makes of a candidate. */
interface Fuzzy {
  readonly score: number
  readonly plain: number
  readonly signals: () => Signals
  readonly learned?: Learned
}

/**
 * Scores candidates by all the evidence together; best first, ties by slot. A learned ranker is to look at the {@link
 * shortlist} alone.
 */
export function rank(candidates: CandidateSet, forest: Forest | undefined, options: RankingOptions): Scored[] {
  const plain = fuse(candidates)
  const fused = () =>
    Array.from(plain, (score, i): Fuzzy => ({ score, plain: score, signals: () => fusedSignals(candidates, i) }))
  return combine(candidates, forest === undefined ? fused() : learned(candidates, plain, forest), options)
}

/**
 * The numbers of the candidates that are worth ranking, ascending: the most promising and, where the cue names a time,
 * the best by plain fusion and time; the best few by each kind of evidence, which these may undervalue; what beliefs
 * and atoms rest on; what lies where the cue asks; and what is associated with the best.
 *
 * @param k how many will be asked for
 */
export function shortlist(candidates: CandidateSet, k = 0): number[] {
  const plain = fuse(candidates)
  const scores = [promise(candidates, plain)]
  if (candidates.timely !== undefined) scores.push(inTime(candidates, plain))
  return best(candidates, scores, Math.max(RANKED.promising, k), RANKED.each)
}

/**
 * The numbers of the candidates that are the best by plain fusion, and by each kind of evidence, ascending: more than
 * the {@link shortlist}, for questions with a pattern or a tier floor, of which what is promising knows nothing.
 *
 * @param k how many will be asked for
 */
export function longlist(candidates: CandidateSet, k: number): number[] {
  const inOrder = inTime(candidates, fuse(candidates))
  return best(candidates, [inOrder], Math.max(FUSED.best, k), FUSED.each)
}

/** Plain fusion, and how well candidates fit the time that the cue asks about. */
function inTime(candidates: CandidateSet, plain: Float64Array): Float64Array {
  return plain.map((value, i) => value + timeSignal(candidates, candidates.slots[i]))
}

/** The numbers of the `count` best by each of some scores, and the best few by each kind of evidence. */
function best(candidates: CandidateSet, scores: readonly Float64Array[], count: number, each: number): number[] {
  const { slots, rows, evidence } = candidates
  const chosen = new Uint8Array(slots.length) // 1 for each that is
  const choose = (i: number) => {
    chosen[i] = 1
  }
  for (const values of scores) strongestOf(values, count, choose)
  for (const column of [evidence.words, ...SEARCHED_SIGNALS.flatMap((name) => evidence.deviations[name] ?? [])])
    strongestOf(subset(column, rows), each, choose)
  if (candidates.leads !== undefined) slots.forEach((slot, i) => candidates.leads!.has(slot) && choose(i))
  if (candidates.resting !== undefined) slots.forEach((slot, i) => candidates.resting!.has(slot) && choose(i))
  const numbers: number[] = []
  for (let i = 0; i < chosen.length; i++) if (chosen[i] === 1) numbers.push(i)
  return numbers
}

function learned(candidates: CandidateSet, plain: Float64Array, forest: Forest): Fuzzy[] {
  const { rows, values } = describe(candidates, plain)
  const scores = forest.scores(values, rows)
  const quoted = quotations(candidates)
  const memories = candidates.indexes.catalog.size
  const trust = (LEARNED.most * memories) / (memories + LEARNED.small)
  return Array.from(scores, (score, i) => {
    const at = i * FEATURES.length
    return {
      score: trust * (score + quoted[i]) + (1 - trust) * plain[i],
      plain: plain[i],
      learned: { score, feature: (name) => values[at + FEATURES.indexOf(name)] },
      signals: () => {
        const signals: Signals = forest.explain(values, at)
        for (const name in signals) signals[name] *= trust
        const add = (name: string, value: number) => {
          signals[name] = (signals[name] ?? 0) + value
        }
        const fused = fusedSignals(candidates, i)
        for (const name in fused) add(name, (1 - trust) * fused[name])
        add('order', trust * quoted[i])
        return signals
      },
    }
  })
}

/** Who quotes means what is quoted, whatever trees make of it that have mostly seen questions. */
function quotations({ evidence: { deviations }, rows }: CandidateSet): Float64Array {
  return subset(weighed(deviations.order, rows, weightOf('order'), QUOTED_RANGE), rows)
}

/**
 * What an episode with all names of a pattern has at least of what the best structured signature has: a signature of
 * many statements tells each of them faintly. Not all of it, since names do not tell who did it to whom.
 */
const NAMED = 0.5

/** What is said beside the fuzzy evidence, in the order in which answers tell it. */
const BESIDE = ['concepts', 'structured', 'time', 'rests', 'recency'] as const

/** Adds what statements, concepts and time say. */
function combine(candidates: CandidateSet, fuzzies: readonly Fuzzy[], options: RankingOptions): Scored[] {
  const { indexes, cue, slots, evidence, rows } = candidates
  const { structured, fuzzy } =
    cue.pattern === undefined ? { structured: 0, fuzzy: 1 } : (options.weights ?? PATTERN_WEIGHTS)
  // A statement that nothing fits must not lift what is like it by chance.
  const chance = chanceLevel(indexes.catalog.size)
  let structuredMost = chance + SIMILAR_MARGIN
  for (const row of rows) structuredMost = Math.max(structuredMost, evidence.deviations.structured[row])
  const conceptIdf = new Map(
    cue.named.map((keys) => {
      const count = keys.reduce((sum, key) => sum + indexes.concepts.count(key), 0)
      return [keys, log(1 + indexes.catalog.size / count)]
    }),
  )
  const allConceptIdf = [...conceptIdf.values()].reduce((sum, idf) => sum + idf, 0)
  // A sign projection keeps cosines: of the sum of a query's magnitudes, its score is as much as the cosine says.
  const meanings = TELLING.meaning
    .filter((name) => name in evidence.deviations)
    .map((name) => {
      const query = cue.queries[name]
      return { deviations: evidence.deviations[name], alike: query === undefined ? Infinity : highest(query) }
    })
  const likenesses = TELLING.likeness.map((name) => evidence.deviations[name])
  const recency = recencySignal(
    indexes,
    slots,
    options,
    isPerceived(cue) ? WEIGHTS.newnessOfPerceived : WEIGHTS.newness,
  )

  const telling = tellingIn(indexes)
  const fits = toFits(cue)
  const isPatternOfCue =
    cue.concepts.length > 0 && (cue.pattern === undefined || namedBy(cue.concepts, cue.readings) !== 'other')

  const scored = fuzzies.map((found, i): Scored => {
    const slot = slots[i]
    const row = rows[i]
    const weights = statementWeights(indexes, slot)
    let concepts = 0
    for (const [keys, idf] of conceptIdf) if (keys.some((key) => indexes.concepts.has(key, slot))) concepts += idf
    const fit = fits && namedFitOf(slot, fits, telling)
    const fitting = Math.max(
      fit === 1 ? (fits?.fitting === undefined ? NAMED : 1) : 0,
      share(evidence.deviations.structured[row] - chance, structuredMost - chance),
    )
    const alone = {
      concepts: weights.concepts * share(concepts, allConceptIdf),
      time: timeSignal(candidates, slot),
      // A cue that names what a statement is about is a pattern of its own: what fits the given one fits that, too.
      structured: isPatternOfCue ? weights.structured * fitting : 0,
      rests: WEIGHTS.rests * (candidates.resting?.get(slot) ?? 0),
      recency: recency(slot),
    }
    const beside = {
      concepts: fuzzy * alone.concepts,
      structured: cue.pattern === undefined ? alone.structured : structured * fitting,
      time: fuzzy * alone.time,
      rests: fuzzy * alone.rests,
      recency: alone.recency,
    }
    // In this order, since sums of fractions depend on it.
    const more = beside.concepts + beside.structured + beside.time + beside.rests + beside.recency
    const byCue = alone.concepts + alone.structured + alone.time + alone.rests + alone.recency
    return {
      slot,
      score: fuzzy * found.score + more,
      byCue: cue.pattern === undefined ? undefined : found.score + byCue,
      signals: () => {
        const all = found.signals()
        for (const name in all) all[name] *= fuzzy
        for (const name of BESIDE) all[name] = (all[name] ?? 0) + beside[name]
        const told: Signals = {}
        for (const name in all) if (all[name] !== 0) told[toldAs(name, indexes)] = all[name]
        return told
      },
      // In full, with statements and concepts, as it was when the fusion alone ranked; what a pattern says is weighed
      // apart.
      plain: found.plain + (cue.pattern === undefined ? more : byCue),
      likeness: highestOf(likenesses, row),
      meaning: highestCosine(meanings, row),
      coverage: cue.idf > 0 ? evidence.words[row] / cue.idf : 0,
      fit,
      rests: candidates.resting?.get(slot) ?? 0,
      concepts: cue.concepts.filter((concept) => indexes.concepts.has(concept, slot)),
      goal: 0,
      learned: found.learned,
    }
  })
  return scored.sort((a, b) => b.score - a.score || a.slot - b.slot)
}

/** The name of a signal in an answer: that of a modality of the application's own begins with `own.`. */
function toldAs(name: string, { senses }: Indexes): string {
  const sense = senseOf(name, senses)
  return sense === name ? name : `own.${sense}`
}

/** What the names of an episode's statements, and their signature, weigh beside a cue. */
function statementWeights({ extracted }: Indexes, slot: number): { concepts: number; structured: number } {
  return extracted.isFoundAlone(slot) ? WEIGHTS.read : WEIGHTS
}

/** The highest value of a row in some columns. */
function highestOf(columns: readonly Float64Array[], row: number): number {
  let highest = -Infinity
  for (const column of columns) highest = Math.max(highest, column[row])
  return highest
}

/** The highest cosine that the deviations of a row stand for; `alike` is what a text that means the same has. */
function highestCosine(
  columns: readonly { readonly deviations: Float64Array; readonly alike: number }[],
  row: number,
): number {
  let highest = -Infinity
  for (const { deviations, alike } of columns) highest = Math.max(highest, deviations[row] / alike)
  return highest
}

/**
 * How well a slot fits the time that the cue asks about. The same under a learned ranker, which knows nothing of it.
 */
function timeSignal({ timely }: CandidateSet, slot: number): number {
  return WEIGHTS.time * (timely?.get(slot) ?? 0)
}

/** Whether a picture, a sound or a video is asked with. */
function isPerceived({ queries }: Pick<CandidateSet['cue'], 'queries'>): boolean {
  return PERCEIVED.some((sense) => queries[sense] !== undefined)
}

/** With a window: halves with each window of age. Without: `most` for the newest, so that of two alike it leads. */
function recencySignal(
  { catalog }: Indexes,
  slots: Uint32Array,
  { recencyWindow, now }: RankingOptions,
  most: number,
): (slot: number) => number {
  if (recencyWindow !== undefined) {
    return (slot) => WEIGHTS.recency * exp((-Math.LN2 * Math.max(0, now - catalog.validFrom(slot))) / recencyWindow)
  }
  let oldest = Infinity
  let newest = -Infinity
  for (const slot of slots) {
    oldest = Math.min(oldest, catalog.validFrom(slot))
    newest = Math.max(newest, catalog.validFrom(slot))
  }
  return (slot) => (newest > oldest ? (most * (catalog.validFrom(slot) - oldest)) / (newest - oldest) : 0)
}
