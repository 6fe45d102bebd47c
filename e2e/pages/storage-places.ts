import { deleteDB, openDB } from 'idb'
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

/** The content of all files of a database that is closed, by name. */
export async function opfsFiles(database: string): Promise<Map<string, Uint8Array>> {
  const folder = await (await folders()).getDirectoryHandle(folderName(database))
  const files = new Map<string, Uint8Array>()
  for await (const name of folder.keys()) files.set(name, await opfsBytes(database, name))
  return files
}

/** Deletes one file of a database that is closed. */
export async function deleteOpfsFile(database: string, file: string): Promise<void> {
  await (await (await folders()).getDirectoryHandle(folderName(database))).removeEntry(file)
}

/** Deletes all that a database has in OPFS. */
export async function deleteOpfs(database: string): Promise<void> {
  await (await folders()).removeEntry(folderName(database), { recursive: true })
}

/** Makes the IndexedDB of a database that is closed one of version 1, with the same content. */
export async function downgradeIndexedDb(database: string): Promise<void> {
  const stores = ['rows', 'signatures', 'meta']
  const newer = await openDB(`agidb:${database}`)
  const values = await Promise.all(stores.map((store) => newer.getAll(store)))
  newer.close()
  await deleteIndexedDb(database)
  const older = await openDB(`agidb:${database}`, 1, {
    upgrade(db) {
      db.createObjectStore('rows', { keyPath: 'slot' }).createIndex('id', 'id')
      db.createObjectStore('signatures', { keyPath: 'slot' })
      db.createObjectStore('meta')
    },
  })
  for (const [index, store] of stores.entries()) {
    for (const value of values[index]) await older.put(store, value, store === 'meta' ? 'state' : undefined)
  }
  older.close()
}

/** Deletes what a database has in IndexedDB. */
export function deleteIndexedDb(database: string): Promise<void> {
  return deleteDB(`agidb:${database}`)
}
