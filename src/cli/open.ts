import { setTimeout as sleep } from 'node:timers/promises'
import { AgidbError } from '../core/errors.js'
import { Agidb } from '../node.js'

/** Milliseconds to wait for another command to end: most take less. */
const PATIENCE = 2_000
/** Milliseconds between two attempts. */
const INTERVAL = 50

/**
 * Opens a database, and waits a little when another process has it open.
 *
 * @throws AgidbError `AGIDB_IN_USE` when that takes longer than `patience` milliseconds, and whatever `Agidb.open` throws.
 */
export async function openWhenFree(path: string, patience = PATIENCE): Promise<Agidb> {
  const until = performance.now() + patience
  for (;;) {
    try {
      return await Agidb.open({ path })
    } catch (error) {
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_IN_USE') throw error
      if (performance.now() >= until) {
        const message = `${error.message}; a memory is open to one process at a time: wait until that one has ended, or end it, then run this again`
        throw new AgidbError(error.code, message, error.details, { cause: error })
      }
    }
    await sleep(INTERVAL)
  }
}
