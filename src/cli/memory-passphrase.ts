import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { AgidbError } from '../base/errors.js'

/**
 * The environment variable that has the passphrase of the memory. It is another one than that of exports, so that a
 * backup can have a passphrase of its own.
 */
export const MEMORY_PASSPHRASE_VARIABLE = 'AGIDB_MEMORY_PASSPHRASE'

/**
 * The passphrase of an encrypted memory: from the environment, or from whoever sits at the terminal.
 *
 * @throws AgidbError `AGIDB_PASSPHRASE` where there is neither
 */
export async function memoryPassphrase(path: string): Promise<string> {
  const given = process.env[MEMORY_PASSPHRASE_VARIABLE]
  if (given !== undefined && given !== '') return given
  const typed = process.stdin.isTTY && process.stderr.isTTY ? await ask(`Passphrase of ${path}: `) : undefined
  if (typed !== undefined) return typed
  const message =
    `the memory ${path} is encrypted with a passphrase: set the environment variable ${MEMORY_PASSPHRASE_VARIABLE}, ` +
    'or run the command in a terminal, which asks for it'
  throw new AgidbError('AGIDB_PASSPHRASE', message, { path, variable: MEMORY_PASSPHRASE_VARIABLE })
}

/** Asks at the terminal; what is typed is not shown. `undefined` where nothing is answered. */
async function ask(question: string): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  // Not before: until now the terminal shows what is typed.
  process.stderr.write(question)
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const ended = once(terminal, 'close').then(() => undefined)
  try {
    return (await Promise.race([terminal.question(''), ended])) || undefined
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
