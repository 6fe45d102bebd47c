import type { Command } from 'commander'
import type { EpisodeVersion } from '../api/episode.js'
import type { UnlearnRecord, UnlearnState } from '../api/forgetting.js'
import { DB_HELP } from './configuration.js'
import { counted } from './counted.js'
import { openExisting } from './existing.js'
import { momentOf } from './match.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf, wrap, type Terminal } from './terminal.js'

interface HistoryFlags {
  readonly db: string
  readonly since?: string
  readonly json?: boolean
}

const INDENT = '      '

const STATES: Readonly<Record<UnlearnState, (record: UnlearnRecord) => string>> = {
  restorable: ({ tombstoneExpiry }) => `restorable until ${momentOf(tombstoneExpiry)}`,
  restored: () => 'restored',
  expired: () => 'erased',
}

/** Adds `agidb history` to the program. */
export function addHistory(program: Command): void {
  program
    .command('history')
    .summary('say what a memory said before, or what was forgotten')
    .description('Lists the versions of one memory, oldest first; without an id, what was forgotten, and why.')
    .argument('[id]', 'the id of a memory, as agidb recall --json prints it')
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--since <time>', 'without an id: only what was forgotten since then (ISO 8601)')
    .option('--json', 'print the list as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb history --db memory --since 2026-05-01
${EXIT_HELP}`,
    )
    .action(history)
}

async function history(id: string | undefined, { db: path, since, json }: HistoryFlags): Promise<void> {
  const db = await openExisting(path)
  const terminal = terminalOf(process.stdout)
  let lines: string[]
  let found: readonly unknown[]
  try {
    if (id === undefined) {
      const records = await db.unlearnHistory(since ?? 0)
      found = records
      lines = records.flatMap((record) => recordLines(record, terminal))
    } else {
      const versions = await db.history(id)
      found = versions
      lines = versions.flatMap((version) => versionLines(version, terminal))
    }
  } finally {
    await db.close()
  }
  if (json) printJson(found)
  else if (found.length === 0) print('nothing was forgotten')
  else for (const line of lines) print(line)
  if (found.length === 0) process.exitCode = EXIT.failed
}

function versionLines({ version, from, to, episode }: EpisodeVersion, { style, columns }: Terminal): string[] {
  const when = `${momentOf(from)} to ${to === undefined ? 'now' : momentOf(to)}`
  const speaker = printable(episode.speaker ?? '').replace(/\s+/g, ' ')
  return [
    `${style('bold', String(version).padStart(4))}  ${when}  ${style('cyan', speaker)}`.trimEnd(),
    ...wrap(printable(episode.text).trim(), columns - INDENT.length).map((line) => INDENT + line),
  ]
}

function recordLines(record: UnlearnRecord, { style, columns }: Terminal): string[] {
  const { auditId, target, at, reason, episodesRemoved, state } = record
  const many = counted(episodesRemoved, 'memory', 'memories')
  return [
    `${momentOf(at)}  ${style('cyan', printable(auditId))}  by ${target}, ${many}; ${STATES[state](record)}`,
    ...wrap(printable(reason).trim(), columns - INDENT.length).map((line) => INDENT + line),
  ]
}
