import { AgidbError } from '../../base/errors.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'

/** Whether an error says that there is no room left. */
export function isFull(error: unknown): boolean {
  return error instanceof AgidbError && error.code === 'AGIDB_QUOTA'
}

/**
 * Runs work that writes what must be kept. When there is no room for it the checkpoint of the indexes, which can be made
 * again, gives way, and the work runs once more. It must leave nothing behind when it rejects. No checkpoint may be kept
 * meanwhile.
 */
export async function inPlaceOf<T>(checkpoint: CheckpointFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFull(error) || !(await checkpoint.giveWay())) throw error
    return work()
  }
}
