import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import '../adapters/browser/browser-model.js'
import { deleteDB, openDB } from 'idb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteIndexedDb, deleteOpfs, journalBytes } from '../../../../e2e/pages/storage-places.js'
import type { StorageEvent } from '../../../../src/api/stats.js'
import { Findings } from '../../../../src/api/findings.js'
import { browserStorage } from '../whole-browser-storage.js'
import { checkMirror } from '../../../../src/storage/mirror/check-mirror.js'
import { newHeader } from '../../../../src/storage/journal/frame.js'
import { Tables, type TablesState } from '../../../../src/storage/mirror/indexeddb.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { Mirror, stateAfter } from '../../../../src/storage/mirror/mirror.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { FilePresence } from '../../../../src/storage/block/file-presence.js'
import { extend } from '../../../../src/storage/mirror/rebuild.js'
import { tablesName } from '../../../../src/storage/mirror/tables-name.js'
import { listed, modelOf, noise, openInto, put, puts, sign } from '../../../../src/storage/contract/episodes.js'
import { made } from '../browser-database.js'
import { MemoryFile } from '../memory-file.js'

/**
 * The journal and its copy in IndexedDB, in a model of a browser: what the cases of `e2e/pages/storage-cases.ts` leave
 * out.
 */

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
let count = 0

/** A journal of these commits, and tables with these. */
async function copies(
  journaled: readonly StorageChange[][],
  copied: readonly StorageChange[][],
  more: Partial<TablesState> = {},
) {
  const journal = await Journal.begin(new MemoryFile(), newHeader(0))
  for (const commit of journaled) await journal.append(commit)
  const tables = new Tables(`copies ${count++}`)
  const nextSlot = Math.max(0, ...copied.flat().map(({ slot }) => slot + 1))
  const state: TablesState = { ...stateAfter(journal, { lsn: copied.length, at: 0 }), nextSlot, ...more }
  await tables.apply(copied.flat(), 'strict', () => state)
  return { journal, tables, state }
}

async function all(journal: Journal): Promise<unknown[]> {
  const found = await journal.read(journal.liveSlots(0, journal.nextSlot))
  return listed(new Map(found.map(({ slot, signatures, ...rest }) => [slot, { ...rest, ...signatures }])))
}

describe('a journal that lacks commits of its copy', () => {
  test('gets episodes, rows, signatures, removals and used slots from the copy', async () => {
    const first = [puts(0, 4)]
    const edits: StorageChange[] = [
      { op: 'update', slot: 1, id: 'ep_1', row: noise(5, 9) },
      sign(2, { latent: noise(6, 20) }),
      { ...sign(0, { text: put(0).signatures.text! }), encoder: 3 },
      remove(3),
      put(4),
      put(5),
      remove(5),
    ]
    const { journal, tables, state } = await copies(first, [...first, edits])
    const extended = await extend(journal, tables, state)
    expect(extended).toEqual({ from: journal.end, changes: 5 })
    expect(await all(journal)).toEqual(listed(modelOf(...first, edits)))
    expect([journal.nextSlot, journal.isRemoved(5), journal.isRemoved(3)]).toEqual([6, true, true])
    expect(await tables.state()).toEqual(stateAfter(journal, journal.end))
    await tables.close()
  })

  test('gets only what it lacks, also of episodes without signatures', async () => {
    const first: StorageChange[][] = [
      [
        { ...put(0), signatures: { latent: noise(8, 9) } },
        { ...put(1), signatures: {} },
      ],
    ]
    const { journal, tables, state } = await copies(first, [...first, [put(2)]])
    expect(await extend(journal, tables, state)).toEqual({ from: journal.end, changes: 1 })
    expect(await all(journal)).toEqual(listed(modelOf(...first, [put(2)])))
    await tables.close()
  })

  test('gets nothing if the copy cannot have been made from it', async () => {
    const strange: [string, StorageChange[][], StorageChange[][]][] = [
      ['it has later slots', [puts(0, 6)], [puts(0, 4)]],
      ['it has another episode in a slot', [[{ ...put(0), id: 'another' }]], [[put(0), put(1)]]],
      ['it has a signature that the copy has not', [[put(0), sign(0, { latent: noise(1, 9) })]], [[put(0), put(1)]]],
      ['it has removed what the copy has', [puts(0, 2), [remove(0)]], [puts(0, 2)]],
    ]
    for (const [why, journaled, copied] of strange) {
      const { journal, tables, state } = await copies(journaled, copied)
      expect(await extend(journal, tables, state), why).toBeUndefined()
      expect(await tables.state(), why).toEqual({ ...state, rebuilding: true })
      await tables.close()
    }
  })
})

describe('a mirror', () => {
  async function following(
    journaled: readonly StorageChange[][],
    copied: readonly StorageChange[][] = [],
    more: Partial<TablesState> = {},
  ) {
    const { journal, tables, state } = await copies(journaled, copied, more)
    if (copied.length === 0) await tables.clear()
    const events: StorageEvent[] = []
    const report = (event: StorageEvent) => void events.push(event)
    const presence = new FilePresence({ name: 'memory', journal: () => journal.place, report, freshMs: 0 })
    const mirror = new Mirror(tables, journal, new MemoryFile(), report, journal.start, presence)
    return { journal, tables, state, events, mirror, slots: () => tables.slots() }
  }

  test('begins anew, and reports it, if its tables were wiped or are in another place', async () => {
    const { mirror, tables, journal, events, slots } = await following([puts(0, 3), puts(3, 3)])
    await mirror.catchUp()
    expect([await slots(), events]).toEqual([[0, 1, 2, 3, 4, 5], []])
    await tables.setState({ ...(await tables.state())!, appliedLsn: 1 })
    await journal.append([put(6)])
    mirror.follow(1)
    await mirror.catchUp()
    expect([await slots(), events.map(({ kind, details }) => [kind, details])]).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [['mirror-wiped', { lsn: 2 }]],
    ])
    await tables.close()
  })

  test('leaves tables of another database as they are, and reports that once', async () => {
    const { mirror, tables, events, slots } = await following([puts(0, 3)], [[put(9)]], {
      databaseId: 'ff'.repeat(16),
      appliedLsn: 7,
    })
    for (let round = 0; round < 2; round++)
      await expect(mirror.catchUp()).rejects.toMatchObject({ code: 'AGIDB_FOREIGN_FILE' })
    expect([await slots(), events.map(({ kind }) => kind)]).toEqual([[9], ['mirror-failed']])
    await mirror.close()
    await tables.close()
  })

  test('continues in another journal at the same commit, or from the start if that is not known', async () => {
    const { mirror, tables, journal, slots } = await following([puts(0, 3)])
    await mirror.catchUp()
    const next = await Journal.begin(new MemoryFile(), { ...journal.header, version: 3, epoch: 1, baseLsn: 1 })
    await next.append(puts(0, 3))
    const place = next.end
    await next.append([put(3)])
    await mirror.moveTo(next, (lsn) => (lsn === 1 ? place : undefined))
    expect(await tables.state()).toMatchObject({ appliedLsn: place.lsn, appliedAt: place.at, epoch: 1 })
    await mirror.catchUp()
    expect(await slots()).toEqual([0, 1, 2, 3])
    // That the state cannot be written keeps it back until the next time.
    const failing = vi.spyOn(tables, 'setState').mockRejectedValueOnce(new Error('no'))
    await mirror.moveTo(next, () => next.end)
    failing.mockRestore()
    await mirror.catchUp()
    const last = await Journal.begin(new MemoryFile(), { ...journal.header, version: 3, epoch: 2, baseLsn: 0 })
    await last.append(puts(0, 5))
    await mirror.moveTo(last, () => undefined)
    await mirror.catchUp()
    expect(await slots()).toEqual([0, 1, 2, 3, 4])
    await tables.close()
  })

  test('begins anew with another journal if the tables can be emptied; otherwise it stops', async () => {
    const { mirror, tables, journal, slots } = await following([puts(0, 3)])
    await mirror.catchUp()
    const next = await journal.successor(new MemoryFile())
    await next.append([put(7)])
    await mirror.startOverWith(next)
    await mirror.catchUp()
    expect(await slots()).toEqual([7])
    vi.spyOn(tables, 'clear').mockRejectedValueOnce(new Error('not emptied'))
    const last = await next.successor(new MemoryFile())
    await last.append([put(8)])
    await mirror.startOverWith(last)
    await mirror.catchUp()
    expect(await slots()).toEqual([7])
    await mirror.reach(1e9, () => true)
    await mirror.close()
    await tables.close()
  })
})

describe('the tables of a mirror', () => {
  test('are refused if they take too long to open, and closed when they open later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // Somebody has them open in an earlier version, and does not let go.
    const holding = await openDB('late', 1, {
      upgrade: (db) => ['rows', 'signatures', 'meta'].forEach((name) => db.createObjectStore(name)),
    })
    const tables = new Tables('late')
    const state = tables.state().then(
      () => 'opened',
      (error: { code: string; message: string }) => [
        error.code,
        /did not open late within 4000 ms/.test(error.message),
      ],
    )
    await vi.advanceTimersByTimeAsync(4100)
    expect(await state).toEqual(['AGIDB_STORAGE', true])
    vi.useRealTimers()
    holding.close()
    expect(await tables.state()).toBeUndefined()
    await tables.close()
  })

  test('are opened again once after their connection is lost', async () => {
    const tables = new Tables('gone')
    await tables.apply(puts(0, 2), 'strict', () => ({
      databaseId: 'a',
      createdAt: 0,
      role: 'only',
      nextSlot: 2,
      appliedLsn: 1,
      appliedAt: 0,
      epoch: 0,
    }))
    const { transaction } = IDBDatabase.prototype
    const lose = (times: number) =>
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
        if (times-- > 0) throw new DOMException('closing', 'InvalidStateError')
        return transaction.apply(this, args)
      })
    lose(1)
    expect(await tables.slots()).toEqual([0, 1])
    vi.restoreAllMocks()
    lose(2)
    await expect(tables.slots()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    vi.restoreAllMocks()
    expect(await tables.slots()).toEqual([0, 1])
    // Another tab that wants to delete them is not kept waiting.
    await deleteDB('gone')
    expect(await tables.slots()).toEqual([])
    await tables.close()
    await tables.close()
  })

  test('report that they are full, whichever request notices it', async () => {
    const tables = new Tables('full')
    const state: TablesState = {
      databaseId: 'a',
      createdAt: 0,
      role: 'only',
      nextSlot: 0,
      appliedLsn: 0,
      appliedAt: 0,
      epoch: 0,
    }
    await tables.setState(state)
    const { get } = IDBObjectStore.prototype
    const abort = (name: string) =>
      vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
        const request = get.call(this, key)
        // As a browser does that finds no room while it works on a transaction.
        ;(this.transaction as unknown as { _abort(name: string): void })._abort(name)
        return request
      })
    for (const [name, code] of [
      ['QuotaExceededError', 'AGIDB_QUOTA'],
      ['DataError', 'AGIDB_STORAGE'],
    ]) {
      abort(name)
      await expect(tables.apply([put(0)], 'strict', () => state)).rejects.toMatchObject({ code })
      vi.restoreAllMocks()
    }
    expect(await tables.slots()).toEqual([])
    await tables.close()
  })

  test('are refused if a newer version wrote them; an error during their conversion is passed on', async () => {
    ;(await openDB('newer', 99)).close()
    await expect(new Tables('newer').state()).rejects.toMatchObject({ code: 'AGIDB_NEWER_FORMAT' })
    const old = await openDB('old', 2, {
      upgrade(db) {
        db.createObjectStore('rows', { keyPath: 'slot' })
        db.createObjectStore('signatures', { keyPath: 'slot' })
        db.createObjectStore('meta')
      },
    })
    // One without its signatures keeps its row.
    await old.put('rows', { slot: 4, id: 'four', row: noise(1, 9) })
    await old.put('rows', { slot: 6, id: 'six', row: noise(2, 9) })
    await old.put('signatures', { slot: 6, text: noise(3, 4), encoder: 2 })
    old.close()
    const failing = vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('no', 'DataError')
    })
    const tables = new Tables('old')
    await expect(tables.slots()).rejects.toBeDefined()
    failing.mockRestore()
    expect(await tables.read([4, 5, 6])).toMatchObject([
      { slot: 4, id: 'four', row: noise(1, 9), signatures: {} },
      { slot: 6, signatures: { text: noise(3, 4) }, encoder: 2 },
    ])
    await tables.close()
  })
})

test('A copy with fewer slots or other commits than its journal differs from it.', async () => {
  const { journal, tables, state } = await copies([puts(0, 3), [remove(2)]], [puts(0, 3), [remove(2)]])
  const found = async (more: Partial<TablesState>): Promise<unknown[]> => {
    await tables.setState({ ...state, ...more })
    const findings = new Findings()
    await checkMirror(tables, journal, findings)
    return findings.problems.map(({ code, count, details }) => [code, count, details?.slot])
  }
  expect(await found({})).toEqual([])
  expect(await found({ appliedLsn: 1 })).toEqual([['mirror-differs', 1, 3]])
  expect(await found({ nextSlot: 2 })).toEqual([['mirror-differs', 1, 2]])
  expect(await found({ quarantined: true })).toMatchObject([['mirror-missing', 1, undefined]])
  expect(await found({ databaseId: 'ff'.repeat(16) })).toMatchObject([['mirror-missing', 1, undefined]])
  await tables.close()
})

describe('the comparison of a copy with its journal', () => {
  const small = (slot: number): StorageChange => ({
    op: 'put',
    slot,
    id: `ep_${slot}`,
    row: noise(slot, 9),
    signatures: { text: noise(slot + 7, 8) },
  })
  const episodes = Array.from({ length: 600 }, (_, slot) => small(slot))
  async function compared(copied: readonly StorageChange[], journaled: readonly StorageChange[][] = [[...episodes]]) {
    const { journal, tables } = await copies(journaled, [[...copied]], { appliedLsn: journaled.length, nextSlot: 600 })
    const findings = new Findings()
    await checkMirror(tables, journal, findings)
    await tables.close()
    return [
      findings.checked.mirrored,
      findings.problems.map(({ code, harm, count, details }) => [code, harm, count, details?.slot]),
    ]
  }
  const changed = (slot: number, change: object): StorageChange[] =>
    episodes.map((episode) => (episode.slot === slot ? { ...episode, ...change } : episode) as StorageChange)

  test('finds an equal copy equal, page by page', async () => {
    expect(await compared(episodes)).toEqual([600, []])
    expect(
      await compared(
        episodes.filter(({ slot }) => slot !== 7),
        [episodes, [remove(7)]],
      ),
    ).toEqual([599, []])
  })

  test('finds a slot with another id, row or signature', async () => {
    for (const change of [
      { id: 'another' },
      { row: noise(1, 9) },
      { row: noise(300, 8) },
      { row: noise(300, 10) },
      { row: noise(300, 9).with(8, noise(300, 9)[8] ^ 1) },
      { signatures: {} },
      { signatures: { latent: noise(307, 8) } },
      { signatures: { text: noise(307, 8), latent: noise(1, 4) } },
      { signatures: { text: noise(307, 7) } },
      { signatures: { text: noise(306, 8) } },
    ]) {
      expect(await compared(changed(300, change)), JSON.stringify(Object.keys(change))).toEqual([
        600,
        [['mirror-differs', 'mendable', 1, 300]],
      ])
    }
  })

  test('finds a slot too many or too few at any place', async () => {
    for (const slot of [0, 255, 256, 400, 599]) {
      expect(await compared(episodes.filter((episode) => episode.slot !== slot))).toEqual([
        599,
        [['mirror-differs', 'mendable', 1, slot]],
      ])
      expect(await compared(episodes, [episodes, [remove(slot)]])).toEqual([
        600,
        [['mirror-differs', 'mendable', 1, slot]],
      ])
    }
    expect(await compared(episodes.slice(0, 500))).toEqual([500, [['mirror-differs', 'mendable', 100, 500]]])
    expect(await compared([])).toEqual([0, [['mirror-differs', 'mendable', 600, 0]]])
  })

  test('reports a missing copy only if there is something to copy', async () => {
    for (const [commits, problems] of [
      [[], []],
      [[[put(0)]], [['mirror-missing', { indexedDb: 'none yet', databaseId: undefined }]]],
    ] as const) {
      const { journal, tables } = await copies(commits as unknown as StorageChange[][], [])
      await tables.close()
      const none = new Tables('none yet')
      const findings = new Findings()
      await checkMirror(none, journal, findings)
      expect(findings.problems.map(({ code, details }) => [code, details])).toEqual(problems)
      await none.close()
    }
  })
})

describe('a database in a browser', () => {
  const kinds = async (store: OpenedStore): Promise<string[]> => (await store.stats()).opening.map(({ kind }) => kind)

  test('reports lost commits if it lost its copy and commits that the copy had', async () => {
    await made('lost', puts(0, 2), puts(2, 2))
    const bytes = journalBytes('lost')
    const journal = await bytes.read()
    await bytes.write(journal.subarray(0, 64 + 32 + new DataView(journal.buffer).getUint32(64 + 8, true)))
    await deleteIndexedDb('lost')
    const store = new OpenedStore(browserStorage('lost'))
    expect([(await openInto(store)).kept.size, await kinds(store)]).toEqual([2, ['commits-lost']])
    await store.close()
  })

  test('is refused if its header is damaged and no copy can be read', async () => {
    await made('headless', puts(0, 2))
    const bytes = journalBytes('headless')
    const journal = await bytes.read()
    await bytes.write(journal.with(20, journal[20] ^ 1))
    const closed = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new TypeError('no IndexedDB')
    })
    await expect(new OpenedStore(browserStorage('headless')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_CORRUPT',
    })
    closed.mockRestore()
    await deleteIndexedDb('headless')
    await expect(new OpenedStore(browserStorage('headless')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_CORRUPT',
    })
    expect(await bytes.read()).toEqual(journal.with(20, journal[20] ^ 1))
  })

  test('finds its own copy beside that of another database, with and without a journal', async () => {
    const own = await made('beside', puts(0, 2))
    const foreign = new Tables(tablesName('beside'))
    await foreign.setState({ ...(await foreign.state())!, databaseId: 'ee'.repeat(16) })
    await foreign.close()
    const store = new OpenedStore(browserStorage('beside'))
    await openInto(store)
    expect(await kinds(store)).toEqual(['mirror-foreign'])
    await store.flush()
    await store.close()
    await deleteOpfs('beside')
    const again = new OpenedStore(browserStorage('beside'))
    expect(await openInto(again)).toMatchObject({ databaseId: own })
    expect(await kinds(again)).toEqual(['mirror-foreign', 'journal-rebuilt'])
    await again.close()
    // With neither journal nor copy of its own there is a new one beside the foreign.
    await deleteOpfs('beside')
    const names = (await indexedDB.databases())
      .map(({ name }) => name!)
      .filter((name) => name.startsWith(`${tablesName('beside')}#`))
    expect(names).toEqual([`${tablesName('beside')}#${own}`])
    await deleteIndexedDb(names[0].replace('agidb:', ''))
    const fresh = new OpenedStore(browserStorage('beside'))
    expect((await openInto(fresh)).kept.size).toBe(0)
    expect(await kinds(fresh)).toEqual(['mirror-foreign', 'created'])
    await fresh.close()
  })

  test('is rebuilt from its copy alone if the journal was damaged while it caught up with the copy', async () => {
    await made('halfway', puts(0, 3), puts(3, 3))
    const bytes = journalBytes('halfway')
    const journal = await bytes.read()
    const tables = new Tables(tablesName('halfway'))
    await tables.setState({ ...(await tables.state())!, rebuilding: true })
    await tables.close()
    await bytes.write(journal.with(100, journal[100] ^ 1))
    const store = new OpenedStore(browserStorage('halfway'))
    expect([(await openInto(store)).kept.size, await kinds(store)]).toEqual([6, ['journal-rebuilt']])
    await store.close()
    const again = new OpenedStore(browserStorage('halfway'))
    expect([listed((await openInto(again)).kept), await kinds(again)]).toEqual([listed(modelOf(puts(0, 6))), []])
    await again.close()
  })

  test('is not created again if its journal and IndexedDB are missing but it may have existed', async () => {
    const fails = () => {
      throw new TypeError('no IndexedDB')
    }
    vi.spyOn(IDBFactory.prototype, 'databases').mockImplementation(fails)
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(fails)
    await expect(new OpenedStore(browserStorage('nowhere')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('no IndexedDB'),
    })
    vi.restoreAllMocks()
    const store = new OpenedStore(browserStorage('nowhere'))
    expect([(await openInto(store)).kept.size, await kinds(store)]).toEqual([0, ['created']])
    await store.close()
  })

  test('does not repair after an error that is no damage', async () => {
    await made('odd', puts(0, 2))
    const { read } = FileSystemSyncAccessHandle.prototype
    let reads = 0
    vi.spyOn(FileSystemSyncAccessHandle.prototype, 'read').mockImplementation(function (
      this: FileSystemSyncAccessHandle,
      ...args: unknown[]
    ) {
      // The two headers and the superblocks can be read, the frames cannot.
      if (++reads > 3) throw new DOMException('odd', 'UnknownError')
      return (read as (...args: unknown[]) => number).apply(this, args)
    } as never)
    await expect(new OpenedStore(browserStorage('odd')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
    })
    vi.restoreAllMocks()
    const store = new OpenedStore(browserStorage('odd'))
    expect([(await openInto(store)).kept.size, await kinds(store)]).toEqual([2, []])
    await store.close()
  })

  test('is repaired if another copy has what is damaged', async () => {
    const store = new OpenedStore(browserStorage('mended'))
    await store.open(() => undefined)
    await store.commit(puts(0, 3))
    await store.parts.checkpoint!.write([{ name: 'part', array: () => noise(1, 5000) }])
    await store.flush()
    const { bytes } = await store.stats()
    await store.parts.maintenance!.repair(['journal-torn'])
    expect((await store.stats()).bytes).toBe(bytes)
    await store.parts.maintenance!.repair(['image-damaged'])
    expect((await store.stats()).bytes).toBeLessThan(bytes - 5000)
    const tables = new Tables(tablesName('mended'))
    await tables.apply([remove(1)], 'strict', (now) => now!)
    await store.parts.maintenance!.repair(['image-stale'])
    expect(await tables.slots()).toEqual([0, 2])
    await store.parts.maintenance!.repair(['mirror-differs'])
    expect(await tables.slots()).toEqual([0, 1, 2])
    await tables.close()
    await store.close()
  })
})
