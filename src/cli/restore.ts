import type { Command } from 'commander'
import type { RestoreReport } from '../api/forgetting.js'
import { DB_HELP } from './configuration.js'
import { counted } from './counted.js'
import { openToChange } from './existing.js'
import { EXIT_HELP, print, printJson } from './output.js'

/** Adds `agidb restore` to the program. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .summary('bring back what was forgotten')
    .description(
      'Brings back what agidb forget took away, as it was; what was learned since stays. Not after its window is over.',
    )
    .argument('<audit>', 'the id of the unlearning, as agidb forget and agidb history print it')
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb history --db memory
  $ agidb restore au_01JCYB6V0G8M2Q4T9XKZ3N5R7W --db memory
${EXIT_HELP}`,
    )
    .action(restore)
}

async function restore(
  audit: string,
  { db: path, json }: { readonly db: string; readonly json?: boolean },
): Promise<void> {
  const db = await openToChange(path)
  let report: RestoreReport
  try {
    report = await db.restoreWithinWindow(audit)
  } finally {
    await db.close()
  }
  if (json) printJson(report)
  else print(`restored: ${said(report)}`)
}

function said({ episodesRestored, framesRestored, eventsRestored }: RestoreReport): string {
  const parts = [
    counted(episodesRestored, 'memory', 'memories'),
    ...(framesRestored > 0 ? [counted(framesRestored, 'sensory frame')] : []),
    ...(eventsRestored > 0 ? [counted(eventsRestored, 'learning event')] : []),
  ]
  return parts.join(', ')
}
