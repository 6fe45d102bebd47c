import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { AgidbError } from '../base/errors.js'
import { begin, type Written } from './begin.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { type RuntimeName, RUNS, RUNTIMES, type Start, STARTS } from './starts.js'
import { packageFolder } from './version.js'

interface InitFlags {
  readonly runtime?: RuntimeName
  readonly framework?: string
  readonly folder: string
  readonly json?: boolean
}

/** Adds `agidb init` to the program. */
export function addInit(program: Command): void {
  const frameworks = [...new Set(STARTS.map(({ framework }) => framework))]
  program
    .command('init')
    .summary('write a first program with a memory')
    .description(
      'Writes a first program with a memory into a folder, and says what to install and how to run it. It asks for ' +
        'what is not given. In a folder that has a project, no file is overwritten: package.json gets the scripts ' +
        'that it lacks, and an example whose name is taken is written beside, as NAME.example.',
    )
    .addOption(new Option('--runtime <name>', 'where the program is to run').choices(RUNTIMES))
    .addOption(new Option('--framework <name>', 'what it is built with').choices(frameworks))
    .option('--folder <folder>', 'where to write', '.')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb init
  $ agidb init --runtime browser --framework none --folder my-page
${EXIT_HELP}`,
    )
    .action(init)
}

async function init({ runtime: given, framework: wanted, folder, json }: InitFlags): Promise<void> {
  const runtime = given ?? (await choose('Where does it run?', 'runtime', RUNTIMES))
  const possible = STARTS.filter(({ runtimes }) => runtimes.includes(runtime))
  const names = possible.map(({ framework }) => framework)
  const framework = wanted ?? (names.length === 1 ? names[0] : await choose('With what?', 'framework', names))
  const start = possible.find((one) => one.framework === framework)
  if (start === undefined) {
    const message = `there is no program for ${framework} in ${runtime}; in ${runtime} there is ${names.join(', ')}`
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { runtime, framework })
  }
  const written = begin(join(packageFolder(), 'examples', start.example), folder)
  const files = written.flatMap(({ file, what, as = file }) => (what === 'wrote' || what === 'beside' ? [as] : []))
  const install = installing(runtime, ['agidb', ...packagesOf(start)])
  const run = start.run.replace('%', RUNS[runtime] ?? runtime)
  if (json) return printJson({ runtime, framework, files, written, install, run })
  for (const one of written) print(lineOf(one))
  print(`\nNext:${folder === '.' ? '' : `\n  cd ${folder}`}\n  ${install}\n  ${run}`)
}

/** A line for a file of the example. */
function lineOf({ file, what, as, names = [] }: Written): string {
  switch (what) {
    case 'wrote':
      return `wrote ${file}`
    case 'same':
      return `${file} is there already, with the same content`
    case 'beside':
      return `${file} is there already and was not changed: the example is in ${as}; take over what you need`
    case 'added':
      return `${file} is there already: added ${names.length === 1 ? 'the script' : 'the scripts'} ${names.join(', ')}`
    case 'kept':
      return `${file} is there already, and lacks nothing`
  }
}

/** The packages to install, with the version where the newest one does not take this Node. */
function packagesOf({ packages, onNode20 = {} }: Start): string[] {
  const isOld = Number(process.versions.node.split('.', 1)[0]) < 22
  return packages.map((name) => (isOld && Object.hasOwn(onNode20, name) ? `${name}@${onNode20[name]}` : name))
}

function installing(runtime: RuntimeName, packages: readonly string[]): string {
  if (runtime === 'deno') return `deno add ${packages.map((name) => `npm:${name}`).join(' ')}`
  return `${runtime === 'bun' ? 'bun add' : 'npm install'} ${packages.join(' ')}`
}

/**
 * Asks for one of some choices, by its number or its name.
 *
 * @throws AgidbError `AGIDB_ABORTED` where the question is left without an answer
 */
async function choose<T extends string>(question: string, option: string, choices: readonly T[]): Promise<T> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const message = `--${option} is missing, and there is nobody to ask; give one of ${choices.join(', ')}`
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { option })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl+C and Ctrl+D close it, and leave the question without an answer.
  const ended = once(terminal, 'close').then(() => undefined)
  try {
    const list = choices.map((choice, i) => `  ${i + 1}  ${choice}`).join('\n')
    for (;;) {
      const answer = terminal.question(`${question}\n${list}\n> `).catch(() => undefined)
      const said = (await Promise.race([ended, answer]))?.trim()
      if (said === undefined) throw new AgidbError('AGIDB_ABORTED', 'nothing was chosen, and nothing is written')
      const chosen = choices.find((choice, i) => said === choice || said === String(i + 1))
      if (chosen !== undefined) return chosen
    }
  } finally {
    terminal.close()
  }
}
