import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The number of the process that has the lock of a folder. */
export function ownerOf(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as { readonly pid: number }).pid
}
