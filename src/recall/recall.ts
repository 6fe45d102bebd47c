import type { Episode, TriplePattern } from '../api/episode.js'
import type { WhyStep } from '../api/graph.js'
import type { Context, Match, Recall, ScanTrace } from '../api/recall.js'
import { toIso } from '../api/time.js'
import type { FilterTree } from '../api/check-filter.js'
import type { Visibility } from '../indexes/visibility.js'
import { unexpiredSlots } from '../indexes/filter.js'
import type { Indexes } from '../indexes/indexes.js'
import { MAX_ROW_COPIES } from '../indexes/rows.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import type { Query } from '../kernel/port.js'
import type { Forest } from './ranking/forest.js'
import { bitsOf, hasBit } from '../base/bits.js'
import { type CandidateQuery, toCandidateQueries, candidates } from './candidates/candidates.js'
import { findNearest } from './candidates/find-nearest.js'
import { arenaSearch, type VectorSearch } from './candidates/vector-search.js'
import { choose, type Selection, type Selected, type SelectionOptions } from './answer/selection.js'
import { analyse, type Cue, type PerceivedQueries, timeAlone, toFits } from './query/cue.js'
import { boostByGoals } from './ranking/goal-boost.js'
import type { WalkWeights } from './graph/lift.js'
import { type Lifting, lifting, type WalkParts } from './graph/where-needed.js'
import { type Fitting, fitOfEpisode, standingOf, tellingIn } from './evidence/pattern.js'
import { longlist, rank, shortlist, type RankingOptions, type Scored } from './ranking/ranking.js'
import { describe, type FeatureTable } from './ranking/features.js'
import { fuse } from './ranking/fusion.js'
import { type NeighbourScores, FUSED_REACH, neighbours, REACH } from './candidates/neighbours.js'
import { type Scorers, scorersOf, withScorers } from './evidence/scores.js'
import { confidenceResting, type Resting, restingSlots, tierResting } from './evidence/resting.js'
import { score, rescore, type CandidateSet } from './evidence/candidate-set.js'
import { gather, type Gathered } from './candidates/gather.js'
import { answeredFrom, calibrated, type Confidence } from './answer/confidence.js'
import { tierOf, TIERS } from './answer/tiers.js'
import {
  type AskedWindow,
  both,
  confidenceInTime,
  type TimeDeps,
  tierInTime,
  timely,
  toTrace,
  windowOf,
} from './query/times.js'
import type { Placed } from './sequence/lift.js'
import { type Following, partFor, type SequenceParts, sequenceFor } from './sequence/look.js'
import { confidenceInSequence, tierInSequence, whyOf } from './sequence/evidence.js'
import type { EventSearch } from './sequence/event.js'
import type { Sequence } from './sequence/sequence.js'
import { matchedEntry } from './answer/matched-entry.js'
import type { contexts } from './answer/context.js'
import type { scanTraces } from './candidates/scans.js'
import type { firstLook, lookCloser } from './evidence/first-look.js'
import type { confidenceByPattern } from './answer/by-pattern.js'
import type { traced } from './answer/trace.js'
import { CANDIDATES, PATTERN_WEIGHTS } from './ranking/weights.js'

/** The most candidates that each source gives where there are many near-duplicates. */
const DEEPEST = 2_000

/** Which entries of documents a question may see. */
export interface DocumentScope {
  /** Only these slots, as a bit set. Absent: all, and what was said. */
  readonly among?: Uint32Array
  /** Whether entries of every visibility may answer. Default false. */
  readonly deep?: boolean
}

/** A checked question. Times are epoch milliseconds. */
export interface Question extends RankingOptions, SelectionOptions, Following {
  readonly cue: string
  readonly k: number
  /** Turns on each side of a match. */
  readonly context: number
  readonly goals: readonly string[]
  readonly goalBias: number
  /** The least confidence of a match. */
  readonly minConfidence: number
  /** What is known of the cue by beliefs and atoms, and of which episodes. Absent: nothing. */
  readonly resting?: Resting
  readonly asker?: string
  readonly visibility: Visibility
  /** Which episodes are asked beyond that; absent: all. */
  readonly filter?: FilterTree
  readonly pattern?: TriplePattern
  /** The episodes that fit the pattern, where that was looked up before. */
  readonly fitting?: Fitting
  /** Whether only those may answer. */
  readonly onlyFitting?: boolean
  /** Which entries of documents may answer; absent: those that a standard search shows, beside what was said. */
  readonly documents?: DocumentScope
  readonly traceAttention: boolean
  /** What graphs count; absent: nothing. */
  readonly walk?: WalkWeights
  /** The cue as a sentence encoder sees it. */
  readonly sentence?: Query
  /** What is perceived with it, as encoders see it; absent: nothing. */
  readonly perceived?: PerceivedQueries
}

/** The candidates of a cue as a ranker sees them, in ascending order of slot: what it is trained on. */
export async function consider(
  indexes: Indexes,
  question: Question,
): Promise<{ readonly candidates: CandidateSet; readonly features: FeatureTable }> {
  const depth = depthOf(question)
  const visibility = visibilityOf(indexes, question)
  const search = searchFor(indexes, question, visibility)
  const around = neighbours(indexes, visibility)
  const hits = await findNearest(indexes, arenaSearch(indexes), search.queries, depth, search.mask)
  const gathered = gather(candidates(indexes, search.cue, depth, search.mask, around, hits), around, FUSED_REACH)
  const wide = score(indexes, search.cue, gathered, scorersOf(indexes, gathered.added))
  const near = gatherAround(wide, shortlist(wide), around)
  const rescored = rescore(wide, near, scorersOf(indexes, near.added))
  return { candidates: rescored, features: describe(rescored, fuse(rescored)) }
}

/** What is searched for a question. */
interface Search {
  readonly cue: Cue
  readonly queries: readonly CandidateQuery[]
  /** The visible slots; absent: all. */
  readonly mask?: Uint32Array
}

/** What a question may see, its filter applied. */
function visibilityOf(indexes: Indexes, { visibility, filter, fitting, onlyFitting, documents }: Question): Visibility {
  // What ended is found by deep questions: nothing ends before all times.
  const seen = documents?.deep ? { ...visibility, now: -Infinity } : visibility
  const passing = shownSlots(indexes, unexpiredSlots(indexes, filter, visibility.now), documents, visibility.now)
  const among = onlyFitting ? fittingSlots(indexes, fitting!, passing) : passing
  return among === undefined ? seen : { ...seen, among }
}

/** Leaves of the slots that pass, absent for all, those that a question about documents, or none, may see. */
function shownSlots(
  { catalog, documents }: Indexes,
  passing: Uint32Array | undefined,
  { among, deep = false }: DocumentScope = {},
  now: number,
): Uint32Array | undefined {
  const hides = !deep && !documents.areAllShown(now)
  if (among === undefined && !hides) return passing
  const words = passing ?? catalog.live.slice()
  for (let word = 0; among !== undefined && word < words.length; word++)
    words[word] &= word < among.length ? among[word] : 0
  if (hides) documents.hide(words, now)
  return words
}

/** The slots that fit a pattern, of those that pass a filter. */
function fittingSlots({ catalog }: Indexes, fitting: Fitting, passing: Uint32Array | undefined): Uint32Array {
  const words = passing ?? catalog.live
  const slots = bitsOf(
    [...fitting.keys()].filter((slot) => slot >> 5 < words.length),
    words.length,
  )
  return slots.map((word, i) => word & words[i])
}

function searchFor(
  indexes: Indexes,
  { cue: text, pattern, fitting, sentence, perceived, asker }: Question,
  visibility: Visibility,
  window?: AskedWindow,
): Search {
  const analysed = {
    ...analyse(indexes, text, pattern, { perceived, sentence }, asker),
    ...(fitting && { fitting }),
  }
  const cue = window?.only ? timeAlone(analysed) : analysed
  const visible = window?.only ? { ...visibility, within: both(visibility.within, window.interval) } : visibility
  const { catalog, timeline } = indexes
  const session = visibility.session === undefined ? undefined : timeline.of(visibility.session)
  return { cue, queries: toCandidateQueries(indexes, cue), mask: catalog.mask(visible, session) }
}

/** Some candidates, with more of their neighbours. */
function gatherAround({ slots, rowOf }: CandidateSet, chosen: readonly number[], around: NeighbourScores): Gathered {
  return gather(
    Uint32Array.from(chosen, (i) => slots[i]),
    around,
    REACH,
    rowOf,
  )
}

/** How many candidates each source gives, at least: some of them may be folded. */
function depthOf({ k, fold }: SelectionOptions): number {
  return Math.max(CANDIDATES, fold ? 2 * k : k)
}

/** Whether near-duplicates have left no room for other answers, of which there are more. */
function isCrowded(
  { kept, folded, refused }: Selection,
  { slots }: CandidateSet,
  { k }: SelectionOptions,
  depth: number,
): boolean {
  return kept.length < k && folded.size > 0 && refused.size === 0 && slots.length >= depth
}

/** What is seen of a question. */
interface Seen {
  readonly wide: CandidateSet
  /** Of those that a learned ranker is to look at; absent where none does. */
  readonly near?: CandidateSet
  readonly window?: AskedWindow
  /** Where what the cue asks for lies beside other episodes; absent where it asks for no order. */
  readonly sequence?: Sequence
  readonly scans: readonly ScanTrace[]
}

/**
 * Looks at what the cue asks about, and at the times of it where the cue names one; closer at what a learned ranker is
 * to rank.
 */
async function lookInTime(
  indexes: Indexes,
  deps: RecallDeps,
  forest: Forest | undefined,
  question: Question,
  depth: number,
  sequence: () => Promise<Sequence | undefined>,
): Promise<Seen> {
  const { signatures, vectors } = deps
  // Anew where it is looked at again: what was changed meanwhile may pass no more.
  const visibility = visibilityOf(indexes, question)
  const placed = await sequence()
  const named = await windowOf(indexes, deps, question.cue, visibility, depth)
  // What was next to an event says more than what was within the hour.
  const window = placed !== undefined && placed.leads.size > 0 && named?.event !== undefined ? undefined : named
  const search = searchFor(indexes, question, visibility, window)
  const { cue, queries, mask } = search
  const resting = restingSlots(indexes, question.resting, mask)
  const leads = new Map([...(placed?.leads ?? [])].filter(([slot]) => mask === undefined || hasBit(mask, slot)))
  const hits = await findNearest(indexes, vectors, queries, depth, mask)
  const scans = question.traceAttention
    ? await (await deps.particulars!()).scanTraces(vectors, queries, hits, mask)
    : []
  const around = neighbours(indexes, visibility)
  const gathered = gather(
    candidates(indexes, cue, depth, mask, around, hits, [...(window?.slots ?? []), ...resting.keys(), ...leads.keys()]),
    around,
    FUSED_REACH,
  )
  // Of what was said at a time, when nothing but the time is asked for, the newest is the best: there is nothing that a
  // ranker could weigh.
  // The trees were grown on words alone: what else is like a picture or a sound they do not see.
  const { cue: said, perceived } = question
  const isRanked = !window?.only && said !== '' && perceived === undefined && forest?.isFor(said) === true
  const looks = isRanked && indexes.catalog.size > MAX_ROW_COPIES ? await deps.particulars?.() : undefined
  const first = looks?.firstLook(cue, queries)
  const look = <T>({ added, rowOf }: Gathered, use: (scorers: Scorers) => T): Promise<T> => {
    const before = rowOf.size - added.length
    return withScorers(indexes, signatures, added, (slot) => rowOf.get(slot)! - before, use, looks !== undefined)
  }
  const sight = await look(gathered, (scorers) => score(indexes, cue, gathered, scorers, first))
  const all: CandidateSet = {
    ...sight,
    ...(window && { timely: await timely(indexes, deps, sight, window) }),
    ...(resting.size > 0 && { resting }),
    ...(leads.size > 0 && { leads }),
  }
  const wide = looks === undefined ? all : await looks.lookCloser(signatures, all, depth)
  const listed = cue.pattern === undefined && question.tierFloor === TIERS.at(-1) ? shortlist : longlist
  const chosen = isRanked ? gatherAround(wide, listed(wide, depth), around) : undefined
  const near = chosen && (await look(chosen, (scorers) => rescore(wide, chosen, scorers, first)))
  // What was removed while the storage was read must not be ranked.
  const gone = (near ?? wide).evidence.slots.some((slot) => !indexes.catalog.has(slot))
  return gone
    ? lookInTime(indexes, deps, forest, question, depth, sequence)
    : { wide, near, window, scans, ...(placed && { sequence: { ...placed, leads } }) }
}

/** What recall uses beside the indexes. */
export interface RecallDeps extends TimeDeps, SequenceParts, WalkParts {
  /** Absent where signatures are not stored. */
  readonly signatures?: FetchSignatures
  /**
   * Tells how sure a pattern makes of an answer, what was around it, and what was considered; looks twice in a large
   * memory. Absent where no question asks for that.
   */
  readonly particulars?: () => Promise<{
    readonly confidenceByPattern: typeof confidenceByPattern
    readonly contexts: typeof contexts
    readonly firstLook: typeof firstLook
    readonly lookCloser: typeof lookCloser
    readonly scanTraces: typeof scanTraces
    readonly traced: typeof traced
  }>
  /** Searches signatures. */
  readonly vectors: VectorSearch
}

/** The candidates of a question in order, and how sure each is. */
interface Ordered extends Seen {
  readonly ranked: readonly Placed[]
  /** The trees that ranked them; absent where the fusion did. */
  readonly by?: Forest
  /** The order of what is seen. */
  readonly order: (candidates: CandidateSet, by?: Forest) => readonly Placed[]
  readonly byCue: (ranked: readonly Scored[]) => Confidence
}

/** Ranks the candidates of a question. Also what the curves of confidence with a pattern are fitted on. */
export async function ranked(
  indexes: Indexes,
  deps: RecallDeps,
  forest: Forest | undefined,
  question: Question,
  depth = depthOf(question),
): Promise<Ordered> {
  const part = await partFor(question, deps)
  const seen = await lookInTime(
    indexes,
    deps,
    forest,
    question,
    depth,
    async () =>
      part && sequenceFor(part, indexes, deps, question, (event) => eventsTold(indexes, deps, forest, question, event)),
  )
  const { wide, near, window, sequence } = seen
  // What was recent at the time that is asked about.
  const ranking = { ...question, now: question.visibility.validAsOf ?? question.now }
  const order = (candidates: CandidateSet, by?: Forest, lift: Lifting = (_, ranked) => ranked): readonly Placed[] => {
    const found = lift(candidates, rank(candidates, by, ranking))
    const inOrder = boostByGoals(indexes, found, question.goals, question.goalBias)
    return sequence === undefined ? inOrder : part!.liftBySequence(indexes.catalog, inOrder, sequence)
  }
  const by = near && forest
  const byCue = (ranked: readonly Scored[]) =>
    confidenceInSequence(
      confidenceInTime(calibrated(by, ranked, indexes.catalog.size, indexes.latents !== undefined), window),
    )
  // Where a pattern, a time or a picture says what is meant, what merely has to do with it is not.
  const isOfWords = question.pattern === undefined && question.cue !== ''
  const walked = !isOfWords || window?.only ? undefined : question.walk
  const lift = await lifting(walked, indexes.catalog.size, deps, deps.graphFailed)
  await indexes.text.bring?.(wide.slots) // Goals may be compared with them.
  return { ...seen, ranked: order(near ?? wide, by, lift), by, order, byCue }
}

/** Finds the episodes that tell of an event, as of any cue; somebody else may have told of it than who is to answer. */
async function eventsTold(
  indexes: Indexes,
  deps: RecallDeps,
  forest: Forest | undefined,
  question: Question,
  event: string,
): Promise<EventSearch> {
  const { steps: _, walk: __, ...beside } = { ...question, pattern: undefined, fitting: undefined, onlyFitting: false }
  const words = {
    cue: event,
    goals: [],
    sentence: undefined,
    perceived: undefined,
    resting: undefined,
    traceAttention: false,
  }
  const asked = { ...beside, ...words, visibility: { ...question.visibility, speaker: undefined } }
  const { ranked: found, byCue } = await ranked(indexes, deps, forest, asked, CANDIDATES)
  const confidence = byCue(found)
  return { found, confidence: (i, rank) => confidence(found[i], rank, 'similarity') }
}

/** Answers a question: candidates from every index, one fused score, a tier and a confidence each, the best k. */
export async function recall(
  indexes: Indexes,
  deps: RecallDeps,
  forest: Forest | undefined,
  question: Question,
  depth = depthOf(question),
): Promise<Pick<Recall, 'matches' | 'tierUsed' | 'attentionTrace'>> {
  const { fetch } = deps
  const isParticular = question.pattern !== undefined || question.traceAttention
  const particulars = isParticular ? await deps.particulars?.() : undefined
  const { wide, window, scans, ranked: found, by, order, byCue } = await ranked(indexes, deps, forest, question, depth)
  const { cue } = wide
  const weights = question.cue === '' ? undefined : (question.weights ?? PATTERN_WEIGHTS)
  const telling = tellingIn(indexes)
  const confidence = confidenceResting(
    cue.pattern === undefined
      ? byCue(found)
      : particulars!.confidenceByPattern(byCue, found, standingOf(toFits(cue)!, cue.concepts, telling), weights),
  )
  const fits = toFits(cue)
  const fitOfKept = ({ found: { slot }, episode }: Selected) =>
    fits && fitOfEpisode(slot, episode.triples, fits, telling)

  const tier = (found: Placed, episode: Episode) =>
    tierInSequence(tierResting(tierInTime(tierOf(indexes, found, cue, episode), window), found), found)
  const choice = await choose(indexes, found, question, tier, fetch)
  if (depth < DEEPEST && isCrowded(choice, wide, question, depth))
    return recall(indexes, deps, forest, question, Math.min(DEEPEST, 4 * depth))
  const around =
    question.context === 0
      ? []
      : await (await deps.particulars!()).contexts(
          indexes,
          choice.kept.map(({ found }) => found.slot),
          question.context,
          question.visibility,
          fetch,
        )
  const confidences = choice.kept.map((kept, i) => confidence(kept.found, i, kept.tier, fitOfKept(kept)))
  // That a pattern fits does not say that it is the right one: with a pattern confidence tells. So it does of names
  // that were read out of texts, which questions without an answer name as often.
  const isNamed =
    cue.pattern === undefined &&
    choice.kept[0]?.tier === 'exact' &&
    !indexes.extracted.isFoundAlone(choice.kept[0].found.slot)
  const answered =
    window?.only ||
    isNamed ||
    Math.max(...confidences) >= answeredFrom(by, indexes.catalog.size, indexes.latents !== undefined)
  const matches = choice.kept
    .map((kept, i) =>
      toMatch(
        kept,
        confidences[i],
        answered,
        around[i],
        cue.fitting,
        whyOf(indexes, kept.found) ?? kept.found.path?.(),
      ),
    )
    .filter(({ confidence }) => confidence >= question.minConfidence)
  const shown = new Set(found.map(({ slot }) => slot))
  return {
    matches,
    tierUsed: matches[0]?.tier ?? 'nearest',
    ...(question.traceAttention && {
      attentionTrace: {
        cue: question.cue,
        at: toIso(question.now),
        ...(window !== undefined && { time: toTrace(window) }),
        ...(scans.length > 0 && { scans }),
        candidates: particulars!.traced(
          indexes,
          found,
          order(wide).filter(({ slot }) => !shown.has(slot)),
          choice,
          matches,
          question,
          confidence,
        ),
      },
    }),
  }
}

function toMatch(
  { found, episode, tier, folded }: Selected,
  confidence: number,
  answered: boolean,
  context: Context | undefined,
  fitting: Fitting | undefined,
  why: readonly WhyStep[] | undefined,
): Match {
  const statement = fitting?.get(found.slot)
  const { id, text, speaker, session, source, at, tags, metadata, senses, expiresAt, entry, extraction, provenance } =
    episode
  return {
    id,
    text,
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    at,
    ...(extraction !== undefined && extraction.entities.length > 0 && { entities: extraction.entities }),
    ...(tags !== undefined && { tags }),
    ...(senses !== undefined && { senses }),
    ...(metadata !== undefined && { metadata }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(entry !== undefined && { entry: matchedEntry(entry) }),
    confidence,
    tier,
    lowConfidence: !answered || tier === 'nearest',
    goalBiased: found.goal > 0,
    folded,
    ...(statement !== undefined && { statement }),
    ...(context !== undefined && { context }),
    ...(why !== undefined && { why }),
    provenance,
    signals: found.signals(),
  }
}
