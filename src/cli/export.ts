import { once } from 'node:events'
import { Option, type Command } from 'commander'
import { checkSignal } from '../api/check.js'
import { AgidbError } from '../base/errors.js'
import type { Filter } from '../api/filter.js'
import type { ExportFormat } from '../api/portable.js'
import { DB_HELP } from './configuration.js'
import { openExisting } from './existing.js'
import { filterOf } from './filter.js'
import { interruption } from './interruption.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { passphraseFrom, PASSPHRASE_HELP, PASSPHRASE_VARIABLE } from './passphrase.js'
import { ProgressBar } from './progress-bar.js'
import { checkWritable, replaceFile } from './replace.js'

interface ExportFlags {
  readonly db: string
  readonly format: ExportFormat
  /** False with `--no-encrypt`. */
  readonly encrypt?: boolean
  readonly passphraseFile?: string
  readonly filter?: Filter
  readonly sealed?: boolean
  readonly json?: boolean
}

/** Adds `agidb export` to the program. */
export function addExport(program: Command): void {
  program
    .command('export')
    .summary('write a memory into one file')
    .description(
      'Writes all that a memory holds into one file, as a backup or to carry it elsewhere; agidb import reads it.',
    )
    .argument('<file>', 'the file, which is replaced if it is there; - is standard output')
    .option('--db <folder>', `the memory, a folder; ${DB_HELP}`)
    .addOption(
      new Option('--format <format>', 'agidb: all of it; jsonl: the episodes, a JSON object a line, for other programs')
        .choices(['agidb', 'jsonl'])
        .default('agidb'),
    )
    .option('--encrypt', 'encrypt the file; fail without a passphrase (with one it is encrypted anyway)')
    .option('--no-encrypt', `write it in plain although ${PASSPHRASE_VARIABLE} is set`)
    .option('--passphrase-file <file>', PASSPHRASE_HELP)
    .option(
      '--sealed',
      'leave the rows encrypted with the keys of the memory: it alone can import them, and what it erases later ' +
        'cannot be read in the file either',
    )
    .option('--filter <json>', 'only memories that pass this filter, and nothing that tells of others', filterOf)
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb export backup.agidb --db memory --encrypt --passphrase-file secret.txt
${EXIT_HELP}`,
    )
    .action(run)
}

async function run(file: string, flags: ExportFlags): Promise<void> {
  const toStdout = file === '-'
  if (!toStdout) checkWritable(file)
  const passphrase = passphraseOf(flags)
  const interrupted = interruption()
  const db = await openExisting(flags.db, { codebook: 'none' })
  const progress = new ProgressBar(process.stderr, flags.db)
  let bytes = 0
  try {
    const stream = await db.export({
      format: flags.format,
      passphrase,
      filter: flags.filter,
      sealed: flags.sealed,
    })
    const pieces = (async function* () {
      for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
        checkSignal(interrupted.signal)
        bytes += piece.length
        progress.update({ said: `${bytes.toLocaleString('en')} bytes` })
        yield piece
      }
    })()
    await (toStdout ? writeOut(pieces) : replaceFile(file, pieces))
  } finally {
    progress.clear()
    await db.close()
    interrupted.release()
  }
  if (toStdout) return
  const [encrypted, sealed] = [passphrase !== undefined, flags.sealed === true]
  if (flags.json) printJson({ file, format: flags.format, encrypted, sealed, bytes })
  else
    print(`${bytes.toLocaleString('en')} bytes in ${file}${encrypted ? ', encrypted' : ''}${sealed ? ', sealed' : ''}`)
}

/**
 * The passphrase to encrypt with, if the file is to be encrypted: whoever has one set does not expect plain text.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` when the flags contradict each other or the format.
 */
function passphraseOf({ encrypt, passphraseFile, format }: ExportFlags): string | undefined {
  const wrong = (message: string) => new AgidbError('AGIDB_INVALID_ARGUMENT', message)
  if (encrypt === false) {
    if (passphraseFile !== undefined) throw wrong('--no-encrypt contradicts --passphrase-file; give one of them')
    return undefined
  }
  const passphrase = passphraseFrom(passphraseFile)
  if (encrypt && passphrase === undefined) {
    throw wrong(`--encrypt needs a passphrase: give --passphrase-file, or set ${PASSPHRASE_VARIABLE}`)
  }
  if (format === 'jsonl' && passphrase !== undefined) {
    const message = 'JSON lines are not encrypted, but a passphrase is set'
    throw wrong(`${message}: give --no-encrypt to write them in plain, or leave --format out`)
  }
  return passphrase
}

/** Writes bytes to standard output as fast as its reader takes them. Nothing more where the reader has gone away. */
async function writeOut(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
