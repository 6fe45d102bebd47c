import { AgidbError, type ErrorCode } from '../../../base/errors.js'

/** Primary result codes (https://www.sqlite.org/rescode.html) that have a code of ours. */
const CODES: Readonly<Record<number, readonly [name: string, code: ErrorCode]>> = {
  5: ['SQLITE_BUSY', 'AGIDB_STORAGE'],
  11: ['SQLITE_CORRUPT', 'AGIDB_CORRUPT'],
  13: ['SQLITE_FULL', 'AGIDB_QUOTA'],
  26: ['SQLITE_NOTADB', 'AGIDB_FOREIGN_FILE'],
}

/** The error of a driver, with a code of ours; `details.sqlite` has the name of SQLite's where it is told. */
export function sqliteError(cause: unknown, where: string): AgidbError {
  if (cause instanceof AgidbError) return cause
  const { code, errcode, errno, rawCode, message } = (cause ?? {}) as Readonly<Record<string, unknown>>
  // node:sqlite, bun:sqlite and libsql have the number, better-sqlite3 the name alone.
  const number = [errcode, errno, rawCode].find((one): one is number => typeof one === 'number')
  const named = Object.values(CODES).find(([name]) => typeof code === 'string' && code.startsWith(name))
  const [name, ours] = named ?? CODES[(number ?? 0) & 0xff] ?? [undefined, 'AGIDB_STORAGE']
  const sqlite = name ?? (typeof code === 'string' ? code : undefined)
  return new AgidbError(ours, `${where} failed: ${String(message ?? cause)}`, sqlite === undefined ? {} : { sqlite }, {
    cause,
  })
}

/** Whether another connection has what was asked for. */
export function isBusy(error: unknown): error is AgidbError {
  return error instanceof AgidbError && error.details['sqlite'] === 'SQLITE_BUSY'
}
