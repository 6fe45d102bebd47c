import { AgidbError } from '../../../base/errors.js'

/**
 * What the adapter needs of a driver: a client of `pg`, a PGlite, or any object with this method. It resolves to the
 * rows, or to an object that has them as `rows`.
 */
export interface PostgresDriver {
  /**
   * Runs one statement.
   *
   * @param values of `$1`, `$2` and so on; the adapter passes texts alone, since drivers differ in all other types.
   */
  query(text: string, values?: string[]): PromiseLike<unknown>
}

/** A row of an answer, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** SQLSTATE classes of the PostgreSQL manual, appendix A: disk_full. */
const DISK_FULL = '53100'
/** undefined_table: somebody dropped it. */
const UNDEFINED_TABLE = '42P01'
/** insufficient_privilege: no right to the table, or a policy keeps the row from this role. */
const NOT_ALLOWED = '42501'

/**
 * Runs one statement and gives its rows.
 *
 * @throws AgidbError `AGIDB_QUOTA` where the disk of the server is full, `AGIDB_DELETED` where a table is gone,
 * otherwise `AGIDB_STORAGE`, with what the driver threw as its cause.
 */
export async function rowsOf(driver: PostgresDriver, text: string, ...values: string[]): Promise<readonly Row[]> {
  let answer: unknown
  try {
    answer = await driver.query(text, values)
  } catch (cause) {
    throw failure(cause)
  }
  const rows = Array.isArray(answer) ? answer : (answer as { readonly rows?: unknown } | undefined)?.rows
  if (Array.isArray(rows)) return rows as readonly Row[]
  throw new AgidbError('AGIDB_STORAGE', 'the driver of PostgreSQL answered a query with something else than rows')
}

/** What a driver threw, as an error of agidb. */
export function failure(cause: unknown): AgidbError {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  const details = typeof code === 'string' ? { sqlstate: code } : {}
  if (code === UNDEFINED_TABLE)
    return new AgidbError('AGIDB_DELETED', 'the tables of this memory were dropped', details, { cause })
  const [kind, what] =
    code === DISK_FULL
      ? (['AGIDB_QUOTA', 'the disk of PostgreSQL is full'] as const)
      : code === NOT_ALLOWED
        ? (['AGIDB_STORAGE', 'this role may not use this memory; see agidb_access and its rights'] as const)
        : (['AGIDB_STORAGE', 'PostgreSQL failed'] as const)
  return new AgidbError(kind, `${what}: ${String(message ?? cause)}`, details, { cause })
}
