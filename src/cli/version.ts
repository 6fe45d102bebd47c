import { readFileSync } from 'node:fs'

/** The version in the package.json above this file, which is nearer in the sources than in the built package. */
export function version(): string {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
        name?: string
        version?: string
      }
      if (name === 'agidb' && version !== undefined) return version
    } catch {
      continue
    }
  }
  return 'unknown'
}
