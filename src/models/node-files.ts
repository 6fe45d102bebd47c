import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetched, type FileCache, type Files } from './files.js'
import type { Loading } from './options.js'

const isRemote = (file: string) => /^https?:/i.test(file)

/** Files for Node and Deno: from paths, `file:` URLs and servers. */
export function nodeFiles({ cache }: Pick<Loading, 'cache'>): Files {
  return {
    read: async (file) => (isRemote(file) ? fetched(file) : readFile(/^file:/i.test(file) ? new URL(file) : file)),
    remote: isRemote,
    ...(typeof cache === 'string' && { cache: folderCache(cache) }),
  }
}

function folderCache(folder: string): FileCache {
  return {
    get: (hash) => readFile(join(folder, hash)),
    async put(hash, bytes) {
      await mkdir(folder, { recursive: true })
      const temporary = join(folder, `${hash}.${randomUUID()}`)
      try {
        await writeFile(temporary, bytes)
        await rename(temporary, join(folder, hash))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
  }
}
