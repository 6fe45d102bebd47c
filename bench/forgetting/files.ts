import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The bytes of all files below a folder. */
export async function filesIn(folder: string): Promise<Uint8Array[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))))
}
