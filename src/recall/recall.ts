import type { TriplePattern } from '../core/episode.js'
import type { Context, Match, Recall, ScanTrace } from '../core/recall.js'
import { toIso } from '../core/time.js'
import type { Visibility } from '../indexes/catalog.js'
import type { Indexes } from '../indexes/indexes.js'
import type { FetchSignatures } from '../indexes/signatures.js'
import type { Hits, Query } from '../kernel/port.js'
import type { Forest } from '../ranker/forest.js'
import { type Asked, asked, candidates, type Scan, scanHere } from './candidates.js'
import { choose, type Choice, type Kept, type Wanted } from './choose.js'
import { contexts } from './context.js'
import { analyse, type Cue, timeAlone } from './cue.js'
import { aim } from './goals.js'
import { pack } from './prompt.js'
import { rank, shortlist, type RankingOptions } from './ranking.js'
import { describe, type FeatureTable } from './features.js'
import { fuse } from './fusion.js'
import { neighbours } from './neighbours.js'
import { scorersOf, withScorers } from './scores.js'
import { gather, look, narrowed, type Gathered, type Sight } from './sight.js'
import { answeredFrom, calibrated } from './confidence.js'
import { tierOf } from './tiers.js'
import { type AskedWindow, confidenceInTime, type Fetch, tierInTime, timely, toTrace, windowOf } from './times.js'
import { scanTraces } from './scans.js'
import { traced } from './trace.js'
import { CANDIDATES } from './weights.js'

/** The most candidates that each source gives where there are many near-duplicates. */
const DEEPEST = 2_000

/** A checked question. Times are epoch milliseconds. */
export interface Question extends RankingOptions, Wanted {
  readonly cue: string
  readonly k: number
  /** Turns on each side of a match. */
  readonly context: number
  readonly budgetTokens?: number
  readonly goals: readonly string[]
  readonly goalBias: number
  readonly asker?: string
  readonly visibility: Visibility
  readonly pattern?: TriplePattern
  readonly traceAttention: boolean
  /** The cue as a sentence encoder sees it. */
  readonly sentence?: Query
}

/** The candidates of a cue as a ranker sees them, in ascending order of slot: what it is trained on. */
export function consider(indexes: Indexes, question: Question): { readonly sight: Sight; readonly features: FeatureTable } {
  const depth = depthOf(question)
  const search = searchFor(indexes, question)
  const { cue } = search
  const gathered = gatherFor(indexes, search, question, depth, scanHere(indexes, search.asked, depth, search.mask))
  const all = look(indexes, cue, gathered, scorersOf(indexes, gathered.weighed))
  const plain = fuse(all)
  const chosen = shortlist(all, plain)
  const sight = narrowed(all, chosen)
  return { sight, features: describe(sight, Float64Array.from(chosen, (i) => plain[i])) }
}

/** What is searched for a question. */
interface Search {
  readonly cue: Cue
  readonly asked: readonly Asked[]
  /** The visible slots; absent: all. */
  readonly mask?: Uint32Array
}

function searchFor(indexes: Indexes, { cue: text, pattern, sentence, asker, visibility }: Question, window?: AskedWindow): Search {
  const analysed = analyse(indexes, text, pattern, sentence, asker)
  const cue = window?.only ? timeAlone(analysed) : analysed
  const { catalog, timeline } = indexes
  const session = visibility.session === undefined ? undefined : timeline.of(visibility.session)
  return { cue, asked: asked(indexes, cue), mask: catalog.mask(window?.only ? { ...visibility, within: window.interval } : visibility, session) }
}

function gatherFor(indexes: Indexes, { cue, mask }: Search, { visibility }: Question, depth: number, hits: readonly Hits[], window?: AskedWindow): Gathered {
  const around = neighbours(indexes, visibility)
  return gather(candidates(indexes, cue, depth, mask, around, hits, window?.slots), around)
}

/** How many candidates each source gives, at least: some of them may be folded. */
function depthOf({ k, fold }: Wanted): number {
  return Math.max(CANDIDATES, fold ? 2 * k : k)
}

/** Whether near-duplicates have left no room for other answers, of which there are more. */
function isCrowded({ kept, folded, refused }: Choice, { slots }: Sight, { k }: Wanted, depth: number): boolean {
  return kept.length < k && folded.size > 0 && refused.size === 0 && slots.length >= depth
}

/** Looks at what the cue asks about, and at the times of it where the cue names one. */
async function lookInTime(
  indexes: Indexes, means: Means, question: Question, depth: number,
): Promise<{ readonly sight: Sight; readonly window?: AskedWindow; readonly scans: readonly ScanTrace[] }> {
  const { fetch, signatures, scan } = means
  const window = await windowOf(indexes, fetch, question.cue, question.visibility, depth)
  const search = searchFor(indexes, question, window)
  const { cue, asked, mask } = search
  const hits = scan === undefined ? scanHere(indexes, asked, depth, mask) : await scan(asked, depth, mask)
  const scans = question.traceAttention ? scanTraces(indexes, asked, hits, mask) : []
  const gathered = gatherFor(indexes, search, question, depth, hits, window)
  const slots = gathered.weighed
  const sight = await withScorers(indexes, signatures, slots, gathered.rowOf, (scorers) => look(indexes, cue, gathered, scorers))
  const timed = window === undefined ? sight : { ...sight, timely: await timely(indexes, fetch, sight, window) }
  // What was removed while the storage was read must not be ranked.
  const gone = slots.some((slot) => !indexes.catalog.has(slot))
  return gone ? lookInTime(indexes, means, question, depth) : { sight: timed, window, scans }
}

/** What recall uses beside the indexes. */
export interface Means {
  readonly fetch: Fetch
  /** Absent where signatures are not stored. */
  readonly signatures?: FetchSignatures
  /** Scans the arenas with the help of other threads. Absent: this thread does. */
  readonly scan?: Scan
}

/** Answers a question: candidates from every index, one fused score, a tier and a confidence each, the best k. */
export async function recall(
  indexes: Indexes, means: Means, forest: Forest | undefined, question: Question, depth = depthOf(question),
): Promise<Pick<Recall, 'matches' | 'tierUsed' | 'prompt' | 'attentionTrace'>> {
  const { fetch } = means
  const { sight, window, scans } = await lookInTime(indexes, means, question, depth)
  const { cue } = sight
  // What was recent at the time that is asked about.
  const ranking = { ...question, k: depth, now: question.visibility.validAsOf ?? question.now }
  const toGoals = (by: Forest | undefined) => aim(indexes, rank(sight, by, ranking), question.goals, question.goalBias)
  // Of what was said at a time, when nothing but the time is asked for, the newest is the best: there is nothing that a ranker could weigh.
  const by = window?.only || !forest?.isFor(question.cue) ? undefined : forest
  const ranked = toGoals(by)
  const confidence = confidenceInTime(calibrated(by, ranked, indexes.catalog.size), window)

  const choice = await choose(indexes, ranked, question, (found, episode) => tierInTime(tierOf(indexes, found, cue, episode), window), fetch)
  if (depth < DEEPEST && isCrowded(choice, sight, question, depth)) return recall(indexes, means, forest, question, Math.min(DEEPEST, 4 * depth))
  const around = question.context === 0 ? [] : await contexts(indexes, choice.kept.map(({ found }) => found.slot), question.context, question.visibility, fetch)
  const confidences = choice.kept.map((kept, i) => confidence(kept.found, i, kept.tier))
  const answered = window?.only || choice.kept[0]?.tier === 'exact' || Math.max(...confidences) >= answeredFrom(by)
  const matches = choice.kept.map((kept, i) => toMatch(kept, confidences[i], answered, around[i]))
  const shown = new Set(ranked.map(({ slot }) => slot))
  return {
    matches,
    tierUsed: matches[0]?.tier ?? 'nearest',
    ...(question.budgetTokens !== undefined && { prompt: pack(matches, question.budgetTokens) }),
    ...(question.traceAttention && {
      attentionTrace: {
        cue: question.cue,
        at: toIso(question.now),
        ...(window !== undefined && { time: toTrace(window) }),
        ...(scans.length > 0 && { scans }),
        candidates: traced(indexes, ranked, toGoals(undefined).filter(({ slot }) => !shown.has(slot)), choice, matches, question, confidence),
      },
    }),
  }
}

function toMatch({ found, episode, tier, folded }: Kept, confidence: number, answered: boolean, context: Context | undefined): Match {
  const { id, text, speaker, session, source, at, provenance } = episode
  return {
    id,
    text,
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    ...(source !== undefined && { source }),
    at,
    confidence,
    tier,
    lowConfidence: !answered || tier === 'nearest',
    goalBiased: found.goal > 0,
    folded,
    ...(context !== undefined && { context }),
    provenance,
    signals: found.signals(),
  }
}
