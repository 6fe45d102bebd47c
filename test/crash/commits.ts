import type { StorageChange } from '../../src/api/storage.js'
import { puts } from '../../src/storage/contract/episodes.js'

/** Episodes of a commit. */
export const COMMIT = 20

/** The commit with a number: each puts other episodes, so that what is found tells which were stored. */
export function commitOf(index: number): StorageChange[] {
  return puts(index * COMMIT, COMMIT, 300)
}
