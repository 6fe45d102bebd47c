import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { model } from './browser-model.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteIndexedDb, journalBytes, opfsFiles } from '../../../../../e2e/pages/storage-places.js'
import { browserStorage } from '../../whole-browser-storage.js'
import { Tables } from '../../../../../src/storage/mirror/indexeddb.js'
import type { StorageChange } from '../../../../../src/api/storage.js'
import { tablesName } from '../../../../../src/storage/mirror/tables-name.js'
import { readDamaged, type Readable } from '../../../../../src/storage/adapters/browser/salvage.js'
import { copyOf, listed, modelOf, noise, put, puts, type Kept } from '../../../../../src/storage/contract/episodes.js'
import { made } from '../../browser-database.js'

/** What can be read of a damaged database, in a model of a browser; `e2e/salvage.spec.ts` brings it out in one. */

const { storage } = model
afterEach(() => {
  Object.assign(model, { storage })
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Everything that is found, in the order in which it comes. */
async function found(name: string) {
  const { value, files } = await readDamaged(name, false, async (readable: Readable) => {
    const kept = new Map<number, Kept>()
    for await (const page of readable.rows()) for (const episode of page) kept.set(episode.slot, copyOf(episode))
    expect([...kept.keys()]).toEqual(readable.slots)
    return { value: { ...readable, kept }, slots: [] }
  })
  return { ...value, files: await Promise.all(files.map(async (file) => new Uint8Array(await file.arrayBuffer()))) }
}

/** Nobody has it open, and its scratch file is empty. */
async function expectLetGo(name: string): Promise<void> {
  expect((await opfsFiles(name)).get('salvaged.agidb')?.length ?? 0).toBe(0)
  const store = new OpenedStore(browserStorage(name))
  await store
    .open(() => undefined)
    .then(
      () => store.close(),
      (error: { code: string }) => expect(error.code).not.toBe('AGIDB_IN_USE'),
    )
}

/** Commits with little in them, so that all can be compared. */
const small = (from: number, count: number): StorageChange[] =>
  puts(from, count, 9).map((change) => ({ ...change, signatures: { text: noise(change.slot + 7, 8) } }))
const REMOVE: StorageChange = { op: 'remove', slot: 1, id: 'ep_1' }

describe('what can be read of a database in a browser', () => {
  test('that is well is all of it, and its files as they are', async () => {
    const databaseId = await made('well', small(0, 300), [REMOVE])
    const bytes = await journalBytes('well').read()
    const { kept, files, ...rest } = await found('well')
    expect(rest).toMatchObject({ databaseId, copied: 0, orphans: 0, unread: [] })
    expect(listed(kept)).toEqual(listed(modelOf(small(0, 300), [REMOVE])))
    expect(files).toEqual([bytes])
    expect(await journalBytes('well').read()).toEqual(bytes)
    await expectLetGo('well')
  })

  test('of which the journal is damaged is the rest, and what its copy has of what is lost', async () => {
    const databaseId = await made('damaged', puts(0, 3), [REMOVE], puts(3, 3), puts(6, 2))
    const whole = await journalBytes('damaged').read()
    const frame = (index: number): number => {
      let at = 64
      for (; index > 0; index--) at += 32 + new DataView(whole.buffer).getUint32(at + 8, true)
      return at
    }
    const damaged = whole.slice()
    damaged.fill(7, frame(2), frame(3))
    await journalBytes('damaged').write(damaged)
    const copied = await found('damaged')
    expect(copied).toMatchObject({
      databaseId,
      copied: 3,
      orphans: 0,
      unread: [{ file: 'journal.agidb', at: frame(2), bytes: frame(3) - frame(2) }],
    })
    expect(listed(copied.kept)).toEqual(listed(modelOf(puts(0, 8), [REMOVE])))
    // What the journal says was removed the copy does not bring back.
    const tables = new Tables(tablesName('damaged'))
    await tables.apply([put(1)], 'strict', (now) => now!)
    await tables.close()
    expect([...(await found('damaged')).kept.keys()]).toEqual([0, 2, 3, 4, 5, 6, 7])
    // Without a copy that can be read, or that is of another database, there is what the journal has.
    vi.spyOn(indexedDB, 'databases').mockRejectedValueOnce(new Error('no'))
    const alone = await found('damaged')
    expect([alone.copied, [...alone.kept.keys()]]).toEqual([0, [0, 2, 6, 7]])
    const other = new Tables(tablesName('damaged'))
    const state = (await other.state())!
    await other.setState({ ...state, databaseId: 'ab'.repeat(16) })
    expect((await found('damaged')).copied).toBe(0)
    // The copy may be beside one of another database.
    const beside = new Tables(`${tablesName('damaged')}#${databaseId}`)
    await beside.apply(puts(3, 2), 'strict', () => state)
    await beside.close()
    await other.close()
    const unrelated = new Tables(tablesName('damaged too'))
    await unrelated.apply([put(5)], 'strict', () => state)
    await unrelated.close()
    expect(await found('damaged')).toMatchObject({ databaseId, copied: 2, slots: [0, 2, 3, 4, 6, 7] })
  })

  test('of which the journal is no more is what the copy has, and nothing where there is none', async () => {
    const databaseId = await made('gone', small(0, 300))
    await journalBytes('gone').write(noise(1, 5000))
    const { kept, files, ...rest } = await found('gone')
    expect(rest).toMatchObject({ databaseId, copied: 300, orphans: 0, unread: [{ file: 'journal.agidb' }] })
    expect(listed(kept)).toEqual(listed(modelOf(small(0, 300))))
    expect(files).toEqual([noise(1, 5000)])
    await deleteIndexedDb('gone')
    await expect(found('gone')).rejects.toMatchObject({ code: 'AGIDB_CORRUPT', details: { database: 'gone' } })
    expect(await journalBytes('gone').read()).toEqual(noise(1, 5000))
    await expectLetGo('gone')
  })

  test('with tables that have nothing in them, or cannot be opened, is that of the journal', async () => {
    const databaseId = await made('no tables', puts(0, 2))
    await deleteIndexedDb('no tables')
    const empty = new Tables(tablesName('no tables'))
    expect(await empty.state()).toBeUndefined()
    await empty.close()
    expect(await found('no tables')).toMatchObject({ databaseId, slots: [0, 1], copied: 0 })
    const opening = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('closed', 'UnknownError')
    })
    expect(await found('no tables')).toMatchObject({ databaseId, slots: [0, 1], copied: 0 })
    opening.mockRestore()
  })

  test('is let go of when what it is used for fails', async () => {
    await made('failing', puts(0, 2))
    await expect(
      readDamaged('failing', false, async ({ rows }) => {
        for await (const page of rows()) throw new Error(`of ${page.length}`)
        return { value: undefined, slots: [] }
      }),
    ).rejects.toThrow('of 2')
    await expectLetGo('failing')
  })

  test('is not asked where there is none, or no place that it could be in', async () => {
    await expect(found('never')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await made('refused', puts(0, 2))
    // It is looked for first, and then opened.
    let asked = 0
    model.storage = {
      ...storage,
      getDirectory: () =>
        asked++ === 0 ? storage.getDirectory() : Promise.reject(new DOMException('refused', 'SecurityError')),
    }
    await expect(found('refused')).rejects.toMatchObject({
      code: 'AGIDB_UNSUPPORTED',
      message: expect.stringContaining('refuses here'),
    })
    model.storage = storage
    await expectLetGo('refused')
    const store = new OpenedStore(browserStorage('refused'))
    await store.open(() => undefined)
    await expect(found('refused')).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await store.close()
    vi.stubGlobal('FileSystemFileHandle', class {})
    await expect(found('refused')).rejects.toMatchObject({
      code: 'AGIDB_UNSUPPORTED',
      message: expect.stringContaining('sync access handles'),
    })
  })
})
