import { AgidbError } from '../base/errors.js'

/** Errors of calls that another call got ahead of. */
const RACES: readonly string[] = ['AGIDB_DUPLICATE_ID', 'AGIDB_NOT_FOUND']
const ATTEMPTS = 10
/** How long the second attempt waits for the other call, in milliseconds; each further one waits twice as long. */
const WAIT_MS = 10

/**
 * Writes; again where another call stored or removed one of the episodes at the same time. It waits before it tries
 * again, because an id is taken before its episode is durable and can be read.
 *
 * @throws what the last of ten attempts throws, after five seconds, and at once what is no such race
 */
export async function retried(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      const isRace = error instanceof AgidbError && RACES.includes(error.code)
      if (!isRace || attempt === ATTEMPTS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS * 2 ** (attempt - 1)))
  }
}
