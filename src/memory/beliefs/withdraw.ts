import type { BeliefId, BeliefRevision } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import { checkId, checkText } from '../../api/check.js'
import { toIso } from '../../api/time.js'
import type { HeldBeliefs } from './held-beliefs.js'

/**
 * Withdraws a belief: it stays, and is held no more.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_BELIEF_WITHDRAWN`; the code of what else is wrong.
 */
export async function withdrawBelief(
  beliefs: HeldBeliefs,
  id: BeliefId,
  reason: string,
  caller: Caller,
): Promise<void> {
  const { limits, learn } = beliefs.context
  checkId('id', id, limits)
  checkText('reason', reason, limits)
  return learn(caller, (now) => {
    const { confidence } = beliefs.standing(id)
    const revision: BeliefRevision = {
      revision: beliefs.find(id).log.length,
      at: toIso(now),
      kind: 'withdrawn',
      before: confidence,
      after: confidence,
      reason,
    }
    return { events: [{ kind: 'beliefWithdrawn', belief: id, revision }], result: () => undefined }
  })
}
