import '../adapters/browser/browser-model.js'
import { describe, expect, test, vi } from 'vitest'
import { opfsFiles } from '../../../../e2e/pages/storage-places.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { openInto, puts } from '../../../../src/storage/contract/episodes.js'
import { browserStorage } from '../../../../src/storage/adapters/browser/browser.js'
import * as mirroring from '../../../../src/storage/adapters/browser/mirroring.js'
import { Tables } from '../../../../src/storage/mirror/indexeddb.js'
import { tablesName } from '../../../../src/storage/mirror/tables-name.js'

/** A storage in a browser, and how often it loaded what uses IndexedDB. */
function storage(name: string) {
  const load = vi.fn(async (): Promise<mirroring.Mirroring> => mirroring)
  return { store: new OpenedStore(browserStorage(name, load)), load }
}

/** The slots that the copy in IndexedDB has. */
async function copied(name: string): Promise<number[]> {
  const tables = new Tables(tablesName(name))
  try {
    return await tables.slots()
  } finally {
    await tables.close()
  }
}

const events = async (store: OpenedStore): Promise<string[]> => (await store.stats()).opening.map(({ kind }) => kind)
const offline = new AgidbError('AGIDB_WORKER', 'a part of the library cannot be loaded')

describe('what copies a new database to IndexedDB', () => {
  test('is loaded after the first commit, and copies all that was committed before', async () => {
    const { store, load } = storage('new')
    await openInto(store)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(load).not.toHaveBeenCalled()
    await store.commit(puts(0, 2))
    await store.commit(puts(2, 2))
    expect(load).not.toHaveBeenCalled()
    await vi.waitFor(async () => expect(await copied('new')).toEqual([0, 1, 2, 3]), { timeout: 10_000 })
    await store.commit(puts(4, 1))
    await store.flush()
    expect(await copied('new')).toEqual([0, 1, 2, 3, 4])
    expect([load.mock.calls.length, await events(store)]).toEqual([1, ['created']])
    await store.close()
  })

  test('copies before the database is closed, and is loaded at once when it is opened again', async () => {
    const first = storage('closed')
    await openInto(first.store)
    await first.store.commit(puts(0, 3))
    await first.store.close()
    expect(await copied('closed')).toEqual([0, 1, 2])
    const second = storage('closed')
    expect((await openInto(second.store)).kept.size).toBe(3)
    expect([second.load.mock.calls.length, await events(second.store)]).toEqual([1, []])
    await second.store.close()
  })

  test('needs no room in OPFS that a new database has not taken, so a full one can be opened again', async () => {
    const { store } = storage('full')
    await openInto(store)
    await store.close()
    const before = await opfsFiles('full')
    const again = storage('full')
    await openInto(again.store)
    await again.store.close()
    const sizes = (files: typeof before) => Array.from(files, ([name, { length }]) => [name, length])
    expect(sizes(await opfsFiles('full'))).toEqual(sizes(before))
  })

  test('is told of once if it cannot be loaded, keeps no commit from being stored, and is tried again', async () => {
    const { store, load } = storage('offline')
    load.mockRejectedValue(offline)
    await openInto(store)
    await store.commit(puts(0, 2))
    await expect(store.flush()).rejects.toBe(offline)
    await expect(store.flush()).rejects.toBe(offline)
    expect(await events(store)).toEqual(['created', 'mirror-failed'])
    load.mockResolvedValue(mirroring)
    await store.commit(puts(2, 1))
    await vi.waitFor(async () => expect(await copied('offline')).toEqual([0, 1, 2]), { timeout: 10_000 })
    await store.close()
  })

  test('copies at the next opening if it could not be loaded before the database was closed', async () => {
    const first = storage('later')
    first.load.mockRejectedValue(offline)
    await openInto(first.store)
    await first.store.commit(puts(0, 2))
    await first.store.close()
    expect(await copied('later')).toEqual([])
    const second = storage('later')
    expect((await openInto(second.store)).kept.size).toBe(2)
    await second.store.flush()
    expect([await copied('later'), await events(second.store)]).toEqual([[0, 1], []])
    await second.store.close()
  })

  test('copies the journal that a compaction wrote before it was loaded', async () => {
    const { store } = storage('compacted')
    await openInto(store)
    await store.commit(puts(0, 4))
    await store.commit([{ op: 'remove', slot: 1, id: 'ep_1' }])
    await store.parts.maintenance!.compact()
    await store.flush()
    expect(await copied('compacted')).toEqual([0, 2, 3])
    await store.close()
  })

  test('is loaded before a database without a journal is opened, if IndexedDB has one', async () => {
    const tables = new Tables(tablesName('only'))
    const only = mirroring.indexedDbStorage('only', tables, 'a reason')
    const made = new OpenedStore(only)
    await openInto(made)
    await made.commit(puts(0, 2))
    await made.close()
    const { store, load } = storage('only')
    expect((await openInto(store)).kept.size).toBe(2)
    expect([load.mock.calls.length, await events(store)]).toEqual([1, ['journal-rebuilt']])
    await store.close()
  })
})
