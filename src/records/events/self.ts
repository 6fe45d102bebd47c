import { FIELD_LIMITS } from '../../api/field-limits.js'
import { name, names, number, text, whole } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

const { recall, selfVector } = FIELD_LIMITS

/** A recall was traced. */
export const attentionTraced: EventKind<'attentionTraced'> = {
  wording: ['traced', 'recall', 'recalls'],
  shape: stored({ recall: name, cue: text(recall.cue), considered: whole, episodes: names(recall.episodes) }),
  subjects: ({ recall }) => [recall],
  references: ({ episodes }) => episodes,
}

/** What a consolidation learned became an epoch of the self-vector. */
export const selfVectorUpdated: EventKind<'selfVectorUpdated'> = {
  wording: ['took in', 'epoch of the self-vector', 'epochs of the self-vector'],
  shape: stored({ epoch: number, drift: number, atoms: names(selfVector.atoms) }),
  subjects: () => [],
  references: ({ atoms }) => atoms,
}
