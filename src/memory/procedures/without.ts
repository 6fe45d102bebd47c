import type { LearningEvent } from '../../api/learning.js'
import type { ProcedureId } from '../../api/procedure.js'
import type { Logged } from '../../records/event-log.js'
import { present } from '../evidence.js'
import type { IsGone } from '../projection.js'
import { isProcedureEvent } from './projection.js'

/**
 * The events of procedures without episodes that are gone. A procedure that was learned from episodes, none of which is
 * left, was never learned; one that lost some of them says so.
 */
export function proceduresWithout(
  events: readonly Logged[],
  isGone: IsGone,
): Map<LearningEvent, LearningEvent | undefined> {
  const instead = new Map<LearningEvent, LearningEvent | undefined>()
  /** Of the procedures that lost evidence, whether some is left. */
  const left = new Map<ProcedureId, boolean>()
  for (const { event, slot } of events) {
    const evidence = evidenceOf(event)
    if (evidence.length === 0 || !isProcedureEvent(event)) continue
    const there = present(evidence, slot, isGone)
    left.set(event.procedure, left.get(event.procedure) === true || there.length > 0)
    if (there !== evidence) instead.set(event, withEvidence(event, there))
  }
  for (const { event } of events)
    if (isProcedureEvent(event) && left.get(event.procedure) === false) instead.set(event, undefined)
  return instead
}

/** The episodes that an event brought to the evidence of a procedure. */
export function evidenceOf(event: LearningEvent): readonly string[] {
  if (event.kind === 'procedureLearned') return event.provenance.episodes
  return event.kind === 'procedureRevised' ? event.evidence : []
}

function withEvidence(event: LearningEvent, evidence: readonly string[]): LearningEvent {
  if (event.kind === 'procedureLearned')
    return { ...event, provenance: { ...event.provenance, episodes: evidence }, lost: true }
  return event.kind === 'procedureRevised' ? { ...event, evidence, lost: true } : event
}
