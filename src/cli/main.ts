#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { AgidbError } from '../base/errors.js'
import { addExport } from './export.js'
import { addImport } from './import.js'
import { EXIT, EXIT_HELP, printError, tolerateClosedPipes } from './output.js'
import { addRecall } from './recall.js'
import { addRemember } from './remember.js'
import { addStats } from './stats.js'
import { addTrain } from './train.js'
import { addVerify } from './verify.js'

const COMMANDS = ['remember', 'recall', 'stats', 'export', 'import', 'train', 'verify']
const json = process.argv.includes('--json')

function program(): Command {
  const agidb = new Command('agidb')
    .description('A memory: remembers transcripts and finds what was said, offline.')
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
  addRemember(agidb)
  addRecall(agidb)
  addStats(agidb)
  addExport(agidb)
  addImport(agidb)
  addTrain(agidb)
  addVerify(agidb)
  return agidb
}

/** The version in the package.json above this file, which is nearer in the sources than in the built package. */
function version(): string {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
        name?: string
        version?: string
      }
      if (name === 'agidb' && version !== undefined) return version
    } catch {
      continue
    }
  }
  return 'unknown'
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return printError(error, json)
  if (error.exitCode === 0) return EXIT.ok
  if (error.code === 'commander.help') {
    process.stderr.write(`${program().helpInformation()}\n`)
    return EXIT.usage
  }
  const said = error.message.replace(/^error: /, '').trim()
  const command = COMMANDS.find((name) => name === process.argv[2])
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
