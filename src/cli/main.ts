#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { AgidbError } from '../base/errors.js'
import { addAdd } from './add.js'
import { addBrowse, addTree } from './browse.js'
import { configure } from './configuration.js'
import { addExpire } from './expire.js'
import { addExport } from './export.js'
import { addForget } from './forget.js'
import { addHistory } from './history.js'
import { addAging, addIdentity, addPerspectives } from './identity.js'
import { addImport } from './import.js'
import { addInit } from './init.js'
import { addMcp } from './mcp.js'
import { EXIT, EXIT_HELP, printError, tolerateClosedPipes } from './output.js'
import { addRecall } from './recall.js'
import { addRemember } from './remember.js'
import { addRestore } from './restore.js'
import { addSearch } from './search.js'
import { addStats } from './stats.js'
import { addThink } from './think.js'
import { addTrain } from './train.js'
import { addVerify } from './verify.js'
import { version } from './version.js'

/** What adds the commands, by their names, in the order of `--help`. */
const COMMANDS: Readonly<Record<string, (program: Command) => void>> = {
  remember: addRemember,
  recall: addRecall,
  add: addAdd,
  search: addSearch,
  browse: addBrowse,
  tree: addTree,
  identity: addIdentity,
  perspectives: addPerspectives,
  aging: addAging,
  think: addThink,
  history: addHistory,
  forget: addForget,
  restore: addRestore,
  expire: addExpire,
  stats: addStats,
  export: addExport,
  import: addImport,
  train: addTrain,
  mcp: addMcp,
  init: addInit,
  verify: addVerify,
}
const json = process.argv.includes('--json')

function program(): Command {
  const agidb = new Command('agidb')
    .description('A memory: remembers transcripts and documents, and finds what was said and written, offline.')
    .version(version(), '--version')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Example:
  $ agidb remember chat.jsonl --db memory
  $ agidb recall "what thai place was mentioned?" --db memory
${EXIT_HELP}`,
    )
  for (const add of Object.values(COMMANDS)) add(agidb)
  configure(agidb)
  return agidb
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return printError(error, json)
  if (error.exitCode === 0) return EXIT.ok
  if (error.code === 'commander.help') {
    process.stderr.write(`${program().helpInformation()}\n`)
    return EXIT.usage
  }
  const said = error.message.replace(/^error: /, '').trim()
  const command = Object.keys(COMMANDS).find((name) => name === process.argv[2])
  return printError(
    new AgidbError('AGIDB_INVALID_ARGUMENT', `${said}; see agidb ${command ? `${command} ` : ''}--help`),
    json,
  )
}

tolerateClosedPipes()
try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
