import type { LearningEvent } from '../../api/learning.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import type { Decision } from '../../indexes/concepts/links.js'

/** An event by which a caller decided which names are of one concept. */
export type DecisionEvent = LearningEvent<'conceptsMerged' | 'conceptsSplit'>

export function isDecision(event: LearningEvent): event is DecisionEvent {
  return event.kind === 'conceptsMerged' || event.kind === 'conceptsSplit'
}

/** The names that an event is about. */
export function namesOf(event: DecisionEvent): readonly string[] {
  return event.kind === 'conceptsMerged' ? event.names : [...event.names, ...event.from]
}

/** What an event decides, by the keys of its names. */
export function decisionOf(event: DecisionEvent): Decision {
  if (event.kind === 'conceptsMerged') {
    const [a, b] = event.names
    return { kind: 'merge', keys: [identityOf(a), identityOf(b)] }
  }
  return { kind: 'split', keys: event.names.map(identityOf), from: event.from.map(identityOf) }
}
