import { FIELD_LIMITS } from '../../api/field-limits.js'
import { names, name, oneOf, pair, string } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

const { concept } = FIELD_LIMITS

/** Two names were found, or were said, to be of one concept. Only what a caller said is stored. */
export const conceptsMerged: EventKind<'conceptsMerged'> = {
  wording: ['merged', 'pair of names', 'pairs of names'],
  shape: stored({
    concept: name,
    names: pair(string(concept.name)),
    reason: oneOf('caller'),
    evidence: names(concept.evidence),
  }),
  subjects: ({ concept }) => [concept],
  references: ({ evidence }) => evidence,
}

/** A caller took names out of a concept. */
export const conceptsSplit: EventKind<'conceptsSplit'> = {
  wording: ['split', 'concept', 'concepts'],
  shape: stored({ concept: name, names: names(concept.names), from: names(concept.names) }),
  subjects: ({ concept }) => [concept],
  references: () => [],
}
