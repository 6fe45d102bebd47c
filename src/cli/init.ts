import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { AgidbError } from '../base/errors.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { type RuntimeName, RUNS, RUNTIMES, type Start, STARTS } from './starts.js'
import { packageFolder } from './version.js'

interface InitFlags {
  readonly runtime?: RuntimeName
  readonly framework?: string
  readonly folder: string
  readonly json?: boolean
}

/** Files of an example that are no part of a program that is begun with it. */
const LEFT_OUT = ['README.md', 'node_modules']

/** Adds `agidb init` to the program. */
export function addInit(program: Command): void {
  const frameworks = [...new Set(STARTS.map(({ framework }) => framework))]
  program
    .command('init')
    .summary('write a first program with a memory')
    .description(
      'Writes a first program with a memory into a folder, and says what to install and how to run it. It asks for ' +
        'what is not given. No file that is there is changed.',
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
  const files = write(start, folder)
  const install = installing(runtime, ['agidb', ...start.packages])
  const run = start.run.replace('%', RUNS[runtime] ?? runtime)
  if (json) return printJson({ runtime, framework, files, install, run })
  for (const file of files) print(`wrote ${join(folder, file)}`)
  print(`\nNext:${folder === '.' ? '' : `\n  cd ${folder}`}\n  ${install}\n  ${run}`)
}

/** Copies the files of an example, or none where one of them is there already. */
function write({ example }: Start, folder: string): string[] {
  const from = join(packageFolder(), 'examples', example)
  const files = filesIn(from)
  const taken = files.filter((file) => lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined)
  if (taken.length > 0) {
    const message = `${taken.join(', ')} ${taken.length === 1 ? 'is' : 'are'} there already; choose another --folder`
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { folder, files: taken })
  }
  const written: string[] = []
  try {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      copyFileSync(join(from, file), join(folder, file), constants.COPYFILE_EXCL)
      written.push(file)
    }
  } catch (cause) {
    for (const file of written) rmSync(join(folder, file), { force: true })
    const message = `${folder} cannot be written to: ${(cause as Error).message}`
    throw new AgidbError('AGIDB_STORAGE', message, { folder }, { cause })
  }
  return files
}

/** The files of a folder, relative to it, sorted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !LEFT_OUT.some((name) => path === name || path.startsWith(`${name}/`)))
    .sort()
}

function installing(runtime: RuntimeName, packages: readonly string[]): string {
  if (runtime === 'deno') return `deno add ${packages.map((name) => `npm:${name}`).join(' ')}`
  return `${runtime === 'bun' ? 'bun add' : 'npm install'} ${packages.join(' ')}`
}

/** Asks for one of some choices, by its number or its name. */
async function choose<T extends string>(question: string, option: string, choices: readonly T[]): Promise<T> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const message = `--${option} is missing, and there is nobody to ask; give one of ${choices.join(', ')}`
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { option })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const list = choices.map((choice, i) => `  ${i + 1}  ${choice}`).join('\n')
    for (;;) {
      const said = (await terminal.question(`${question}\n${list}\n> `)).trim()
      const chosen = choices.find((choice, i) => said === choice || said === String(i + 1))
      if (chosen !== undefined) return chosen
    }
  } finally {
    terminal.close()
  }
}
