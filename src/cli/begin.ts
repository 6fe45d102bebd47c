import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, parse, relative } from 'node:path'
import { AgidbError } from '../base/errors.js'
import { addedScripts } from './manifest.js'

/** What became of a file of an example. */
export interface Written {
  /** The name of the file in the example. */
  readonly file: string
  /**
   * `wrote`: it is new. `same`: it was there with this content. `beside`: another file has this name, so the example
   * is in `as`. `added`: `package.json` got the scripts in `names`. `kept`: nothing was missing in `package.json`.
   */
  readonly what: 'wrote' | 'same' | 'beside' | 'added' | 'kept'
  readonly as?: string
  readonly names?: readonly string[]
}

/** Files of an example that are not part of the program. */
const LEFT_OUT = ['README.md', 'node_modules']

/**
 * Writes an example into a folder. A file that is there is never changed, but for `package.json`, which gets the
 * scripts that it lacks.
 *
 * @param from the folder of the example
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where there is no free name for a file, or `package.json` is no JSON;
 * `AGIDB_STORAGE` where the folder cannot be written to. Then nothing is written.
 */
export function begin(from: string, folder: string): Written[] {
  const plan = filesIn(from).map((file) => planned(from, folder, file))
  const copied: string[] = []
  try {
    for (const { file, what, as = file } of plan) {
      if (what !== 'wrote' && what !== 'beside') continue
      mkdirSync(dirname(join(folder, as)), { recursive: true })
      copyFileSync(join(from, file), join(folder, as), constants.COPYFILE_EXCL)
      copied.push(as)
    }
    for (const { file, what } of plan) if (what === 'added') addedScripts(join(from, file), join(folder, file), true)
  } catch (cause) {
    for (const file of copied) rmSync(join(folder, file), { force: true })
    if (cause instanceof AgidbError) throw cause
    const message = `${folder} cannot be written to: ${(cause as Error).message}`
    throw new AgidbError('AGIDB_STORAGE', message, { folder }, { cause })
  }
  return plan
}

function planned(from: string, folder: string, file: string): Written {
  if (!isThere(folder, file)) return { file, what: 'wrote' }
  if (isSame(join(from, file), join(folder, file))) return { file, what: 'same' }
  if (file === 'package.json') {
    const names = addedScripts(join(from, file), join(folder, file), false)
    return names.length === 0 ? { file, what: 'kept' } : { file, what: 'added', names }
  }
  const { dir, name, ext } = parse(file)
  const as = join(dir, `${name}.example${ext}`)
  if (!isThere(folder, as)) return { file, what: 'beside', as }
  if (isSame(join(from, file), join(folder, as))) return { file: as, what: 'same' }
  const message = `${file} and ${as} are there already; choose another --folder`
  throw new AgidbError('AGIDB_INVALID_ARGUMENT', message, { folder, files: [file, as] })
}

/** The files of a folder, relative to it, sorted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !LEFT_OUT.some((name) => path === name || path.startsWith(`${name}/`)))
    .sort()
}

function isThere(folder: string, file: string): boolean {
  return lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined
}

/** Whether two paths are files, not links, with the same content. */
function isSame(one: string, other: string): boolean {
  return lstatSync(other).isFile() && readFileSync(one).equals(readFileSync(other))
}
