import { readFileSync } from 'node:fs'
import { AgidbError } from '../base/errors.js'

/**
 * The environment variable that has the passphrase where no file is given. An argument cannot give it: other users of
 * the machine see the arguments of a process.
 */
export const PASSPHRASE_VARIABLE = 'AGIDB_PASSPHRASE'

export const PASSPHRASE_HELP =
  'the first line of this file is the passphrase ' +
  `(default: the environment variable ${PASSPHRASE_VARIABLE}, if it is set)`

/**
 * @throws AgidbError `AGIDB_STORAGE` when the file cannot be read, `AGIDB_INVALID_ARGUMENT` when its first line is
 * empty.
 */
export function passphraseFrom(file: string | undefined): string | undefined {
  if (file === undefined) return process.env[PASSPHRASE_VARIABLE] || undefined
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_STORAGE',
      `the passphrase file cannot be read: ${(cause as Error).message}`,
      { path: file },
      { cause },
    )
  }
  const [line] = text.split(/\r?\n/, 1)
  if (line === '')
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', `the first line of ${file} is empty; expected a passphrase`, {
      path: file,
    })
  return line
}
