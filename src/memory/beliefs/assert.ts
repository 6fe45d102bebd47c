import type { BeliefId, NewBelief } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import { checkKeys, checkName, checkNumber, checkText, invalid } from '../../api/check.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import { expectAfter, toIso, toMillis } from '../../api/time.js'
import type { NewEvent } from '../../records/event-log.js'
import { checkEvidence, expectEvidence } from '../evidence.js'
import { again, type Assertion } from './assertion.js'
import type { HeldBeliefs } from './held-beliefs.js'

const PARTS = ['subject', 'predicate', 'object'] as const
const KEYS = ['claim', ...PARTS, 'confidence', 'evidence', 'validFrom', 'validTo', 'session', 'source']

/**
 * Asserts a belief; what is held already is held the more, and keeps its id.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` when evidence is missing; the code of what else is wrong.
 */
export async function assertBelief(beliefs: HeldBeliefs, belief: NewBelief, caller: Caller): Promise<BeliefId> {
  const { limits } = beliefs.context
  checkKeys('belief', belief, KEYS)
  if (belief === undefined) throw invalid('belief is undefined; expected { claim, … }', { what: 'belief' })
  const { claim, subject, predicate, object, confidence = 0.5, session, source } = belief
  checkText('claim', claim, limits, FIELD_LIMITS.belief.claim)
  for (const [what, name] of Object.entries({ subject, predicate, object, session, source }))
    checkName(what, name, limits)
  const missing = PARTS.filter((part) => belief[part] === undefined)
  if (missing.length % PARTS.length > 0) {
    throw invalid(
      `the belief has no ${missing.join(' and no ')}; a statement has a subject, a predicate and an object: ` +
        'give all three, or none',
      { missing },
    )
  }
  checkNumber('confidence', confidence, 0, 1)
  const evidence = checkEvidence('evidence', belief.evidence, beliefs.context.limits)
  const from = belief.validFrom === undefined ? undefined : toMillis(belief.validFrom, 'validFrom')
  const to = belief.validTo === undefined ? undefined : toMillis(belief.validTo, 'validTo')
  const {
    indexes: { catalog },
    learn,
    makeId,
  } = beliefs.context
  return learn(caller, async (now) => {
    expectEvidence(catalog, evidence)
    const start = from ?? now
    if (to !== undefined) expectAfter('validTo', to, 'validFrom', start)
    const given: Assertion = {
      claim,
      ...(subject !== undefined && { subject, predicate, object }),
      ...(belief.confidence !== undefined && { confidence }),
      evidence,
      validFrom: toIso(start),
      ...(to !== undefined && { validTo: toIso(to) }),
    }
    const trust = evidence.map((episode) => beliefs.trust(catalog.source(catalog.slot(episode)!)))
    const superseded = evidence.filter((episode) => catalog.validTo(catalog.slot(episode)!) <= now)
    const same = await again(beliefs.table, await beliefs.bearing(), given, { trust, superseded }, now)
    const grounds = { ...(evidence.length > 0 && { trust }), ...(superseded.length > 0 && { superseded }) }
    const provenance = {
      ...(source !== undefined && { source }),
      ...(session !== undefined && { session }),
      writer: caller.writer,
      episodes: evidence,
    }
    if (same !== undefined) {
      const repeated: NewEvent<'beliefReasserted'> = {
        kind: 'beliefReasserted',
        belief: same.id,
        ...given,
        ...grounds,
        provenance,
      }
      return { events: [repeated, ...same.events], answer: same.id, result: () => same.id }
    }
    const id = makeId('be_', now, (id) => beliefs.table.find(id) !== undefined)
    const event: NewEvent<'beliefAsserted'> = {
      kind: 'beliefAsserted',
      belief: id,
      ...given,
      confidence,
      ...grounds,
      provenance,
    }
    return { events: [event], answer: id, result: () => id }
  })
}
