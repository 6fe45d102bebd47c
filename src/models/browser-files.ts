import { fetched, type FileCache, type Files } from './files.js'
import type { Loading } from './options.js'

/** The folder in the origin private file system, and the name of the cache where there is none. */
const PLACE = 'agidb-models'

/** Files for browsers: from URLs. */
export function browserFiles({ cache }: Pick<Loading, 'cache'>): Files {
  return { read: fetched, remote: (file) => /^https?:/i.test(file), ...(cache !== false && { cache: browserCache() }) }
}

function browserCache(): FileCache | undefined {
  const move = typeof FileSystemFileHandle !== 'undefined' && 'move' in FileSystemFileHandle.prototype
  if (move && 'createSyncAccessHandle' in FileSystemFileHandle.prototype) return opfsCache
  return typeof caches === 'undefined' ? undefined : responseCache
}

/** All browsers have it, the types do not yet. */
type Movable = FileSystemFileHandle & { move(name: string): Promise<void> }

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(PLACE, { create: true })

const opfsCache: FileCache = {
  async get(hash) {
    const file = await (await folder()).getFileHandle(hash)
    return new Uint8Array(await (await file.getFile()).arrayBuffer())
  },
  async put(hash, bytes) {
    const place = await folder()
    // One name for all: what a crash left is written over, and of two downloads at once one keeps the file.
    const temporary = `${hash}.part`
    const file = (await place.getFileHandle(temporary, { create: true })) as Movable
    try {
      const handle = await file.createSyncAccessHandle()
      try {
        handle.truncate(0)
        if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new Error('not all was written')
        handle.flush()
      } finally {
        handle.close()
      }
      await file.move(hash)
    } catch (error) {
      await place.removeEntry(temporary).catch(() => {})
      throw error
    }
  },
}

const responseCache: FileCache = {
  async get(hash) {
    const response = await (await caches.open(PLACE)).match(`/${PLACE}/${hash}`)
    return response && new Uint8Array(await response.arrayBuffer())
  },
  async put(hash, bytes) {
    await (await caches.open(PLACE)).put(`/${PLACE}/${hash}`, new Response(bytes))
  },
}
