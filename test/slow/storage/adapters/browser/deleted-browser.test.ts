import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import '../../../../unit/storage/adapters/browser/browser-model.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteIndexedDb, deleteOpfs } from '../../../../../e2e/pages/storage-places.js'
import type { AgidbError } from '../../../../../src/base/errors.js'
import { browserStorage } from '../../../../unit/storage/whole-browser-storage.js'
import { Tables } from '../../../../../src/storage/mirror/indexeddb.js'
import { tablesName } from '../../../../../src/storage/mirror/tables-name.js'
import { openInto, put, puts } from '../../../../../src/storage/contract/episodes.js'

/**
 * A database whose site data is cleared while it is open, in a model of a browser. The same is tested in Chromium by
 * `e2e/cleared-site-data.spec.ts`.
 */

let count = 0
let name: string
let store: OpenedStore
afterEach(async () => {
  vi.useRealTimers()
  await store.close()
})

/** Opens a new database with 201 episodes that are in both places. */
async function filled(): Promise<void> {
  name = `cleared ${count++}`
  store = new OpenedStore(browserStorage(name))
  await openInto(store)
  await store.commit(puts(0, 201))
  await store.flush()
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code }: AgidbError) => code,
  )
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The slots that IndexedDB has. */
async function copied(): Promise<number[]> {
  const tables = new Tables(tablesName(name))
  return tables.slots().finally(() => tables.close())
}

/** What opening the database anew finds. */
async function reopened(): Promise<{ kinds: string[]; episodes: number }> {
  await store.close()
  const { kept } = await openInto(store)
  return { kinds: (await store.stats()).opening.map(({ kind }) => kind), episodes: kept.size }
}

describe('an open database of which both copies are deleted', () => {
  test('refuses every write, says so once, and does not come back at the next start', async () => {
    await filled()
    const told: string[] = []
    store.onDeleted(({ code }) => told.push(code))
    await deleteIndexedDb(name)
    await deleteOpfs(name)
    await pause(150)
    expect(await outcome(store.commit([put(201)]))).toBe('AGIDB_DELETED')
    expect(await outcome(store.commit([put(202)]))).toBe('AGIDB_DELETED')
    expect(await outcome(store.flush())).toBe('AGIDB_DELETED')
    expect(await outcome(store.parts.maintenance!.compact())).toBe('AGIDB_DELETED')
    expect(await outcome(store.parts.checkpoint!.write([]))).toBe('AGIDB_DELETED')
    expect(told).toEqual(['AGIDB_DELETED'])
    expect(await store.rows([0])).toEqual([put(0).row])
    await store.close()
    expect(await copied()).toEqual([])
    expect(await reopened()).toEqual({ kinds: ['created'], episodes: 0 })
  })

  test('does not fill IndexedDB again when that was deleted half a second before the journal', async () => {
    await filled()
    await deleteIndexedDb(name)
    await store.commit([put(201)]) // the mirror finds the tables empty
    await pause(500)
    await deleteOpfs(name)
    await pause(1000)
    await store.close()
    expect(await copied()).toEqual([])
    expect(await reopened()).toEqual({ kinds: ['created'], episodes: 0 })
  })

  test('empties IndexedDB again when the journal was deleted only after that had been filled', async () => {
    await filled()
    await deleteIndexedDb(name)
    await store.commit([put(201)])
    await store.flush()
    expect(await copied()).toHaveLength(202)
    await deleteOpfs(name)
    await pause(150)
    expect(await outcome(store.commit([put(202)]))).toBe('AGIDB_DELETED')
    await store.close()
    expect(await copied()).toEqual([])
    expect(await reopened()).toEqual({ kinds: ['created'], episodes: 0 })
  })

  test('does not bring back what it had not yet copied to IndexedDB', async () => {
    name = `cleared ${count++}`
    store = new OpenedStore(browserStorage(name))
    await openInto(store)
    await store.commit(puts(0, 50))
    await deleteIndexedDb(name)
    await deleteOpfs(name)
    await store.close()
    expect(await copied()).toEqual([])
  })
})

test('after the journal of an open database is deleted the next open rebuilds it from IndexedDB', async () => {
  await filled()
  await deleteOpfs(name)
  await pause(150)
  expect(await outcome(store.commit([put(201)]))).toBe('AGIDB_DELETED')
  expect(await copied()).toHaveLength(201)
  expect(await reopened()).toEqual({ kinds: ['journal-rebuilt'], episodes: 201 })
})

test('an open database whose journal was deleted and made anew by somebody else is told from the new one', async () => {
  await filled()
  await deleteIndexedDb(name)
  await deleteOpfs(name)
  const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle('agidb')).getDirectoryHandle(
    `db-${encodeURIComponent(name)}`,
    { create: true },
  )
  const access = await (await folder.getFileHandle('journal.agidb', { create: true })).createSyncAccessHandle()
  access.write(new Uint8Array(500).fill(7), { at: 0 })
  access.close()
  await pause(150)
  expect(await outcome(store.commit([put(201)]))).toBe('AGIDB_DELETED')
})

test('a lookup that fails for another reason than that nothing is there stops nobody', async () => {
  await filled()
  const getFile = vi
    .spyOn(FileSystemFileHandle.prototype, 'getFile')
    .mockRejectedValue(new DOMException('it is being written', 'NotReadableError'))
  await pause(150)
  await store.commit([put(201)])
  expect(getFile).toHaveBeenCalled()
  getFile.mockRestore()
  expect((await reopened()).episodes).toBe(202)
})
