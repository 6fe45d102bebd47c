import type { BeliefRevision, RevisionDecision, RevisionReport } from '../../api/belief.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import { toIso } from '../../api/time.js'
import { posterior, WITHDRAWN_BELOW } from './bayes.js'
import type { NewEvent } from '../../records/event-log.js'
import type { Entry, Held } from './standing.js'
import { endOf } from './verdict.js'

/** A belief that is about to be revised. */
export interface Revised {
  readonly id: string
  readonly confidence: number
  /** The number of its next revision. */
  readonly next: number
  /** Present where no caller asked for the revision, unless its kind says so already. */
  readonly automatic?: true
}

/** What a revision adds to the log, and what it did. */
export interface Drafted {
  readonly events: readonly NewEvent<'beliefRevised' | 'beliefWithdrawn'>[]
  readonly report: RevisionReport
}

/** What is decided of an episode, and how far its source is trusted. */
export interface Weighed extends RevisionDecision {
  readonly trust: number
  readonly automatic?: true
}

/**
 * Drafts what an episode does to a belief: a revision by Bayes' rule, and a withdrawal where that leaves too little.
 */
export function revise(
  { id, confidence: before, next }: Revised,
  episode: Episode,
  weighed: Weighed,
  now: number,
): Drafted {
  const { verdict, reason, trust, automatic } = weighed
  const after = posterior(before, verdict, trust)
  const counts = verdict !== 'neutral'
  const revision: BeliefRevision = {
    revision: next,
    at: toIso(now),
    kind: 'revised',
    before,
    after,
    evidence: episode.id,
    verdict,
    reason,
    ...(counts && { trust }),
    ...(automatic && { automatic }),
  }
  const events: NewEvent<'beliefRevised' | 'beliefWithdrawn'>[] = [
    {
      kind: 'beliefRevised',
      belief: id,
      revision,
      ...(counts && endOf(episode) <= now && { superseded: [episode.id] }),
    },
  ]
  const withdrawn = verdict === 'contradicts' && after < WITHDRAWN_BELOW
  if (withdrawn) {
    const end = contradictedAway(episode.id, after, next + 1, revision.at)
    events.push({ kind: 'beliefWithdrawn', belief: id, revision: end })
  }
  return {
    events,
    report: { before, after, contradicted: verdict === 'contradicts', withdrawn, revision: { ...revision } },
  }
}

/** That a belief is withdrawn since an episode left too little of its confidence. */
export function contradictedAway(
  evidence: EpisodeId,
  confidence: number,
  revision: number,
  at: string,
): BeliefRevision {
  const reason = `contradicted until its confidence was below ${WITHDRAWN_BELOW}`
  const kind = 'withdrawn'
  return { revision, at, kind, before: confidence, after: confidence, evidence, verdict: 'contradicts', reason }
}

/** Drafts that an episode speaks of a belief in a way that is not clear. */
export function flag(
  { id, confidence, next, automatic }: Revised,
  episode: EpisodeId,
  reason: string,
  now: number,
): Drafted {
  const revision: BeliefRevision = {
    revision: next,
    at: toIso(now),
    kind: 'flagged',
    before: confidence,
    after: confidence,
    evidence: episode,
    reason,
    ...(automatic && { automatic }),
  }
  const report = {
    before: confidence,
    after: confidence,
    contradicted: false,
    withdrawn: false,
    revision: { ...revision },
  }
  return { events: [{ kind: 'beliefRevised', belief: id, revision }], report }
}

/** What an entry of the log of a belief reported when it was made. */
export function reportOf({ log }: Held, entry: Entry): RevisionReport {
  const { revision } = entry
  const next = log[log.indexOf(entry) + 1]?.revision
  const withdrawn = next?.kind === 'withdrawn' && next.evidence !== undefined && next.evidence === revision.evidence
  const { before = revision.after, after, verdict } = revision
  return { before, after, contradicted: verdict === 'contradicts', withdrawn, revision: { ...revision } }
}
