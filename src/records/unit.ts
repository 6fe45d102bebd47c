import type { Episode } from '../api/episode.js'

/** The unit of episodes without a session and a source. */
const OF_NONE = 'none'

/** The unit of something that was said: its session, or its source where it has none. */
export function unitOf({ session, source }: Pick<Episode, 'session' | 'source'>): string {
  if (session !== undefined) return `session ${session}`
  return source === undefined ? OF_NONE : `source ${source}`
}
