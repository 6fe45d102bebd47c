import { AgidbError } from '../../../base/errors.js'
import { rowsOf, type PostgresDriver } from './driver.js'
import { expectSchema } from './schema.js'
import { type Found, foundIn, type Writing } from './writer.js'

/** How many memories are open in the transaction of a connection. */
const opened = new WeakMap<PostgresDriver, number>()
/** Connections with a memory that follows its writer: its transaction ends with each refresh. */
const following = new WeakSet<PostgresDriver>()

/**
 * Begins a transaction that reads everything as it is now, whatever is written meanwhile; memories of one connection
 * share it. It takes no lock and writes nothing.
 *
 * @param follows whether the memory follows its writer, and so needs the transaction for itself.
 * @returns what ends it.
 * @throws AgidbError `AGIDB_UNSUPPORTED` where the driver keeps no session, or the transaction cannot be shared.
 */
export async function beginSnapshot(driver: PostgresDriver, follows = false): Promise<() => Promise<void>> {
  const others = opened.get(driver) ?? 0
  if (others > 0 && (follows || following.has(driver)))
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'a memory with a listener reads in a transaction of its own: give it, and each of its scopes, another connection',
    )
  if (follows) following.add(driver)
  opened.set(driver, others + 1)
  const end = async (): Promise<void> => {
    const left = opened.get(driver)! - 1
    opened.set(driver, left)
    if (left > 0) return
    following.delete(driver)
    await rowsOf(driver, 'commit')
  }
  try {
    if (others === 0) await rowsOf(driver, 'begin isolation level repeatable read read only')
    const [row] = await rowsOf(driver, `select current_setting('transaction_read_only') as is_on`)
    if (row.is_on !== 'on')
      throw new AgidbError(
        'AGIDB_UNSUPPORTED',
        'readOnly: true reads in one transaction, and this driver sends each statement through another session',
      )
    return end
  } catch (error) {
    await end().catch(() => undefined)
    throw error
  }
}

/** @throws AgidbError `AGIDB_NOT_FOUND` where there is no such memory, or this role may not see it. */
export async function findMemory(driver: PostgresDriver, namespace: string): Promise<Found> {
  await expectSchema(driver)
  const [row] = await rowsOf(
    driver,
    'select database_id, content, next_slot, checkpoint, bits_to from agidb_memory where namespace = $1::text',
    namespace,
  )
  if (row === undefined) {
    const message = `there is no memory "${namespace}" in this PostgreSQL, or its role may not see it; readOnly: true`
    throw new AgidbError('AGIDB_NOT_FOUND', `${message} makes none`, { namespace })
  }
  return foundIn(row)
}

/** Refuses all that would change a memory. */
export function refusing(namespace: string): Writing {
  const refuse = async (): Promise<never> => {
    const message = `the memory "${namespace}" was opened with readOnly: true; open it without to write`
    throw new AgidbError('AGIDB_READ_ONLY', message, { namespace })
  }
  return {
    revision: 0,
    write: refuse,
    switchTo: refuse,
    writePieces: refuse,
    keep: refuse,
    sweep: refuse,
    fillBits: refuse,
    refillBits: refuse,
  }
}
