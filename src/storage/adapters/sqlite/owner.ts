// One program at a time has the memories of a database: it holds the lock of a second, empty database beside it, so
// that other connections may go on reading and writing tables of their own. The system releases the lock of a process
// that ends, however it ends (https://www.sqlite.org/lockingv3.html).
import { AgidbError } from '../../../base/errors.js'
import type { SqliteDatabase } from './database.js'
import { isBusy } from './failure.js'

type Run = SqliteDatabase['run']

/** The name of the second database within a connection. */
const OWNER = 'agidb_owner'
/** How often it is tried: of two that try at once, both may be refused. */
const ATTEMPTS = 4
const PAUSE_MS = 15

/**
 * Takes the database for this connection until the function that it resolves to is called.
 *
 * @param file of the database; '' where it is in main memory, which no other process can open.
 * @param settle called with each attempt, before the lock is taken.
 * @throws AgidbError `AGIDB_IN_USE`
 */
export async function takeOwnership(run: Run, file: string, settle: () => void): Promise<() => void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return impatient(run, () => {
        settle()
        return file === '' ? () => undefined : lock(run, file)
      })
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === ATTEMPTS) {
        const message = `the memories in ${file} are open already: close them there first`
        throw new AgidbError('AGIDB_IN_USE', message, { path: file }, { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())))
    }
  }
}

/** Runs `work` without waiting for other connections. */
function impatient<T>(run: Run, work: () => T): T {
  const [row] = run('PRAGMA busy_timeout')
  const patience = Object.values(row)[0] as number
  run('PRAGMA busy_timeout = 0')
  try {
    return work()
  } finally {
    run(`PRAGMA busy_timeout = ${patience}`)
  }
}

function lock(run: Run, file: string): () => void {
  try {
    run(`ATTACH ? AS ${OWNER}`, `${file}-agidb`)
  } catch (error) {
    if (isBusy(error) || !isForbidden(error)) throw error
    return lockWhole(run)
  }
  const detach = (): void => void run(`DETACH ${OWNER}`)
  try {
    for (const pragma of ['journal_mode = MEMORY', 'locking_mode = EXCLUSIVE', 'user_version = 1'])
      run(`PRAGMA ${OWNER}.${pragma}`)
    return detach
  } catch (error) {
    detach()
    throw error
  }
}

/** Whether the driver attaches no database: Deno without all permissions, or a build of SQLite without. */
function isForbidden(error: unknown): boolean {
  return error instanceof AgidbError && /attached databases|not authorized|prohibited/.test(error.message)
}

/** Locks the database itself: then no other connection can even read it. */
function lockWhole(run: Run): () => void {
  // A log that is first read in exclusive mode cannot be left to others again (https://www.sqlite.org/wal.html).
  const read = (): void => void run('SELECT count(*) FROM sqlite_master')
  const unlock = (): void => {
    run('PRAGMA main.locking_mode = NORMAL')
    read() // the mode takes effect with the next access
  }
  read()
  run('PRAGMA main.locking_mode = EXCLUSIVE')
  try {
    run('BEGIN IMMEDIATE')
    run('COMMIT')
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}
