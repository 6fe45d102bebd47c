import { FIELD_LIMITS } from '../../api/field-limits.js'
import { maybe, name, oneOf, text, time, whole } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

/** Something was forgotten. The event is permanent, and names nothing of what it was. */
export const unlearned: EventKind<'unlearned'> = {
  wording: ['made', 'unlearning', 'unlearnings'],
  shape: stored({
    audit: name,
    target: oneOf('episode', 'belief', 'concept', 'source', 'session', 'speaker', 'pattern', 'filter', 'all'),
    targetHash: name,
    reason: text(FIELD_LIMITS.unlearning.reason),
    tombstoneExpiry: time,
    episodesRemoved: whole,
    beliefsRemoved: whole,
    beliefsRevised: whole,
    semanticAtomsAffected: whole,
    proceduresAffected: whole,
    goalsAffected: whole,
    framesRemoved: whole,
    tracesRemoved: whole,
    episodesRevived: whole,
    signaturesInvalidated: whole,
    selfVectorDriftHamming: whole,
    framesSeen: maybe(whole),
  }),
  subjects: ({ audit }) => [audit],
  references: () => [],
}

/** An unlearning was taken back. */
export const restored: EventKind<'restored'> = {
  wording: ['restored', 'unlearning', 'unlearnings'],
  shape: stored({ audit: name }),
  subjects: ({ audit }) => [audit],
  references: () => [],
}
