import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { AgidbError } from '../base/errors.js'

/** What of a `package.json` is read here. */
interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
}

/**
 * Adds the scripts of one `package.json` that another one lacks. What is there stays as it is, its indentation too.
 *
 * @param write whether the file is written; `false` tells what would be added
 * @returns the names of the scripts
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` where the file holds no object of JSON
 */
export function addedScripts(from: string, to: string, write: boolean): string[] {
  const text = lstatSync(to).isFile() ? readFileSync(to, 'utf8') : ''
  const there = manifestOf(text, to)
  const { scripts = {} } = manifestOf(readFileSync(from, 'utf8'), from)
  const missing = Object.entries(scripts).filter(([name]) => !Object.hasOwn(there.scripts ?? {}, name))
  if (write && missing.length > 0) {
    const [, indent = '  '] = /^\{\s*?\n([ \t]+)/.exec(text) ?? []
    const merged = { ...there, scripts: { ...there.scripts, ...Object.fromEntries(missing) } }
    writeFileSync(to, `${JSON.stringify(merged, undefined, indent)}\n`)
  }
  return missing.map(([name]) => name)
}

function manifestOf(text: string, path: string): Manifest {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // Told below.
  }
  throw new AgidbError(
    'AGIDB_INVALID_ARGUMENT',
    `${path} is no object of JSON; repair it, or choose another --folder`,
    {
      path,
    },
  )
}
