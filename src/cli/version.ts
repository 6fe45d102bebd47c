import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Package {
  /** Its folder. */
  readonly folder: URL
  readonly version: string
}

/** The version of the package. */
export function version(): string {
  return found()?.version ?? 'unknown'
}

/** The folder of the package. */
export function packageFolder(): string {
  return fileURLToPath(found()?.folder ?? new URL('../..', import.meta.url))
}

/** The package.json above this file, which is nearer in the sources than in the built package. */
function found(): Package | undefined {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
        name?: string
        version?: string
      }
      if (name === 'agidb' && version !== undefined) return { folder, version }
    } catch {
      continue
    }
  }
  return undefined
}
