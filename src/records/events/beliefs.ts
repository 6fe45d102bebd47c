import { FIELD_LIMITS } from '../../api/field-limits.js'
import { list, maybe, name, names, object, oneOf, share, string, text, time, whole } from '../shapes.js'
import { type EventKind, provenance, stored } from './event-kind.js'

const { belief } = FIELD_LIMITS

const revision = object({
  revision: whole,
  at: time,
  kind: oneOf('asserted', 'revised', 'withdrawn', 'flagged'),
  before: maybe(share),
  after: share,
  evidence: maybe(name),
  verdict: maybe(oneOf('supports', 'contradicts', 'neutral')),
  reason: string(belief.reason),
  trust: maybe(share),
  automatic: maybe(oneOf(true)),
})

/** A belief was asserted. */
export const beliefAsserted: EventKind<'beliefAsserted'> = {
  wording: ['asserted', 'belief', 'beliefs'],
  shape: stored({
    belief: name,
    claim: text(belief.claim),
    subject: maybe(text(belief.subject)),
    predicate: maybe(text(belief.predicate)),
    object: maybe(text(belief.object)),
    confidence: share,
    evidence: names(belief.evidence),
    trust: maybe(list(share, belief.evidence)),
    superseded: maybe(names(belief.evidence)),
    validFrom: time,
    validTo: maybe(time),
    provenance,
  }),
  creates: true,
  subjects: ({ belief }) => [belief],
  references: ({ evidence, provenance }) => [...evidence, ...provenance.episodes],
}

/** An episode changed a belief, or was flagged for it. */
export const beliefRevised: EventKind<'beliefRevised'> = {
  wording: ['made', 'revision of a belief', 'revisions of beliefs'],
  shape: stored({ belief: name, revision, superseded: maybe(names(belief.evidence)) }),
  subjects: ({ belief }) => [belief],
  references: ({ revision }) => [revision.evidence],
}

/** A belief is held no more. */
export const beliefWithdrawn: EventKind<'beliefWithdrawn'> = {
  wording: ['withdrew', 'belief', 'beliefs'],
  shape: stored({ belief: name, revision }),
  subjects: ({ belief }) => [belief],
  references: ({ revision }) => [revision.evidence],
}
