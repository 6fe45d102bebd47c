import { maybe, name, oneOf, share } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

/** A sensory frame became an episode. */
export const sensoryFramePromoted: EventKind<'sensoryFramePromoted'> = {
  wording: ['promoted', 'sensory frame', 'sensory frames'],
  shape: stored({
    frame: name,
    modality: name,
    episode: name,
    surprise: share,
    reason: oneOf('surprise', 'goal', 'observed'),
    differsFrom: maybe(name),
  }),
  subjects: ({ frame }) => [frame],
  references: ({ episode, differsFrom }) => [episode, differsFrom],
}
