import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as node from '../src/runtimes/node/index.js'
import { UsageError } from './command.js'

/** What the public entry `agidb/node` exports. */
export type Library = Pick<typeof node, 'Agidb'>

export type { Observation, OpenOptions, Recall, RecallOptions } from '../src/runtimes/node/index.js'
/** A memory that is open. */
export type Database = node.Agidb

/** The checkout that this bench is part of. */
export const HERE = fileURLToPath(new URL('..', import.meta.url))

interface PackageFile {
  readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>
}

interface TypeScriptFile {
  readonly compilerOptions?: { readonly paths?: Readonly<Record<string, readonly string[]>> }
}

/**
 * The file of the public entry `agidb/node` in a checkout, whatever its folders are called.
 *
 * @param checkout the folder that has the `package.json`
 * @param built the entry of the built package, as `exports` in `package.json` names it; otherwise the entry of the
 * sources, as `paths` in `tsconfig.json` names it
 * @throws UsageError when the checkout names no such entry
 */
export async function entryOf(checkout: string, built: boolean): Promise<string> {
  const read = async <T>(name: string) => JSON.parse(await readFile(join(checkout, name), 'utf8')) as T
  if (built) {
    const entry = (await read<PackageFile>('package.json')).exports?.['./node']
    const file = typeof entry === 'string' ? entry : entry?.default
    if (file !== undefined) return join(checkout, file)
    throw new UsageError(`package.json of ${checkout} exports no "./node"`)
  }
  const file = (await read<TypeScriptFile>('tsconfig.json')).compilerOptions?.paths?.['agidb/node']?.[0]
  if (file !== undefined) return join(checkout, file)
  throw new UsageError(`tsconfig.json of ${checkout} has no path for "agidb/node"`)
}

/**
 * Loads the library of a checkout.
 *
 * @param checkout default: the checkout that this bench is part of
 * @param built see {@link entryOf}; default false, or true where `AGIDB_BUILT` is set. In Node its threads start from
 * the built package alone.
 */
export async function libraryOf(checkout = HERE, built = Boolean(process.env.AGIDB_BUILT)): Promise<Library> {
  return (await import(pathToFileURL(await entryOf(checkout, built)).href)) as Library
}

/** The library of this checkout: its sources; or, with `AGIDB_BUILT=1` and after `npm run build`, the built package. */
export const { Agidb } = await libraryOf()
