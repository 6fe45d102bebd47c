import type { Episode } from '../api/episode.js'

/**
 * Whether an episode has expired. It is erased some time later, and must not be read until then.
 *
 * @param now epoch milliseconds
 */
export function isExpired({ expiresAt }: Pick<Episode, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now
}
