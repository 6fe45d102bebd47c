import { Command } from 'commander'
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
import { EXIT_HELP } from './output.js'
import { addRecall } from './recall.js'
import { addRemember } from './remember.js'
import { addRestore } from './restore.js'
import { addSearch } from './search.js'
import { addStats } from './stats.js'
import { addThink } from './think.js'
import { addTrain } from './train.js'
import { addVerify } from './verify.js'
import { version } from './version.js'

/** The function that adds each command, by the name of the command, in the order of `--help`. */
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
/** The command line: its commands, their options and their `--help`. */
export function program(): Command {
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
