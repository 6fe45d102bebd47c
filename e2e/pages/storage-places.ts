import { deleteDB } from 'idb'
import type { JournalBytes } from '../../test/contract/case.js'

/** Where the browser's storage of a database lies, for damaging it from outside. */

const JOURNAL = 'journal.agidb'

async function folders(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle('agidb', { create: true })
}

function folderName(database: string): string {
  return `db-${encodeURIComponent(database)}`
}

/** The journal of a database that is closed. */
export function journalBytes(database: string): JournalBytes {
  const file = async (): Promise<FileSystemFileHandle> => {
    const folder = await (await folders()).getDirectoryHandle(folderName(database), { create: true })
    return folder.getFileHandle(JOURNAL, { create: true })
  }
  return {
    async read() {
      return new Uint8Array(await (await (await file()).getFile()).arrayBuffer())
    },
    async write(bytes) {
      const handle = await (await file()).createSyncAccessHandle()
      handle.truncate(0)
      handle.write(bytes, { at: 0 })
      handle.flush()
      handle.close()
    },
  }
}

/** Bytes of a file in the folder of a database that is closed. */
export async function opfsBytes(database: string, file: string): Promise<Uint8Array> {
  const folder = await (await folders()).getDirectoryHandle(folderName(database))
  return new Uint8Array(await (await (await folder.getFileHandle(file)).getFile()).arrayBuffer())
}

/** Deletes one file of a database that is closed. */
export async function deleteOpfsFile(database: string, file: string): Promise<void> {
  await (await (await folders()).getDirectoryHandle(folderName(database))).removeEntry(file)
}

/** Deletes all that a database has in OPFS. */
export async function deleteOpfs(database: string): Promise<void> {
  await (await folders()).removeEntry(folderName(database), { recursive: true })
}

/** Deletes what a database has in IndexedDB. */
export function deleteIndexedDb(database: string): Promise<void> {
  return deleteDB(`agidb:${database}`)
}
