import type { Episode } from '../api/episode.js'
import type { Recall } from '../api/recall.js'
import { toIso } from '../api/time.js'
import type { Indexes } from '../indexes/indexes.js'
import type { Forest } from './ranking/forest.js'
import { choose, type Selection, type Selected, type SelectionOptions } from './answer/selection.js'
import { toFits } from './query/cue.js'
import { fitOfEpisode, standingOf, tellingIn } from './evidence/pattern.js'
import { confidenceResting, tierResting } from './evidence/resting.js'
import type { CandidateSet } from './evidence/candidate-set.js'
import { answeredFrom } from './answer/confidence.js'
import { tierOf } from './answer/tiers.js'
import { tierInTime, toTrace } from './query/times.js'
import type { Placed } from './sequence/lift.js'
import { tierInSequence, whyOf } from './sequence/evidence.js'
import { PATTERN_WEIGHTS } from './ranking/weights.js'
import type { Question } from './query/question.js'
import { depthOf } from './look.js'
import type { RecallDeps } from './deps.js'
import { ranked } from './ranked.js'
import { toMatch } from './answer/match.js'

/** The most candidates that each source gives where there are many near-duplicates. */
const DEEPEST = 2_000

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

/** Whether near-duplicates have left no room for other answers, of which there are more. */
function isCrowded(
  { kept, folded, refused }: Selection,
  { slots }: CandidateSet,
  { k }: SelectionOptions,
  depth: number,
): boolean {
  return kept.length < k && folded.size > 0 && refused.size === 0 && slots.length >= depth
}
