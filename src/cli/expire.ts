import { type Command, Option } from 'commander'
import type { ExpireReport, UnlearnRecord } from '../api/forgetting.js'
import { DB_HELP } from './configuration.js'
import { counted } from './counted.js'
import { openToChange } from './existing.js'
import { momentOf } from './match.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { greatest } from '../base/extremes.js'

interface ExpireFlags {
  readonly db: string
  readonly now?: string
  readonly all?: boolean
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
    .option('--all', 'erase at once all that was forgotten, also what could still be restored')
    .addOption(
      new Option('--now <time>', 'as if it were this time (ISO 8601): a later one ends windows early').conflicts('all'),
    )
    .option('--json', 'print what was erased as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb expire --db memory
  $ agidb expire --all --db memory
${EXIT_HELP}`,
    )
    .action(expire)
}

async function expire({ db: path, now, all = false, json }: ExpireFlags): Promise<void> {
  const db = await openToChange(path)
  let report: ExpireReport
  let left: UnlearnRecord[]
  try {
    const end = all ? lastExpiry(restorable(await db.unlearnHistory(0))) : undefined
    report = await db.expire(end ?? now)
    left = restorable(await db.unlearnHistory(0))
  } finally {
    await db.close()
  }
  if (json) printJson(report)
  else print(said(report) + leftover(left))
}

/** What was forgotten and can be restored. */
function restorable(records: readonly UnlearnRecord[]): UnlearnRecord[] {
  return records.filter(({ state }) => state === 'restorable')
}

/** When the last window of some unlearnings is over; `undefined` where there are none. */
function lastExpiry(records: readonly UnlearnRecord[]): Date | undefined {
  const ends = records.map(({ tombstoneExpiry }) => Date.parse(tombstoneExpiry))
  return ends.length === 0 ? undefined : new Date(greatest(ends))
}

function said({ unlearnings, records, events }: ExpireReport): string {
  if (unlearnings + records + events === 0) return 'nothing is left to erase'
  const erased = `erased ${counted(records, 'record')} of ${counted(unlearnings, 'unlearning')}`
  return events === 0 ? erased : `${erased}, and what ${counted(events, 'learning event')} told of them`
}

function leftover(records: readonly UnlearnRecord[]): string {
  const end = lastExpiry(records)
  if (end === undefined) return ''
  const them = records.length === 1 ? 'it' : 'them'
  const until = momentOf(end.toISOString())
  return `; ${counted(records.length, 'unlearning')} can be restored until ${until}, --all erases ${them} now`
}
