import { CommanderError, type Command } from 'commander'
import { AgidbError } from '../base/errors.js'
import { EXIT, printError } from './output.js'
import { program } from './program.js'

/**
 * Runs a command on the streams of this process.
 *
 * @param args what was typed after `agidb`
 * @returns the exit code, one of {@link EXIT}
 */
export async function run(args: readonly string[]): Promise<number> {
  const agidb = program()
  process.exitCode = EXIT.ok
  try {
    await agidb.parseAsync(args, { from: 'user' })
    return Number(process.exitCode)
  } catch (error) {
    return exitCodeOf(error, agidb, args)
  }
}

function exitCodeOf(error: unknown, agidb: Command, args: readonly string[]): number {
  const json = args.includes('--json')
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
  const command = agidb.commands.map((one) => one.name()).find((name) => name === args[0])
  return printError(
    new AgidbError('AGIDB_INVALID_ARGUMENT', `${said}; see agidb ${command ? `${command} ` : ''}--help`),
    json,
  )
}
