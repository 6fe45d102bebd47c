import { createReadStream, existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { DEFAULT_LIMITS } from '../api/check.js'
import type { ImportReport } from '../api/portable.js'
import { DB_HELP, refuseWhenReadOnly } from './configuration.js'
import { pieces } from '../transfer/bytes.js'
import { readImport } from '../transfer/import.js'
import { interruption } from './interruption.js'
import { openWhenFree } from './open.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { passphraseFrom, PASSPHRASE_HELP } from './passphrase.js'
import { ProgressBar } from './progress-bar.js'
import { checkReadable } from './readable.js'

interface ImportFlags {
  readonly db: string
  readonly replace?: boolean
  readonly passphraseFile?: string
  readonly json?: boolean
}

/** Adds `agidb import` to the program. */
export function addImport(program: Command): void {
  program
    .command('import')
    .summary('fill a memory from an exported file')
    .description('Fills a memory from a file that agidb export wrote, of either format, whole or not at all.')
    .argument('<file>', 'the file; - is standard input')
    .option('--db <folder>', `the memory, a folder; made when it is not there; ${DB_HELP}`)
    .option('--replace', 'give up all that the memory holds now')
    .option('--passphrase-file <file>', PASSPHRASE_HELP)
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb import backup.agidb --db memory --passphrase-file secret.txt
${EXIT_HELP}`,
    )
    .action(run)
}

async function run(file: string, flags: ImportFlags): Promise<void> {
  if (file !== '-') checkReadable(file, 'an exported memory')
  const passphrase = passphraseFrom(flags.passphraseFile)
  refuseWhenReadOnly(flags.db)
  if (!existsSync(flags.db) && file !== '-' && statSync(file).isFile()) await checkBeginning(file, passphrase)
  const interrupted = interruption()
  const progress = new ProgressBar(process.stderr, file === '-' ? 'standard input' : file)
  const db = await openWhenFree(flags.db)
  const source = file === '-' ? process.stdin : createReadStream(file)
  try {
    const report = await db.import(source as AsyncIterable<Uint8Array>, {
      replace: flags.replace,
      passphrase,
      signal: interrupted.signal,
      onProgress: ({ done, total }) =>
        progress.update({
          said: `${done.toLocaleString('en')} rows`,
          ...(total !== undefined && { share: done / total }),
        }),
    })
    progress.clear()
    if (flags.json) printJson(report)
    else print(said(report, flags.db))
  } finally {
    progress.clear()
    source.destroy()
    await db.close()
    interrupted.release()
  }
}

/**
 * Reads the beginning of a file, so that one that is no export, or is encrypted by another passphrase, makes no memory.
 * Not what can be read once alone, such as a pipe.
 */
async function checkBeginning(file: string, passphrase: string | undefined): Promise<void> {
  const bytes = pieces(createReadStream(file))
  try {
    const imported = await readImport(bytes, { passphrase }, DEFAULT_LIMITS)
    if (imported.format === 'jsonl') await imported.observations.next()
  } finally {
    await bytes.return(undefined)
  }
}

function said({ episodes, forgotten = 0 }: ImportReport, db: string): string {
  const number = (value: number): string => value.toLocaleString('en')
  const left = `; ${number(forgotten)} ${forgotten === 1 ? 'row was' : 'rows were'} forgotten since the file was made`
  return `${number(episodes)} ${episodes === 1 ? 'memory' : 'memories'} in ${db}${forgotten === 0 ? '' : left}`
}
