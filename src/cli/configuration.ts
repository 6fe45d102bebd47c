import type { Command } from 'commander'
import { AgidbError } from '../base/errors.js'
import { loadConfiguration } from '../config/load.js'
import type { Configuration } from '../config/settings.js'

/** What `--help` says of `--db`. */
export const DB_HELP = 'default: AGIDB_DATA_DIR, or data_dir of agidb.toml, or ./agidb-data'

/** Lets the configuration fill in what was not typed: the folder of the memory, and how many results there are. */
export function configure(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { settings, origins } = loadConfiguration({ dataDir: typedFolder(command) })
    const fill = (option: string, value: unknown) => command.setOptionValueWithSource(option, value, 'config')
    if (hasOption(command, 'db') && command.getOptionValue('db') === undefined) fill('db', settings.dataDir)
    for (const [option, key, value] of [
      ['k', 'search_top_k', settings.searchTopK],
      ['children', 'search_children_k', settings.searchChildrenK],
    ] as const) {
      const isTyped = command.getOptionValueSource(option) === 'cli'
      if (hasOption(command, option) && !isTyped && origins[key].kind !== 'default') fill(option, value)
    }
  })
}

/**
 * The configuration of a memory.
 *
 * @throws AgidbError `AGIDB_CONFIG`
 */
export function configurationOf(path: string): Configuration {
  return loadConfiguration({ dataDir: path })
}

/**
 * Refuses a command that would change a memory where the configuration says that nothing may be written.
 *
 * @throws AgidbError `AGIDB_READ_ONLY`, `AGIDB_CONFIG`
 */
export function refuseWhenReadOnly(path: string): void {
  const { settings, origins } = configurationOf(path)
  if (!settings.readOnly) return
  const origin = origins['read_only']
  const said =
    origin.kind === 'environment' ? origin.variable : `read_only of ${origin.kind === 'file' ? origin.file : ''}`
  throw new AgidbError('AGIDB_READ_ONLY', `${said} says that nothing may be written to ${path}`, { path })
}

function typedFolder(command: Command): string | undefined {
  return hasOption(command, 'db') ? (command.getOptionValue('db') as string | undefined) : undefined
}

function hasOption(command: Command, name: string): boolean {
  return command.options.some((option) => option.attributeName() === name)
}
