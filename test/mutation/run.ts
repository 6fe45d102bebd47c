/**
 * Changes the code in small ways, one at a time, and looks whether a test notices (Stryker): `npm run mutate:storage`.
 * Prints for each file how many of the mutants were killed, and those that were not. With folders or files of `src`,
 * only these: `npm run mutate -- encoding src/storage/adapters/browser/opfs.ts`. The storage takes two hours on two
 * cores. Other folders take longer, since their tests do: name single files of them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chosenBy, GROUPS } from './groups.js'

const FOLDER = 'test/mutation'
const STRYKER = `${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`

/** Ends with the status of a command that fails. */
function run(command: string, args: readonly string[], env = process.env): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

const asked = process.argv.slice(2)
const chosen = new Map<string, string[]>()
for (const one of asked.length === 0 ? ['storage'] : asked) {
  const found = chosenBy(one)
  if (found.length === 0) {
    console.error(`no tests are known for ${one}; test/mutation/groups.ts names ${Object.keys(GROUPS).join(', ')}`)
    process.exit(2)
  }
  for (const { group, path } of found) chosen.set(group, [...(chosen.get(group) ?? []), path])
}
// A package of its own, so that what it takes is not a part of every installation.
if (!existsSync(STRYKER)) run('npm', ['ci', '--prefix', FOLDER])
for (const [group, paths] of chosen) {
  const mutate = paths.map((path) => (path.endsWith('.ts') ? `src/${path}` : `src/${path}/**/*.ts`)).join()
  const results = `.stryker/${group.replaceAll('/', '-')}.json`
  run(process.execPath, [STRYKER, 'run', `${FOLDER}/stryker.conf.json`, '-m', mutate, '--incrementalFile', results], {
    ...process.env,
    AGIDB_MUTANTS: group,
  })
}
