import type { Command } from 'commander'
import type { ExpireReport } from '../api/forgetting.js'
import { DB_HELP } from './configuration.js'
import { counted } from './counted.js'
import { openToChange } from './existing.js'
import { EXIT_HELP, print, printJson } from './output.js'

interface ExpireFlags {
  readonly db: string
  readonly now?: string
  readonly json?: boolean
}

/** Adds `agidb expire` to the program. */
export function addExpire(program: Command): void {
  program
    .command('expire')
    .summary('erase what was forgotten longer ago than its window')
    .description(
      'Erases what was forgotten and cannot be restored any more. A memory does so by itself when it is opened and ' +
        'while it is written to.',
    )
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--now <time>', 'as if it were this time (ISO 8601): a later one ends windows early')
    .option('--json', 'print what was erased as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb expire --db memory
${EXIT_HELP}`,
    )
    .action(expire)
}

async function expire({ db: path, now, json }: ExpireFlags): Promise<void> {
  const db = await openToChange(path)
  let report: ExpireReport
  try {
    report = await db.expire(now)
  } finally {
    await db.close()
  }
  if (json) printJson(report)
  else print(said(report))
}

function said({ unlearnings, records, events }: ExpireReport): string {
  if (unlearnings + records + events === 0) return 'nothing is left to erase'
  const erased = `erased ${counted(records, 'record')} of ${counted(unlearnings, 'unlearning')}`
  return events === 0 ? erased : `${erased}, and what ${counted(events, 'learning event')} told of them`
}
