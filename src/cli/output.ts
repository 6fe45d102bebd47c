import { basename, dirname } from 'node:path'
import { AgidbError, toWire } from '../base/errors.js'
import { printable, printableJson } from './terminal.js'

/** Exit codes, as each `--help` lists them. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

export const EXIT_HELP = `
Exit codes: 0 done, 1 nothing found or the operation failed, 2 wrong usage, 130 interrupted.
Errors go to standard error as "agidb: message (CODE)", with --json as {"error": {code, message, details}}.`

/** Codes of errors that lie in what was typed. */
const USAGE_CODES = [
  ...['AGIDB_INVALID_ARGUMENT', 'AGIDB_INVALID_TEXT', 'AGIDB_INVALID_TIME', 'AGIDB_UNKNOWN_OPTION'],
  'AGIDB_CONFIG',
]

/** The files whose damage a repair can do something about. */
const MEMORY_FILES = ['journal.agidb', 'journal-2.agidb']

/** Writes a line on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes a value as JSON on standard output. */
export function printJson(value: unknown): void {
  print(printableJson(JSON.stringify(value, undefined, 2)))
}

/** Reports an error on standard error and gives the exit code for it. */
export function printError(error: unknown, json: boolean): number {
  const { code, message: said, details } = toWire(error)
  const message = `${said}${wayOut(code, said, details)}`
  if (json) process.stderr.write(`${printableJson(JSON.stringify({ error: { code, message, details } }))}\n`)
  else process.stderr.write(`agidb: ${printable(message)} (${code})\n`)
  if (code === 'AGIDB_INTERNAL' && !json && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  if (error instanceof AgidbError && code === 'AGIDB_ABORTED') return EXIT.interrupted
  return USAGE_CODES.includes(code) ? EXIT.usage : EXIT.failed
}

/** What there is to do about a damaged memory, unless the message says it. */
function wayOut(code: string, said: string, { file }: Readonly<Record<string, unknown>>): string {
  const isOfMemory = typeof file === 'string' && MEMORY_FILES.includes(basename(file))
  if (code !== 'AGIDB_CORRUPT' || !isOfMemory || said.includes('verify --repair')) return ''
  return `; agidb verify --repair --db ${dirname(file)} takes over what can be read, and keeps the rest aside`
}

/**
 * A reader that has gone away (`| head`) is no error; the work goes on to its end. Output that cannot be written for
 * another reason, such as a full disk, ends the program with an error.
 */
export function watchOutput(): void {
  const watch = (stream: NodeJS.WriteStream, failed: (error: Error) => number) =>
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(failed(error))
    })
  watch(process.stderr, () => EXIT.failed)
  watch(process.stdout, ({ message }) =>
    printError(new AgidbError('AGIDB_STORAGE', `standard output cannot be written: ${message}`), false),
  )
}
