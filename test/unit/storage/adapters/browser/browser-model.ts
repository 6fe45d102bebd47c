import 'fake-indexeddb/auto'

/**
 * A model of what the browser's storage stands on, in main memory: an origin private file system and Web Locks;
 * IndexedDB is fake-indexeddb. The proof is what `e2e/storage.spec.ts` runs in a browser; here the same cases run in a
 * second, and mutants of the storage are tried on them.
 */

const files = new Map<FileHandle, { bytes: Uint8Array; open: boolean }>()
/** What the disk still takes. */
let room = Infinity

function missing(name: string): DOMException {
  return new DOMException(`${name} is not there`, 'NotFoundError')
}

class FolderHandle {
  readonly #entries = new Map<string, FolderHandle | FileHandle>()

  constructor(readonly name: string) {}

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<FolderHandle> {
    return this.#get(name, create, () => new FolderHandle(name))
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<FileHandle> {
    return this.#get(name, create, () => new FileHandle())
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.#entries.delete(name)) throw missing(name)
  }

  async *keys(): AsyncGenerator<string> {
    yield* this.#entries.keys()
  }

  #get<H extends FolderHandle | FileHandle>(name: string, create: boolean, make: () => H): H {
    const found = this.#entries.get(name)
    if (found) return found as H
    if (!create) throw missing(name)
    const made = make()
    this.#entries.set(name, made)
    return made
  }
}

class FileHandle {
  constructor() {
    files.set(this, { bytes: new Uint8Array(0), open: false })
  }

  async getFile(): Promise<Blob> {
    return new Blob([files.get(this)!.bytes.slice()])
  }

  async createSyncAccessHandle(): Promise<AccessHandle> {
    const file = files.get(this)!
    if (file.open) throw new DOMException('another handle has it', 'NoModificationAllowedError')
    file.open = true
    return new AccessHandle(this)
  }
}

class AccessHandle {
  readonly #of: FileHandle

  constructor(of: FileHandle) {
    this.#of = of
  }

  getSize(): number {
    return this.#file.bytes.length
  }

  read(into: Uint8Array, { at }: { at: number }): number {
    const found = this.#file.bytes.subarray(at, at + into.length)
    into.set(found)
    return found.length
  }

  /** Takes a part where the room ends, as Chromium does. */
  write(bytes: Uint8Array, { at }: { at: number }): number {
    const file = this.#file
    const written = Math.min(bytes.length, Math.max(0, file.bytes.length + room - at))
    if (at + written > file.bytes.length) this.truncate(at + written)
    file.bytes.set(bytes.subarray(0, written), at)
    return written
  }

  truncate(length: number): void {
    const file = this.#file
    room -= length - file.bytes.length
    const bytes = new Uint8Array(length)
    bytes.set(file.bytes.subarray(0, length))
    file.bytes = bytes
  }

  flush(): void {
    void this.#file
  }

  close(): void {
    this.#file.open = false
  }

  get #file(): { bytes: Uint8Array; open: boolean } {
    const file = files.get(this.#of)!
    if (!file.open) throw new DOMException('the handle is closed', 'InvalidStateError')
    return file
  }
}

/** Exclusive locks by name, given in the order in which they were asked for. */
class Locks {
  readonly #last = new Map<string, Promise<unknown>>()

  async request(name: string, { signal }: { signal: AbortSignal }, held: () => Promise<unknown>): Promise<void> {
    const before = this.#last.get(name) ?? Promise.resolve()
    let isOver = (): void => {}
    const over = new Promise<void>((resolve) => (isOver = resolve))
    this.#last.set(
      name,
      before.then(() => over),
    )
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    try {
      await Promise.race([before, aborted])
      await held()
    } finally {
      isOver()
    }
  }
}

const root = new FolderHandle('')

/** How much more the files may take, all together. */
export function leaveRoom(bytes: number): void {
  room = bytes
}

/** The parts of `navigator` that are modelled, for tests that take one away. */
export const model = {
  storage: {
    getDirectory: async (): Promise<FolderHandle> => root,
    estimate: async (): Promise<StorageEstimate> => ({ usage: 10, quota: 100 }),
    persisted: async (): Promise<boolean> => false,
  },
  locks: new Locks() as Locks | undefined,
}

Object.defineProperty(globalThis, 'navigator', { value: model, configurable: true, writable: true })
Object.assign(globalThis, { FileSystemFileHandle: FileHandle, FileSystemSyncAccessHandle: AccessHandle })
