import { statSync } from 'node:fs'
import { AgidbError } from '../base/errors.js'

/** @throws AgidbError `AGIDB_NOT_FOUND` for a file that is not there, `AGIDB_INVALID_ARGUMENT` for a folder. */
export function checkReadable(file: string, expected: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw new AgidbError('AGIDB_NOT_FOUND', `there is no file ${file}`, { path: file })
  if (stats.isDirectory())
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${file} is a folder; expected ${expected}`, { path: file })
}
