import { either, name } from '../shapes.js'
import { type EventKind, neverStored, stored } from './event-kind.js'

/** An episode was stored: read from the episode. */
export const episodeStored: EventKind<'episodeStored'> = {
  wording: ['remembered', 'episode', 'episodes'],
  shape: neverStored,
  subjects: ({ episode }) => [episode],
  references: () => [],
}

/** What an episode says was changed: read from the episode and its versions. */
export const episodeUpdated: EventKind<'episodeUpdated'> = {
  wording: ['updated', 'episode', 'episodes'],
  shape: neverStored,
  subjects: ({ episode }) => [episode],
  references: () => [],
}

/** An episode was observed for a goal or with a belief. It is about that: it goes with it. */
export const episodeLinked: EventKind<'episodeLinked'> = {
  wording: ['linked', 'episode', 'episodes'],
  shape: either(stored({ episode: name, goal: name }), stored({ episode: name, belief: name })),
  subjects: ({ goal, belief }) => [goal, belief],
  references: ({ episode }) => [episode],
}

/** An episode was superseded: read from the superseded episode. */
export const episodeSuperseded: EventKind<'episodeSuperseded'> = {
  wording: ['superseded', 'episode', 'episodes'],
  shape: neverStored,
  subjects: ({ episode }) => [episode],
  references: ({ by }) => [by],
}
