import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { Option, type Command } from 'commander'
import { AgidbError } from '../core/errors.js'
import type { ExportFormat } from '../core/portable.js'
import { openExisting } from './existing.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { passphraseFrom, PASSPHRASE_HELP } from './passphrase.js'
import { ProgressBar } from './progress-bar.js'
import { checkWritable } from './replace.js'

interface ExportFlags {
  readonly db: string
  readonly format: ExportFormat
  readonly encrypt?: boolean
  readonly passphraseFile?: string
  readonly json?: boolean
}

/** Adds `agidb export` to the program. */
export function addExport(program: Command): void {
  program.command('export')
    .summary('write a memory into one file')
    .description('Writes all that a memory holds into one file, as a backup or to carry it elsewhere; agidb import reads it.')
    .argument('<file>', 'the file, which is replaced if it is there; - is standard output')
    .requiredOption('--db <folder>', 'the memory, a folder')
    .addOption(new Option('--format <format>', 'agidb: all of it; jsonl: the episodes, a JSON object a line, for other programs').choices(['agidb', 'jsonl']).default('agidb'))
    .option('--encrypt', 'encrypt the file with a passphrase')
    .option('--passphrase-file <file>', PASSPHRASE_HELP)
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', `
Example:
  $ agidb export backup.agidb --db memory --encrypt --passphrase-file secret.txt
${EXIT_HELP}`)
    .action(run)
}

async function run(file: string, flags: ExportFlags): Promise<void> {
  const toStdout = file === '-'
  if (!toStdout) checkWritable(file)
  const passphrase = flags.encrypt || flags.passphraseFile !== undefined ? passphraseFrom(flags.passphraseFile) : undefined
  if (flags.encrypt && passphrase === undefined) throw new AgidbError('AGIDB_INVALID_ARGUMENT', '--encrypt needs a passphrase: give --passphrase-file, or set AGIDB_PASSPHRASE')
  const db = await openExisting(flags.db, { codebook: 'none' })
  const progress = new ProgressBar(process.stderr, flags.db)
  let bytes = 0
  try {
    const stream = await db.export({ format: flags.format, passphrase })
    const write = toStdout ? writeOut : writeFile(file)
    await write((async function* () {
      for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
        bytes += piece.length
        progress.update({ said: `${bytes.toLocaleString('en')} bytes` })
        yield piece
      }
    })())
  } finally {
    progress.clear()
    await db.close()
  }
  if (toStdout) return
  if (flags.json) printJson({ file, format: flags.format, encrypted: passphrase !== undefined, bytes })
  else print(`${bytes.toLocaleString('en')} bytes in ${file}${passphrase === undefined ? '' : ', encrypted'}`)
}

type Write = (pieces: AsyncIterable<Uint8Array>) => Promise<void>

const writeOut: Write = async (pieces) => {
  for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

/** Whole or not at all; only its owner can read it. */
function writeFile(path: string): Write {
  return async (pieces) => {
    const beside = `${path}.${process.pid}.tmp`
    try {
      const fd = openSync(beside, 'w', 0o600)
      try {
        for await (const piece of pieces) for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renameSync(beside, path)
    } catch (cause) {
      rmSync(beside, { force: true })
      if (cause instanceof AgidbError) throw cause
      throw new AgidbError('AGIDB_STORAGE', `writing ${path} failed: ${(cause as Error).message}`, { path }, { cause })
    }
  }
}
