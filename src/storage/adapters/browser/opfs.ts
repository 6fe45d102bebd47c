import { AgidbError } from '../../../base/errors.js'
import { sameBytes } from '../../../base/same-bytes.js'
import type { BlockFile } from '../../block/block-file.js'
import { domError, noRoom } from '../../dom-error.js'

/** The folder of all databases in the origin private file system. */
const ROOT = 'agidb'
/** How long the handle of a worker that died may stay taken: 20 to 460 ms were measured. */
const HANDLE_WAIT_MS = 5000
const RETRY_MS = 25
/** By which a file is told from another one of its name: a header of a journal. */
const COMPARED_BYTES = 64

/** Why this place has no sync access handles, or `undefined` when it has. */
export function opfsMissing(): string | undefined {
  if (typeof navigator === 'undefined' || typeof navigator.storage?.getDirectory !== 'function') {
    return 'this browser, or a page that is no secure context, has no origin private file system'
  }
  if (typeof FileSystemFileHandle === 'undefined' || !('createSyncAccessHandle' in FileSystemFileHandle.prototype)) {
    return 'there are no sync access handles here: they need a dedicated worker and a browser that has them'
  }
  return undefined
}

/** The folder of one database. `undefined` when the browser refuses, as some do in private windows. */
export async function opfsFolder(name: string): Promise<FileSystemDirectoryHandle | undefined> {
  const origin = await originFolder()
  if (origin === undefined) return undefined
  try {
    const root = await origin.getDirectoryHandle(ROOT, { create: true })
    return await root.getDirectoryHandle(folderName(name), { create: true })
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'SecurityError') return undefined
    throw domError(cause, `opening the folder of ${name} in OPFS`)
  }
}

/**
 * The folder of this origin, or `undefined` when the browser refuses: Firefox with a `SecurityError`, WebKit with an
 * `UnknownError`.
 */
async function originFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await navigator.storage.getDirectory()
  } catch (cause) {
    if (cause instanceof DOMException && (cause.name === 'SecurityError' || cause.name === 'UnknownError'))
      return undefined
    throw domError(cause, 'opening OPFS')
  }
}

/** Whether the folder of a database is there. */
export async function hasOpfsFolder(name: string): Promise<boolean> {
  const origin = await originFolder()
  if (origin === undefined) return false
  try {
    await (await origin.getDirectoryHandle(ROOT)).getDirectoryHandle(folderName(name))
    return true
  } catch (cause) {
    if (cause instanceof DOMException && (cause.name === 'NotFoundError' || cause.name === 'SecurityError'))
      return false
    throw domError(cause, `looking for the folder of ${name} in OPFS`)
  }
}

/** Whether an error says that sync access handles are there in name only, as in WebKitGTK. */
export function lacksHandles(error: unknown): boolean {
  return error instanceof AgidbError && error.cause instanceof DOMException && error.cause.name === 'NotSupportedError'
}

/** A name that the file system takes, different for each database. */
function folderName(name: string): string {
  const encoded = `db-${encodeURIComponent(name)}`
  if (encoded.length <= 240) return encoded
  throw new AgidbError(
    'AGIDB_INVALID_ARGUMENT',
    'the name of a database may take up to 237 characters when percent-encoded',
  )
}

/**
 * Opens or creates a file for this worker alone. Waits for the handle of one that is gone.
 * Throws `AGIDB_IN_USE` when it does not become free within five seconds.
 */
export async function openOpfsFile(folder: FileSystemDirectoryHandle, name: string): Promise<BlockFile> {
  const opening = `opening ${name} in OPFS`
  const deadline = performance.now() + HANDLE_WAIT_MS
  for (let wait = RETRY_MS; ; wait = Math.min(2 * wait, 10 * RETRY_MS)) {
    try {
      const file = await folder.getFileHandle(name, { create: true })
      return blockFile(await file.createSyncAccessHandle(), name, folder.name)
    } catch (cause) {
      if ((cause as DOMException).name !== 'NoModificationAllowedError') throw domError(cause, opening)
      if (performance.now() > deadline) {
        const message = 'another tab or worker has this database open: close it there first'
        throw new AgidbError('AGIDB_IN_USE', message, { file: name }, { cause })
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

function blockFile(handle: FileSystemSyncAccessHandle, name: string, folder: string): BlockFile {
  const guard = <T>(doing: string, work: () => T): T => {
    try {
      return work()
    } catch (cause) {
      throw domError(cause, `${doing} ${name} in OPFS`)
    }
  }
  return {
    name,
    size: () => guard('measuring', () => handle.getSize()),
    read: (at, into) => guard('reading', () => handle.read(into, { at })),
    write: (at, bytes) =>
      guard('writing', () => {
        // Where the quota ends, Chromium and Firefox write a part and do not throw.
        for (let done = 0; done < bytes.length; ) {
          const written = handle.write(bytes.subarray(done), { at: at + done })
          if (written === 0) throw noRoom(`writing ${name} in OPFS`)
          done += written
        }
      }),
    truncate: (length) => guard('truncating', () => handle.truncate(length)),
    flush: () => guard('flushing', () => handle.flush()),
    close: () => guard('closing', () => handle.close()),
    isLinked: () => leadsTo(folder, name, handle),
  }
}

/**
 * Whether a name in the folder of a database leads to the file of a handle. Handles cannot be compared with files, and
 * a file that was made in the place of a deleted one has an equal `FileSystemFileHandle`. So the first bytes are
 * compared, which have the random id and the epoch of a journal.
 */
async function leadsTo(folder: string, name: string, handle: FileSystemSyncAccessHandle): Promise<boolean> {
  const before = beginning(handle)
  let found: Uint8Array
  try {
    // From the root on: a handle of a folder may lead to one that is deleted.
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT)
    const file = await (await (await root.getDirectoryHandle(folder)).getFileHandle(name)).getFile()
    found = new Uint8Array(await file.slice(0, COMPARED_BYTES).arrayBuffer())
  } catch (cause) {
    if ((cause as DOMException).name === 'NotFoundError') return false
    throw domError(cause, `looking up ${name} in OPFS`) // it cannot be read while it is written to
  }
  // The header may have been written again between the two.
  return sameBytes(found, before) || sameBytes(found, beginning(handle))
}

function beginning(handle: FileSystemSyncAccessHandle): Uint8Array {
  const bytes = new Uint8Array(COMPARED_BYTES)
  return bytes.subarray(0, handle.read(bytes, { at: 0 }))
}
