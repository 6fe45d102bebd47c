import type { Belief, BeliefChange, BeliefId, RevisionDecision, RevisionReport } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import { checkChoice, checkId, checkText, invalid } from '../../api/check.js'
import type { Episode, EpisodeId } from '../../api/episode.js'
import { AgidbError, toWire } from '../../base/errors.js'
import { liveSlot } from '../../write/writer.js'
import { UNCLEAR } from './follow-evidence.js'
import type { HeldBeliefs } from './held-beliefs.js'
import { type Drafted, flag, reportOf, revise } from './revisions.js'
import type { Held, Standing } from './standing.js'

/**
 * Revises one belief by an episode.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_BELIEF_WITHDRAWN`; `AGIDB_INVALID_ARGUMENT` if the episode counts
 * already; `AGIDB_DECISION` if `decideRevision` failed.
 */
export async function reviseBelief(
  beliefs: HeldBeliefs,
  id: BeliefId,
  evidenceId: EpisodeId,
  caller: Caller,
): Promise<RevisionReport> {
  const { limits, indexes, find, learn, clock } = beliefs.context
  checkId('id', id, limits)
  checkId('evidenceId', evidenceId, limits)
  const earlier = beliefs.earlier(beliefs.find(id), evidenceId)
  if (earlier?.revision.automatic) return reportOf(beliefs.find(id), earlier)
  const belief = await beliefs.whole(revisable(beliefs, id, evidenceId))
  const episode = await find(evidenceId)
  if (episode === undefined) throw noEpisode(evidenceId)
  const finding = await (await beliefs.bearing()).verdict(belief, episode, { now: clock() })
  // A language model may take its time, so it is not asked while nothing else can be written.
  const decision = typeof finding === 'object' ? finding : await decide(beliefs, belief, episode)
  return learn(caller, (now) => {
    liveSlot(indexes, evidenceId)
    const { confidence } = revisable(beliefs, id, evidenceId)
    const held = beliefs.find(id)
    // That it says nothing is worth one entry.
    const before = decision.verdict === 'neutral' ? beliefs.earlier(held, evidenceId) : undefined
    if (before?.revision.kind === 'revised') {
      return { events: [], result: () => ({ ...reportOf(held, before), before: confidence, after: confidence }) }
    }
    const trust = beliefs.trust(episode.source)
    const { events, report } = revise({ id, confidence, next: held.log.length }, episode, { ...decision, trust }, now)
    return { events, answer: report, result: () => report }
  })
}

/** Revises all beliefs on which an episode bears. @throws AgidbError as {@link reviseBelief} does. */
export async function reviseBeliefs(
  beliefs: HeldBeliefs,
  episodeId: EpisodeId,
  caller: Caller,
): Promise<BeliefChange[]> {
  const { limits, indexes, find, learn, clock } = beliefs.context
  checkId('episodeId', episodeId, limits)
  const episode = await find(episodeId)
  if (episode === undefined) throw noEpisode(episodeId)
  const borne = await (await beliefs.bearing()).on(episode, { now: clock() })
  const decisions = new Map<BeliefId, RevisionDecision | 'unclear'>()
  for (const { held, isUnclear } of borne) {
    const decision = await judge(beliefs, held, episode, isUnclear)
    if (decision !== undefined) decisions.set(held.id, decision)
  }
  return learn(caller, (now) => {
    liveSlot(indexes, episodeId)
    const trust = beliefs.trust(episode.source)
    const drafts = new Map<BeliefId, Drafted>()
    for (const [id, decision] of decisions) {
      const held = beliefs.table.find(id)
      if (held === undefined) continue // retracted since
      const belief = beliefs.table.stands(held, { now })!
      // Meanwhile it may have been withdrawn, or revised by this episode.
      if (belief.withdrawn !== undefined || beliefs.isCounted(held, episodeId)) continue
      const revised = { id, confidence: belief.confidence, next: held.log.length }
      const drafted =
        decision === 'unclear'
          ? flag(revised, episodeId, UNCLEAR.begins, now)
          : revise(revised, episode, { ...decision, trust }, now)
      drafts.set(id, drafted)
    }
    const answer = borne.flatMap(({ held }): BeliefChange[] => {
      const entry = beliefs.earlier(held, episodeId)
      const report = drafts.get(held.id)?.report ?? (entry && reportOf(held, entry))
      return report === undefined ? [] : [{ belief: held.id, ...report }]
    })
    return { events: [...drafts.values()].flatMap(({ events }) => events), answer, result: () => answer }
  })
}

/** What an episode says of a belief that is not known yet. */
async function judge(
  beliefs: HeldBeliefs,
  held: Held,
  episode: Episode,
  isUnclear: boolean,
): Promise<RevisionDecision | 'unclear' | undefined> {
  const belief = beliefs.stands(held)
  const earlier = beliefs.earlier(held, episode.id)
  if (belief.withdrawn !== undefined || earlier?.revision.kind === 'revised') return undefined
  if (beliefs.isCounted(held, episode.id)) return undefined
  const finding = await (await beliefs.bearing()).verdict(belief, episode, { now: beliefs.context.clock() })
  if (typeof finding === 'object') return finding
  if (beliefs.context.options.decideRevision !== undefined) return decide(beliefs, await beliefs.whole(belief), episode)
  return (finding === 'both' || isUnclear) && earlier === undefined ? 'unclear' : undefined
}

/** A belief that is not withdrawn and that the episode has not changed yet: an episode counts once. */
function revisable(beliefs: HeldBeliefs, id: BeliefId, evidenceId: EpisodeId): Standing {
  const belief = beliefs.standing(id)
  if (beliefs.isCounted(beliefs.find(id), evidenceId)) {
    throw invalid(
      `the episode ${JSON.stringify(evidenceId)} counts for or against the belief already; an episode counts once`,
      { id, evidenceId },
    )
  }
  return belief
}

/** Asks the caller's function what an episode says of a belief. */
async function decide(beliefs: HeldBeliefs, belief: Belief, episode: Episode): Promise<RevisionDecision> {
  const { decideRevision } = beliefs.context.options
  if (decideRevision === undefined) return { verdict: 'neutral', reason: 'its triples say nothing of the claim' }
  let decision: unknown
  try {
    decision = await decideRevision(belief, episode)
  } catch (cause) {
    const message = `decideRevision failed, so the belief stays as it is: ${toWire(cause).message}`
    throw new AgidbError('AGIDB_DECISION', message, { belief: belief.id, evidence: episode.id }, { cause })
  }
  if (typeof decision !== 'object' || decision === null)
    throw invalid('decideRevision must answer { verdict, reason }', { what: 'decideRevision' })
  const { verdict, reason } = decision as RevisionDecision
  checkChoice('the verdict of decideRevision', verdict, ['supports', 'contradicts', 'neutral'])
  checkText('the reason of decideRevision', reason, beliefs.context.limits)
  return { verdict, reason }
}

function noEpisode(id: EpisodeId): AgidbError {
  return new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
}
