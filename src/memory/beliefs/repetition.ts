import type { BeliefRevision } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import { toIso } from '../../api/time.js'
import type { NewEvent } from '../../records/event-log.js'
import { posterior } from './bayes.js'
import type { Revised } from './revisions.js'

/** What a repeated assertion brings. */
interface Repeated {
  readonly evidence: readonly EpisodeId[]
  /** Absent where the caller gives none. */
  readonly confidence?: number
}

/** Why an episode supports a belief whose claim was asserted again with it. */
export const SUPPORTED_AGAIN = 'the claim was asserted again on its evidence'

/**
 * What a repeated assertion does to a belief: new evidence supports it; a confidence that is given raises it, or
 * without new evidence takes the place of its own.
 *
 * @param evidence episodes that do not count for or against the belief yet.
 */
export function repetition(
  { id, confidence: first, next }: Revised,
  { evidence, confidence: stated }: Repeated,
  {
    trustOf,
    superseded,
  }: { readonly trustOf: (episode: EpisodeId) => number; readonly superseded: readonly EpisodeId[] },
  now: number,
): NewEvent<'beliefRevised'>[] {
  const events: NewEvent<'beliefRevised'>[] = []
  let confidence = first
  const add = (revision: Omit<BeliefRevision, 'revision' | 'at' | 'before'>, ended: boolean) => {
    const entry = { revision: next + events.length, at: toIso(now), before: confidence, ...revision }
    const { evidence } = entry
    events.push({
      kind: 'beliefRevised',
      belief: id,
      revision: entry,
      ...(ended && evidence !== undefined && { superseded: [evidence] }),
    })
    confidence = entry.after
  }
  for (const episode of evidence) {
    const trust = trustOf(episode)
    const after = posterior(confidence, 'supports', trust)
    const counted = { evidence: episode, verdict: 'supports', reason: SUPPORTED_AGAIN, trust } as const
    add({ kind: 'revised', after, ...counted }, superseded.includes(episode))
  }
  const wanted = stated ?? confidence
  const differs = events.length > 0 ? wanted > confidence : wanted !== confidence
  if (differs) add({ kind: 'asserted', after: wanted, reason: 'asserted again' }, false)
  return events
}
