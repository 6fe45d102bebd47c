import { AgidbError } from '../../../base/errors.js'
import { rowsOf, type PostgresDriver } from './driver.js'

/** The key of the lock of a namespace: that of the same name in another schema is another. */
const KEY = `hashtextextended(to_regclass('agidb_memory')::oid::text || ':' || $1::text, 0)`

/**
 * Takes the advisory lock of a namespace for the session of the driver, without waiting. The server releases it when
 * the session ends, so a crash leaves none behind. A session may take an advisory lock twice; here it may not, because
 * several adapters may share one connection.
 *
 * @returns what releases it.
 * @throws AgidbError `AGIDB_IN_USE`
 */
export async function lockWriter(driver: PostgresDriver, namespace: string): Promise<() => Promise<void>> {
  const [{ locked }] = await rowsOf(
    driver,
    `with wanted as materialized (select ${KEY} as key)
    select case when exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1 and pid = pg_backend_pid() and granted
        and database = (select oid from pg_database where datname = current_database())
        and ((classid::bigint << 32) | objid::bigint) = key)
    then false else pg_try_advisory_lock(key) end as locked from wanted`,
    namespace,
  )
  if (locked !== true && locked !== 't')
    throw new AgidbError('AGIDB_IN_USE', `the memory "${namespace}" is open already in this PostgreSQL`, { namespace })
  return async () => void (await rowsOf(driver, `select pg_advisory_unlock(${KEY})`, namespace))
}
