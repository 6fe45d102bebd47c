import { Option, type Command } from 'commander'
import type { EntryMatch, EntrySearchOptions, RecencyWindow } from '../api/entry.js'
import { DB_HELP } from './configuration.js'
import { entryLines } from './entry-lines.js'
import { openExisting } from './existing.js'
import { numberBetween, wholeNumber } from './number-option.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf } from './terminal.js'

interface SearchFlags extends EntrySearchOptions {
  readonly db: string
  readonly children: number
  readonly recencyWindow?: RecencyWindow
  readonly json?: boolean
}

/** Adds `agidb search` to the program. */
export function addSearch(program: Command): void {
  program
    .command('search')
    .summary('find passages of documents')
    .description('Finds the entries of documents that answer a query, best first, with the headings above each.')
    .argument('<query>', 'a question, or words')
    .option('--db <folder>', `the memory, a folder that agidb add made; ${DB_HELP}`)
    .option('-k <number>', 'how many entries, 1 to 100', wholeNumber(1, 100), 5)
    .option(
      '--per-section <number>',
      'the most entries of one section, 1 to 100 (default: 1; with --deep no limit)',
      wholeNumber(1, 100),
    )
    .option('--children <number>', 'the best children of each, 0 to 100', wholeNumber(0, 100), 0)
    .option('--perspective <name>', 'only entries that are seen from this side')
    .option('--deep', 'entries of every visibility, and superseded ones')
    .option('--since <time>', 'only what began at this time or later (ISO 8601)')
    .option('--until <time>', 'only what began before this time (ISO 8601)')
    .addOption(
      new Option('--recency-window <window>', 'prefer what was used within').choices([
        ...['hour', 'day', 'week', 'month', 'year'],
      ]),
    )
    .option('--alpha <number>', 'share of recency and salience in the score, 0 to 1', numberBetween(0, 1))
    .option('--min-salience <number>', 'the least salience of an entry, 0 to 1', numberBetween(0, 1))
    .option('--ongoing', 'only open threads')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', `\nExample:\n  $ agidb search "how is it installed?" --db memory\n${EXIT_HELP}`)
    .action(search)
}

async function search(query: string, { db: path, json, children, ...options }: SearchFlags): Promise<void> {
  const db = await openExisting(path, { extract: 'none', encodes: true })
  let found: EntryMatch[]
  try {
    found = await db.entries.search(query, { ...options, childrenK: children })
  } finally {
    await db.close()
  }
  if (json) printJson(found)
  else show(found)
  if (found.length === 0) process.exitCode = EXIT.failed
}

function show(found: readonly EntryMatch[]): void {
  const terminal = terminalOf(process.stdout)
  if (found.length === 0) return print('nothing found')
  for (const [i, { entry, score, children }] of found.entries()) {
    const head = [terminal.style('bold', String(i + 1).padStart(4)), score.toFixed(2)]
    print(entryLines(entry, head, terminal).join('\n'))
    for (const child of children)
      print(terminal.style('dim', `      ${child.score.toFixed(2)}  ${printable(firstLine(child.entry.content))}`))
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0].slice(0, 100)
}
