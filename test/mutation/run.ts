/**
 * Changes the code in small ways, one at a time, and looks whether a test notices: `npm run mutate:storage`. Prints for
 * each file how many of the mutants were killed, and those that were not. With names of groups (`groups.ts`) or of
 * files, only these: `npm run mutate -- hdc src/storage/adapters/browser/opfs.ts`. The groups of the storage take two
 * hours on two cores. The others take longer, since their tests do: name single files of them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { GROUPS } from './groups.js'

const FOLDER = 'test/mutation'
const STRYKER = `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`

/** Ends with the status of a command that fails. */
function run(command: string, args: readonly string[], env = process.env): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

// A package of its own, so that what it takes is not a part of every installation.
if (!existsSync(STRYKER)) run('npm', ['ci', '--prefix', FOLDER])

const asked = process.argv.slice(2)
for (const [name, { folder = 'storage', files }] of Object.entries(GROUPS)) {
  const isNamed = (file: string) =>
    asked.some((path) => (path.includes('/') ? path === `src/${folder}/${file}.ts` : basename(path, '.ts') === file))
  const isWhole = asked.includes(name) || (asked.length === 0 && folder === 'storage')
  const wanted = isWhole ? files : files.filter(isNamed)
  if (wanted.length === 0) continue
  const mutate = wanted.map((file) => `src/${folder}/${file}.ts`).join()
  run(
    process.execPath,
    [STRYKER, 'run', `${FOLDER}/stryker.conf.json`, '-m', mutate, '--incrementalFile', `.stryker/${name}.json`],
    { ...process.env, AGIDB_MUTANTS: name },
  )
}
