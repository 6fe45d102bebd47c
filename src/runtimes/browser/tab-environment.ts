import type { Channel, Locks, TabEnvironment } from '../../rpc/tabs/environment.js'

/** The place where this runs, or `undefined` where it lacks one of the two. */
export function tabEnvironment(): TabEnvironment | undefined {
  const locks = globalThis.navigator?.locks as Locks | undefined
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return undefined
  return { locks, channel: (name) => new BroadcastChannel(name) as Channel }
}
