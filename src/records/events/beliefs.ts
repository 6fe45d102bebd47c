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

const rederived = maybe(oneOf(true))

/** What an assertion is given. */
const given = {
  belief: name,
  claim: text(belief.claim),
  subject: maybe(text(belief.subject)),
  predicate: maybe(text(belief.predicate)),
  object: maybe(text(belief.object)),
  evidence: names(belief.evidence),
  trust: maybe(list(share, belief.evidence)),
  superseded: maybe(names(belief.evidence)),
  validFrom: time,
  validTo: maybe(time),
  provenance,
}

/** A belief was asserted. */
export const beliefAsserted: EventKind<'beliefAsserted'> = {
  wording: ['asserted', 'belief', 'beliefs'],
  shape: stored({ ...given, confidence: share, automatic: maybe(whole) }),
  creates: true,
  subjects: ({ belief }) => [belief],
  references: ({ evidence, provenance }) => [...evidence, ...provenance.episodes],
}

/** A belief was asserted again. */
export const beliefReasserted: EventKind<'beliefReasserted'> = {
  wording: ['asserted again', 'belief', 'beliefs'],
  shape: stored({ ...given, confidence: maybe(share) }),
  subjects: ({ belief }) => [belief],
  references: ({ evidence, provenance }) => [...evidence, ...provenance.episodes],
}

/** An episode changed a belief, or was flagged for it. */
export const beliefRevised: EventKind<'beliefRevised'> = {
  wording: ['made', 'revision of a belief', 'revisions of beliefs'],
  shape: stored({ belief: name, revision, superseded: maybe(names(belief.evidence)), rederived }),
  subjects: ({ belief }) => [belief],
  references: ({ revision }) => [revision.evidence],
}

/** A belief is held no more. */
export const beliefWithdrawn: EventKind<'beliefWithdrawn'> = {
  wording: ['withdrew', 'belief', 'beliefs'],
  shape: stored({ belief: name, revision, rederived }),
  subjects: ({ belief }) => [belief],
  references: ({ revision }) => [revision.evidence],
}
