import type { Command } from 'commander'
import type { BrowseOptions, EntryTree } from '../api/entry.js'
import { DB_HELP } from './configuration.js'
import { entryLines } from './entry-lines.js'
import { openExisting } from './existing.js'
import { wholeNumber } from './number-option.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf } from './terminal.js'

/** Adds `agidb browse` to the program. */
export function addBrowse(program: Command): void {
  program
    .command('browse')
    .summary('list entries of documents, newest first')
    .option('--db <folder>', `the memory, a folder that agidb add made; ${DB_HELP}`)
    .option('--perspective <name>', 'only entries that are seen from this side')
    .option('--source <name>', 'only entries of this document')
    .option('--since <time>', 'only what began at this time or later (ISO 8601)')
    .option('--until <time>', 'only what began before this time (ISO 8601)')
    .option('--deep', 'entries of every visibility, and superseded ones')
    .option('--limit <number>', 'how many, 1 to 1,000', wholeNumber(1, 1_000), 20)
    .option('--json', 'print the entries as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async ({ db: path, json, ...options }: BrowseOptions & { db: string; json?: boolean }) => {
      const db = await openExisting(path, { extract: 'none' })
      try {
        const entries = await db.entries.browse(options)
        const terminal = terminalOf(process.stdout)
        if (json) printJson(entries)
        else for (const entry of entries) print(entryLines(entry, [entry.at.slice(0, 10)], terminal).join('\n'))
        if (entries.length === 0) process.exitCode = EXIT.failed
      } finally {
        await db.close()
      }
    })
}

/** Adds `agidb tree` to the program. */
export function addTree(program: Command): void {
  program
    .command('tree')
    .summary('show the outline of a document, or all documents')
    .argument('[source]', 'a document, as agidb tree lists it; without one all documents are listed')
    .option('--db <folder>', `the memory, a folder that agidb add made; ${DB_HELP}`)
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async (source: string | undefined, { db: path, json }: { db: string; json?: boolean }) => {
      const db = await openExisting(path, { extract: 'none' })
      try {
        if (source === undefined) {
          const sources = await db.entries.sources()
          if (json) return printJson(sources)
          for (const { source: name, entries } of sources) print(`${printable(name)}  ${entries}`)
          return
        }
        const tree = await db.entries.tree(source)
        if (tree.length === 0) process.exitCode = EXIT.failed
        if (json) return printJson(tree)
        if (tree.length === 0) return print(`there is no document ${printable(source)}`)
        for (const root of tree) printTree(root, 0)
      } finally {
        await db.close()
      }
    })
}

function printTree({ entry, children }: EntryTree, depth: number): void {
  const said = entry.heading ?? entry.content.replace(/\s+/g, ' ').slice(0, 70)
  const mark = entry.type === 'summary' ? '≡ ' : entry.heading === undefined ? '· ' : ''
  print(`${'  '.repeat(depth)}${mark}${printable(said)}`)
  for (const child of children) printTree(child, depth + 1)
}
