#!/usr/bin/env node
import { CommanderError } from 'commander'
import { AgidbError } from '../base/errors.js'
import { EXIT, printError, tolerateClosedPipes } from './output.js'
import { program } from './program.js'

const agidb = program()
const json = process.argv.includes('--json')

function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return printError(error, json)
  if (error.exitCode === 0) return EXIT.ok
  if (error.code === 'commander.help') {
    process.stderr.write(`${agidb.helpInformation()}\n`)
    return EXIT.usage
  }
  const said = error.message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim()
  const command = agidb.commands.map((one) => one.name()).find((name) => name === process.argv[2])
  return printError(
    new AgidbError('AGIDB_INVALID_ARGUMENT', `${said}; see agidb ${command ? `${command} ` : ''}--help`),
    json,
  )
}

tolerateClosedPipes()
try {
  await agidb.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
