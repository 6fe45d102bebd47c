import type { EventKind } from './event-kind.js'
import { neverStored } from './event-kind.js'

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

/** An episode was superseded: read from the superseded episode. */
export const episodeSuperseded: EventKind<'episodeSuperseded'> = {
  wording: ['superseded', 'episode', 'episodes'],
  shape: neverStored,
  subjects: ({ episode }) => [episode],
  references: ({ by }) => [by],
}
