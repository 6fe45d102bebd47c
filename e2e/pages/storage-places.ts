import { deleteDB, openDB } from 'idb'
import { chunksOf } from '../../src/storage/mirror/chunks.js'
import { Tables } from '../../src/storage/mirror/indexeddb.js'
import type { StoredEpisode } from '../../src/api/storage.js'
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
  return {
    async read() {
      return new Uint8Array(await (await (await fileOf(database, JOURNAL)).getFile()).arrayBuffer())
    },
    write: (bytes) => writeOpfsFile(database, JOURNAL, bytes),
  }
}

/** Puts bytes in the place of a file of a database that is closed. */
export async function writeOpfsFile(database: string, file: string, bytes: Uint8Array): Promise<void> {
  const handle = await (await fileOf(database, file)).createSyncAccessHandle()
  handle.truncate(0)
  handle.write(bytes.slice(), { at: 0 })
  handle.flush()
  handle.close()
}

async function fileOf(database: string, file: string): Promise<FileSystemFileHandle> {
  const folder = await (await folders()).getDirectoryHandle(folderName(database), { create: true })
  return folder.getFileHandle(file, { create: true })
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

/** Makes the IndexedDB of a database that is closed one of version 1 or 2, with the same content. */
export async function downgradeIndexedDb(database: string, version: 1 | 2 = 1): Promise<void> {
  const tables = new Tables(`agidb:${database}`)
  const state = await tables.state()
  const episodes = await tables.episodes(-1, 1_000_000)
  await tables.close()
  await deleteIndexedDb(database)
  const older = await openDB(`agidb:${database}`, version, {
    upgrade(db) {
      db.createObjectStore('rows', { keyPath: 'slot' }).createIndex('id', 'id')
      db.createObjectStore('signatures', { keyPath: 'slot' })
      db.createObjectStore('meta')
    },
  })
  const tx = older.transaction(['rows', 'signatures', 'meta'], 'readwrite')
  for (const { slot, id, row, signatures, encoder } of episodes) {
    void tx.objectStore('rows').put({ slot, id, row })
    void tx.objectStore('signatures').put({ slot, ...signatures, encoder })
  }
  await tx.objectStore('meta').put(state, 'state')
  await tx.done
  older.close()
}

/**
 * Brings the IndexedDB of a database back to where its conversion to version 3 was cut short: the first episodes are in
 * chunks.
 */
export async function halfConvertIndexedDb(database: string, count: number): Promise<void> {
  await downgradeIndexedDb(database, 2)
  const half = await openDB(`agidb:${database}`, 3, {
    upgrade: (db) => void db.createObjectStore('chunks', { keyPath: 'first' }),
  })
  const tx = half.transaction(['rows', 'signatures', 'chunks'], 'readwrite')
  const [rows, signatures, chunks] = [tx.objectStore('rows'), tx.objectStore('signatures'), tx.objectStore('chunks')]
  const first = await rows.getAll(null, count)
  const range = IDBKeyRange.upperBound(first.at(-1).slot)
  const signed = await signatures.getAll(range)
  const episodes = first.map((row, index): StoredEpisode => {
    const { slot: _, encoder, ...kinds } = signed[index]
    return { ...row, encoder, signatures: kinds }
  })
  for (const chunk of chunksOf(episodes)) void chunks.put(chunk)
  void rows.delete(range)
  await signatures.delete(range)
  await tx.done
  half.close()
}

/** Deletes what a database has in IndexedDB. */
export function deleteIndexedDb(database: string): Promise<void> {
  return deleteDB(`agidb:${database}`)
}
