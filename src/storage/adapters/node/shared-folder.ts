import { resolve } from 'node:path'
import type { StorageAdapter } from '../../../api/storage.js'
import { reachHolder, takeLock, type Lock, type ReachedHolder, type Served } from './lock.js'
import { isNotWritable, lockOf, nodeStorage, prepare, scopeFolder, type NodeStorageOptions } from './node.js'

/**
 * A folder that several processes have open: one has its lock and its files, the others reach that one by the socket
 * of the lock.
 */
export class SharedFolder {
  readonly folder: string
  readonly #options: Omit<NodeStorageOptions, 'lock'>
  #lock: Lock | undefined

  /** @param options as of {@link nodeStorage}. */
  constructor(path: string, options: Omit<NodeStorageOptions, 'lock'> = {}) {
    this.folder = resolve(path)
    this.#options = options
  }

  /**
   * Takes the lock, and answers the function that gives it back. A folder that may not be written to has none: each
   * process opens it for itself.
   *
   * @throws AgidbError what {@link takeLock} throws; `AGIDB_NOT_FOUND` for a database that is not to be made.
   */
  async take(served: Served): Promise<() => void> {
    const { create = true } = this.#options
    prepare(this.folder, create)
    const lock = await takeLock(lockOf(this.folder), served).catch((error: unknown) => {
      if (create || !isNotWritable(error)) throw error
      return undefined
    })
    this.#lock = lock
    return () => {
      this.#lock = undefined
      lock?.release()
    }
  }

  /** Connects to the process that has the lock; `undefined` where that is not possible. */
  reach(): Promise<ReachedHolder | undefined> {
    return reachHolder(lockOf(this.folder))
  }

  /** The storage, for the process that has the lock. */
  storage(): StorageAdapter {
    return nodeStorage(this.folder, { ...this.#options, lock: this.#lock })
  }

  /** The folder of a memory within this one. */
  scope(key: string): SharedFolder {
    return new SharedFolder(scopeFolder(this.folder, key), this.#options)
  }
}
