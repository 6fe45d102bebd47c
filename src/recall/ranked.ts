import type { Indexes } from '../indexes/indexes.js'
import type { Forest } from './ranking/forest.js'
import type { Walk } from './graph/part.js'
import { walkFor } from './graph/where-needed.js'
import { rank, type Scored } from './ranking/ranking.js'
import { asksForSeveral, liftBestOfSessions } from './ranking/several.js'
import type { CandidateSet } from './evidence/candidate-set.js'
import { calibrated, type Confidence } from './answer/confidence.js'
import { confidenceInTime } from './query/times.js'
import type { Placed } from './sequence/lift.js'
import { partFor, sequenceFor } from './sequence/look.js'
import { confidenceInSequence } from './sequence/evidence.js'
import type { EventSearch } from './sequence/event.js'
import { CANDIDATES } from './ranking/weights.js'
import type { Question } from './query/question.js'
import { type Seen, lookInTime, depthOf } from './look.js'
import type { RecallDeps } from './deps.js'

/** The candidates of a question in order, and how sure each is. */
export interface Ordered extends Seen {
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
  // Where a pattern, a time or a picture says what is meant, what merely has to do with it is not.
  const isOfWords = question.pattern === undefined && question.cue !== ''
  const walk = await walkFor(isOfWords ? question.walk : undefined, indexes.catalog.size, deps)
  const seen = await lookInTime(
    indexes,
    deps,
    forest,
    question,
    depth,
    async () =>
      part && sequenceFor(part, indexes, deps, question, (event) => eventsTold(indexes, deps, forest, question, event)),
    walk?.bring,
  )
  const { wide, near, window, sequence } = seen
  // Few questions have goals.
  const hasGoals = question.goals.length > 0 && question.goalBias > 0
  const particulars = hasGoals ? await deps.particulars!() : undefined
  const isOfSeveral = isOfWords && sequence === undefined && asksForSeveral(question.cue)
  // What was recent at the time that is asked about.
  const ranking = { ...question, now: question.visibility.validAsOf ?? question.now }
  const order = (candidates: CandidateSet, by?: Forest, lift?: Walk['lift']): readonly Placed[] => {
    const byScore = rank(candidates, by, ranking)
    const led = lift?.(candidates, byScore) ?? byScore
    const found = isOfSeveral ? liftBestOfSessions(indexes.catalog, led) : led
    const inOrder = particulars?.boostByGoals(indexes, found, question) ?? found
    return sequence === undefined ? inOrder : part!.liftBySequence(indexes.catalog, inOrder, sequence)
  }
  const by = near && forest
  const byCue = (ranked: readonly Scored[]) =>
    confidenceInSequence(
      confidenceInTime(calibrated(by, ranked, indexes.catalog.size, indexes.latents !== undefined), window),
    )
  await indexes.text.bring?.(wide.slots) // Goals may be compared with them.
  const lifted = order(near ?? wide, by, window?.only ? undefined : walk?.lift)
  // What was brought must not stay where a graph failed.
  if (walk?.instead) return ranked(indexes, deps, forest, { ...question, ...walk.instead }, depth)
  return { ...seen, ranked: lifted, by, order, byCue }
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
