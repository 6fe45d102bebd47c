import { AgidbError } from '../../base/errors.js'
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js'

/** Whether an error says that there is no room left. */
export function isFull(error: unknown): boolean {
  return error instanceof AgidbError && error.code === 'AGIDB_QUOTA'
}

/**
 * Runs work that writes data which must be kept. If there is no room for it, this deletes the checkpoint of the
 * indexes, which can be made again, and runs the work once more. The work must leave nothing behind when it rejects,
 * and no checkpoint may be written while it runs.
 */
export async function inPlaceOf<T>(checkpoint: CheckpointFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFull(error) || !(await checkpoint.giveWay())) throw error
    return work()
  }
}
