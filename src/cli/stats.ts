import type { Command } from 'commander'
import type { Stats } from '../api/stats.js'
import { DB_HELP } from './configuration.js'
import { openExisting } from './existing.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf } from './terminal.js'

/** Adds `agidb stats` to the program. */
export function addStats(program: Command): void {
  program
    .command('stats')
    .summary('say what a memory holds')
    .description('Says what a memory holds, how large it is and how safely it is kept.')
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--json', 'print the figures as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb stats --db memory
${EXIT_HELP}`,
    )
    .action(stats)
}

async function stats({ db: path, json }: { readonly db: string; readonly json?: boolean }): Promise<void> {
  const db = await openExisting(path)
  let found: Stats
  try {
    found = await db.stats()
  } finally {
    await db.close()
  }
  if (json) printJson(found)
  else show(found)
}

/** What is shown only where there is any. */
const FLOORS = ['atoms', 'procedures', 'goals', 'beliefs', 'events'] as const

function show(stats: Stats): void {
  const { style } = terminalOf(process.stdout)
  const rows: [string, string][] = [
    ['memories', number(stats.episodes)],
    ['sessions', number(stats.sessions)],
    ['speakers', number(stats.speakers)],
    ['concepts', number(stats.concepts)],
    ['index terms', number(stats.terms)],
    ...FLOORS.filter((floor) => stats[floor] > 0).map((floor): [string, string] => [floor, number(stats[floor])]),
    ['on disk', size(stats.bytes)],
    ['kernel memory', size(stats.memory)],
    ['durability', `${stats.durability}: ${stats.durabilityReason}`],
    ['storage', stats.storage],
    ['kernel', stats.kernel],
    ['codebook', stats.codebook],
    ...stats.opening.map(({ kind, message }): [string, string] => ['when opened', `${kind}: ${message}`]),
  ]
  for (const [name, value] of rows) print(`${style('dim', name.padEnd(13))}  ${printable(value)}`)
}

function number(value: number): string {
  return value.toLocaleString('en')
}

/** Bytes in the largest unit that leaves a whole number before the point. */
function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  let unit = 0
  let value = bytes
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
