import type { Command } from 'commander'
import { AgidbError } from '../base/errors.js'
import type { TriplePattern } from '../api/episode.js'
import type { Filter } from '../api/filter.js'
import type { UnlearnReport, UnlearnTarget } from '../api/forgetting.js'
import { DB_HELP } from './configuration.js'
import { openToChange } from './existing.js'
import { filterOf } from './filter.js'
import { momentOf } from './match.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf } from './terminal.js'
import { countLines, dependentLines } from './unlearning.js'

interface ForgetFlags extends TriplePattern {
  readonly db: string
  readonly episode?: readonly string[]
  readonly speaker?: readonly string[]
  readonly session?: readonly string[]
  readonly source?: readonly string[]
  readonly concept?: string
  readonly belief?: string
  readonly filter?: Filter
  readonly all?: true
  readonly reason?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Adds `agidb forget` to the program. */
export function addForget(program: Command): void {
  program
    .command('forget')
    .summary('forget something with all that follows from it')
    .description(
      'Forgets memories with all that follows from them: afterwards the memory answers as if it had never had them. ' +
        'agidb restore brings them back until their window is over; until then their text stays in the files, and ' +
        'agidb expire --all erases it earlier. Give one kind of target.',
    )
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--episode <id...>', 'these memories')
    .option('--speaker <name...>', 'all that these speakers said')
    .option('--session <name...>', 'all of these sessions')
    .option('--source <name...>', 'all that came from these sources')
    .option('--concept <name>', 'all that names this, under any of its names: memories, beliefs, goals, procedures')
    .option('--belief <id>', 'a belief; the memories that it rests on stay')
    .option('--subject <name>', 'memories and beliefs that state something with this subject')
    .option('--predicate <name>', 'the same for a predicate; together with the others, all of them have to agree')
    .option('--object <name>', 'the same for an object')
    .option(
      '--filter <json>',
      'the memories that pass this filter: names, tags, times, metadata, and, or, not',
      filterOf,
    )
    .option('--all', 'all that the memory holds')
    .option('--reason <text>', 'why; kept for good as it is given, so name nothing in it that is to be forgotten')
    .option('--dry-run', 'say what would be forgotten, and forget nothing')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb forget --speaker Sarah --dry-run --db memory
  $ agidb forget --speaker Sarah --reason "she asked for it" --db memory
${EXIT_HELP}`,
    )
    .action(forget)
}

async function forget({ db: path, reason, dryRun = false, json, ...flags }: ForgetFlags): Promise<void> {
  const target = targetOf(flags)
  if (reason === undefined && !dryRun) {
    throw new AgidbError(
      'AGIDB_INVALID_ARGUMENT',
      '--reason is missing; say why this is forgotten, or give --dry-run to see what would be',
    )
  }
  const db = await openToChange(path)
  let report: UnlearnReport
  try {
    report = await db.unlearn(target, reason ?? 'dry run', { dryRun })
  } finally {
    await db.close()
  }
  if (json) printJson(report)
  else show(report, dryRun, path)
  if (isNothing(report)) process.exitCode = EXIT.failed
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` when not exactly one kind of target is given. */
function targetOf({
  subject,
  predicate,
  object,
  ...named
}: Omit<ForgetFlags, 'db' | 'reason' | 'dryRun' | 'json'>): UnlearnTarget {
  const hasPattern = [subject, predicate, object].some((part) => part !== undefined)
  const { episode, speaker, session, source, concept, belief, filter, all } = named
  const targets: UnlearnTarget[] = [
    ...(episode === undefined ? [] : [{ episode }]),
    ...(speaker === undefined ? [] : [{ speaker }]),
    ...(session === undefined ? [] : [{ session }]),
    ...(source === undefined ? [] : [{ source }]),
    ...(concept === undefined ? [] : [{ concept }]),
    ...(belief === undefined ? [] : [{ belief }]),
    ...(filter === undefined ? [] : [{ filter }]),
    ...(all === undefined ? [] : [{ all }]),
    ...(hasPattern ? [{ pattern: { subject, predicate, object } }] : []),
  ]
  if (targets.length === 1) return targets[0]!
  const given = targets.length === 0 ? 'nothing says what to forget' : `${targets.length} kinds of target are given`
  throw new AgidbError(
    'AGIDB_INVALID_ARGUMENT',
    `${given}; give one of --episode, --speaker, --session, --source, --concept, --belief, --filter, or of ` +
      '--subject, --predicate and --object any that are to agree',
  )
}

/** Whether there was nothing to forget. A dry run that finds something does not know how the self-vector changes. */
function isNothing({ auditId, selfVectorDriftHamming }: UnlearnReport): boolean {
  return auditId === undefined && selfVectorDriftHamming === 0
}

function show(report: UnlearnReport, dryRun: boolean, path: string): void {
  const terminal = terminalOf(process.stdout)
  if (isNothing(report)) {
    print('nothing found to forget')
    return
  }
  print(terminal.style('bold', dryRun ? 'this would be forgotten:' : 'forgotten:'))
  for (const line of countLines(report, terminal)) print(line)
  if (dryRun) for (const line of dependentLines(report.graph, terminal)) print(line)
  const until = momentOf(report.tombstoneExpiry)
  if (dryRun) print(`nothing was changed; it could be restored until ${until}`)
  else {
    print(printable(`agidb restore ${report.auditId} --db ${path} brings it back until ${until}`))
    print(printable(`until then its text stays in the files; to erase it now: agidb expire --all --db ${path}`))
  }
}
