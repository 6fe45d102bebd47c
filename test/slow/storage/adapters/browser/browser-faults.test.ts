import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { leaveRoom, model } from '../../../../unit/storage/adapters/browser/browser-model.js'
import { openDB } from 'idb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteIndexedDb, deleteOpfs, journalBytes } from '../../../../../e2e/pages/storage-places.js'
import { AgidbError } from '../../../../../src/base/errors.js'
import { Findings } from '../../../../../src/api/findings.js'
import { browserStorage } from '../../../../unit/storage/whole-browser-storage.js'
import { domError } from '../../../../../src/storage/dom-error.js'
import { Tables } from '../../../../../src/storage/mirror/indexeddb.js'
import { indexedDbStorage } from '../../../../../src/storage/adapters/browser/indexeddb-storage.js'
import { opfsStorage } from '../../../../../src/storage/adapters/browser/opfs-storage.js'
import * as mirroring from '../../../../../src/storage/adapters/browser/mirroring.js'
import {
  hasOpfsFolder,
  openOpfsFile,
  opfsFolder,
  opfsMissing,
} from '../../../../../src/storage/adapters/browser/opfs.js'
import type { StorageChange } from '../../../../../src/api/storage.js'
import { takeTabLock } from '../../../../../src/storage/adapters/browser/tab-lock.js'
import {
  listed,
  modelOf,
  noise,
  openInto,
  put,
  puts,
  sign,
  type Kept,
} from '../../../../../src/storage/contract/episodes.js'

const { storage, locks } = model
afterEach(() => {
  Object.assign(model, { storage, locks })
  leaveRoom(Infinity)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Makes what OPFS is asked for first fail. */
function refuse(name: string): void {
  model.storage = { ...storage, getDirectory: () => Promise.reject(new DOMException('refused', name)) }
}

/** As in a browser without sync access handles. */
function withoutHandles(): void {
  vi.stubGlobal('FileSystemFileHandle', class {})
}

async function made(name: string): Promise<void> {
  const store = new OpenedStore(browserStorage(name))
  await store.open(() => undefined)
  await store.commit(puts(0, 3))
  await store.close()
}

describe('whether there is an origin private file system', () => {
  test('is said with a reason', () => {
    expect(opfsMissing()).toBeUndefined()
    withoutHandles()
    expect(opfsMissing()).toMatch(/no sync access handles/)
    vi.stubGlobal('FileSystemFileHandle', undefined)
    expect(opfsMissing()).toMatch(/no sync access handles/)
    for (const navigator of [undefined, {}, { storage: {} }]) {
      vi.stubGlobal('navigator', navigator)
      expect(opfsMissing()).toMatch(/no origin private file system/)
    }
  })

  test('where the browser refuses it IndexedDB serves alone, and says why; another error is an error', async () => {
    for (const error of ['SecurityError', 'UnknownError']) {
      refuse(error)
      const store = new OpenedStore(browserStorage(`refused with ${error}`))
      await store.open(() => undefined)
      expect(await store.stats()).toMatchObject({
        durability: 'idb-only',
        durabilityReason: expect.stringContaining('refuses it here'),
        opening: [{ kind: 'created' }],
      })
      await store.close()
    }
    refuse('InvalidStateError')
    const other = new OpenedStore(browserStorage('broken'))
    await expect(other.open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { name: 'InvalidStateError' },
    })
    model.storage = storage
    await openInto(other)
    await other.close()
  })

  test('IndexedDB serves alone if sync access handles are unsupported; other failures fail the open', async () => {
    const asked = vi.spyOn(FileSystemFileHandle.prototype, 'createSyncAccessHandle')
    asked.mockRejectedValue(new DOMException('in name only', 'NotSupportedError'))
    const store = new OpenedStore(browserStorage('in name only'))
    await store.open(() => undefined)
    expect(await store.stats()).toMatchObject({
      durability: 'idb-only',
      durabilityReason: expect.stringContaining('no sync access handles for them'),
    })
    await store.close()
    asked.mockRejectedValue(new DOMException('broken', 'InvalidStateError'))
    await expect(new OpenedStore(browserStorage('broken handles')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { name: 'InvalidStateError' },
    })
    asked.mockRestore()
    const again = new OpenedStore(browserStorage('broken handles'))
    expect((await openInto(again)).kept.size).toBe(0)
    await again.close()
  })

  test('folders are found, made and named', async () => {
    expect(await hasOpfsFolder('x y')).toBe(false)
    await opfsFolder('x y')
    expect([await hasOpfsFolder('x y'), await hasOpfsFolder('x')]).toEqual([true, false])
    refuse('SecurityError')
    expect(await hasOpfsFolder('x y')).toBe(false)
    refuse('InvalidStateError')
    await expect(hasOpfsFolder('x y')).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await expect(opfsFolder('x y')).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    model.storage = storage
    // Where OPFS itself is given, and a folder in it is not.
    const root = await storage.getDirectory()
    const asked = vi.spyOn(root, 'getDirectoryHandle')
    asked.mockRejectedValue(new DOMException('refused', 'SecurityError'))
    expect([await hasOpfsFolder('x y'), await opfsFolder('x y')]).toEqual([false, undefined])
    asked.mockRejectedValue(new DOMException('a file', 'TypeMismatchError'))
    await expect(hasOpfsFolder('x y')).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { name: 'TypeMismatchError' },
      message: expect.stringContaining('looking for the folder of x y'),
    })
    await expect(opfsFolder('x y')).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('opening the folder of x y'),
    })
    asked.mockRejectedValue(new TypeError('no name'))
    await expect(hasOpfsFolder('x y')).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    asked.mockRestore()
    expect(await opfsFolder('n'.repeat(237))).toBeDefined()
    await expect(opfsFolder('n'.repeat(238))).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(opfsFolder('é'.repeat(40))).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

describe('a file in OPFS', () => {
  test('that is taken is waited for, five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const folder = (await opfsFolder('taken'))!
    const first = await openOpfsFile(folder, 'file')
    const started = performance.now()
    const waiting = openOpfsFile(folder, 'file').then(
      () => 'opened',
      (error: AgidbError) => error.code,
    )
    await vi.advanceTimersByTimeAsync(4900)
    await first.close()
    await vi.advanceTimersByTimeAsync(300)
    expect(await waiting).toBe('opened')
    const refused = openOpfsFile(folder, 'file').then(
      () => 'opened',
      (error: AgidbError) => [error.code, error.details.file],
    )
    await vi.advanceTimersByTimeAsync(5600)
    expect(await refused).toEqual(['AGIDB_IN_USE', 'file'])
    expect(performance.now() - started).toBeLessThan(11_000)
  })

  test('that cannot be opened for another reason is not waited for', async () => {
    const folder = (await opfsFolder('odd'))!
    vi.spyOn(folder, 'getFileHandle').mockRejectedValue(new DOMException('odd', 'TypeMismatchError'))
    await expect(openOpfsFile(folder, 'file')).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { name: 'TypeMismatchError' },
    })
  })

  test('takes what there is room for, and then says that there is none', async () => {
    const file = await openOpfsFile((await opfsFolder('room'))!, 'file')
    leaveRoom(10)
    expect(() => file.write(0, noise(1, 30))).toThrow(expect.objectContaining({ code: 'AGIDB_QUOTA' }))
    expect(file.size()).toBe(10)
    leaveRoom(100)
    await file.write(5, noise(1, 30))
    const into = new Uint8Array(40)
    expect(await file.read(5, into)).toBe(30)
    expect(into.subarray(0, 30)).toEqual(noise(1, 30))
    await file.close()
    expect(() => file.size()).toThrow(expect.objectContaining({ code: 'AGIDB_STORAGE' }))
  })
})

test('errors of the browser get codes of ours; those that have one keep it', () => {
  const own = new AgidbError('AGIDB_CORRUPT', 'mine')
  expect(domError(own, 'reading')).toBe(own)
  expect(domError(new DOMException('full', 'QuotaExceededError'), 'reading')).toMatchObject({
    code: 'AGIDB_QUOTA',
    message: expect.stringContaining('reading'),
  })
  expect(domError(new DOMException('odd', 'AbortError'), 'reading')).toMatchObject({
    code: 'AGIDB_STORAGE',
    message: 'failed reading: AbortError: odd',
  })
})

describe('the lock of a database', () => {
  test('is given from one to the next', async () => {
    const release = await takeTabLock('next')
    const second = takeTabLock('next')
    release()
    const again = await second
    again()
  })

  test('is not there in browsers that have none', async () => {
    model.locks = undefined
    const release = await takeTabLock('none')
    await takeTabLock('none')
    expect(release()).toBeUndefined()
  })

  test('of one who answers is refused after a second; of one who says nothing after five', async () => {
    const release = await takeTabLock('answering')
    const started = performance.now()
    await expect(takeTabLock('answering')).rejects.toMatchObject({
      code: 'AGIDB_IN_USE',
      details: { database: 'answering' },
    })
    const answering = performance.now() - started
    release()
    expect(answering).toBeGreaterThan(1000)
    // Nobody listens; somebody who talks of other things is no answer.
    let letGo = (): void => {}
    void locks!.request(
      'agidb:silent',
      { signal: new AbortController().signal },
      () => new Promise<void>((resolve) => (letGo = resolve)),
    )
    const chatter = new BroadcastChannel('agidb:silent')
    const talk = setInterval(() => chatter.postMessage('hello'), 50)
    const since = performance.now()
    await expect(takeTabLock('silent')).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    expect(performance.now() - since).toBeGreaterThan(5000)
    clearInterval(talk)
    chatter.close()
    letGo()
    const taken = await takeTabLock('silent')
    taken()
  })

  test('is not given away by those who say other things', async () => {
    const release = await takeTabLock('talking')
    const channel = new BroadcastChannel('agidb:talking')
    const heard: unknown[] = []
    channel.onmessage = ({ data }) => void heard.push(data)
    channel.postMessage('answer')
    channel.postMessage({ ask: 1 })
    channel.postMessage('ask')
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['answer'])
    release()
    channel.close()
  })

  test('that the browser refuses is an error as it is', async () => {
    const failure = new DOMException('refused', 'SecurityError')
    vi.spyOn(locks!, 'request').mockRejectedValue(failure)
    await expect(takeTabLock('refused')).rejects.toBe(failure)
  })
})

describe('a database in a browser', () => {
  test('that is not there is not made for reading, in either place', async () => {
    const missing = { code: 'AGIDB_NOT_FOUND', details: { database: 'not made' } }
    await expect(
      new OpenedStore(browserStorage('not made', { create: false })).open(() => undefined),
    ).rejects.toMatchObject(missing)
    expect(await hasOpfsFolder('not made')).toBe(false)
    await made('made')
    const found = new OpenedStore(browserStorage('made', { create: false }))
    expect((await openInto(found)).kept.size).toBe(3)
    await found.close()
    withoutHandles()
    await expect(
      new OpenedStore(browserStorage('not made', { create: false })).open(() => undefined),
    ).rejects.toMatchObject(missing)
    await made('made in IndexedDB')
    const there = new OpenedStore(browserStorage('made in IndexedDB', { create: false }))
    expect((await openInto(there)).kept.size).toBe(3)
    await there.close()
  })

  test('is opened once, also while that is under way, and offers what its place has', async () => {
    const store = new OpenedStore(browserStorage('once'))
    const opening = store.open(() => undefined)
    await expect(store.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    const { signatures, checkpoint, maintenance } = await opening
    await expect(store.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    expect([typeof signatures, typeof checkpoint, maintenance!.garbage()]).toEqual([
      'object',
      'object',
      { bytes: 0, of: 64 },
    ])
    await store.close()
    withoutHandles()
    const alone = new OpenedStore(browserStorage('alone'))
    const parts = await alone.open(() => undefined)
    expect([
      parts.signatures,
      parts.checkpoint,
      parts.maintenance!.garbage(),
      await parts.maintenance!.compact(),
      await parts.maintenance!.repair([]),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined])
    await alone.parts.maintenance!.verify({ findings: new Findings(), digest: () => '', visit: () => {} })
    await alone.close()
  })

  test.each(['a journal', 'IndexedDB alone'])('keeps, gives, replaces and forgets, in %s', async (place) => {
    if (place !== 'a journal') withoutHandles()
    const name = `kept in ${place}`
    const store = new OpenedStore(browserStorage(name))
    const { databaseId, nextSlot } = await openInto(store)
    expect(nextSlot).toBe(0)
    expect((await store.stats()).opening).toMatchObject([{ kind: 'created', details: { databaseId } }])
    const commits: StorageChange[][] = [
      puts(0, 4),
      [sign(1, { latent: noise(1, 30) }), { op: 'update', slot: 2, id: 'ep_2', row: noise(9, 70) }],
      [{ op: 'remove', slot: 3, id: 'ep_3' }],
    ]
    const sizes: number[] = []
    for (const commit of commits) {
      await store.commit(commit)
      sizes.push((await store.stats()).bytes)
    }
    const model = modelOf(...commits)
    const kept = async (from = store): Promise<unknown[]> =>
      listed(
        new Map(
          (await from.read(await from.slots())).map(({ slot, id, row, signatures, encoder }): [number, Kept] => [
            slot,
            { id, row, ...signatures, encoder },
          ]),
        ),
      )
    expect(await kept()).toEqual(listed(model))
    expect(await store.rows([2, 3, 0, 9])).toEqual([noise(9, 70), undefined, put(0).row, undefined])
    if (place === 'a journal') {
      const visited: number[] = []
      await store.parts.signatures!.visitEpisodes([2, 0, 3], ({ slot }) => visited.push(slot))
      await store.parts.signatures!.visitPacked([2, 0, 3], (slot) => visited.push(slot))
      expect(visited).toEqual([2, 0, 0, 2])
      expect(sizes[1]).toBeGreaterThan(sizes[0] + 100)
    } else {
      // Rows and signatures that were put or signed, counted as they came.
      const bytes = (change: StorageChange): number =>
        ('row' in change ? change.row.length : 0) +
        ('signatures' in change ? Object.values(change.signatures).reduce((sum, bytes) => sum + bytes!.length, 0) : 0)
      expect(sizes).toEqual([puts(0, 4).reduce((sum, change) => sum + bytes(change), 0), sizes[0] + 30, sizes[0] + 30])
    }
    await store.flush()
    await store.close()
    for (const refused of [
      () => store.commit([put(9)]),
      () => store.rows([0]),
      () => store.slots(),
      () => store.read([0]),
      () => store.replace(async () => {}),
      () => store.flush(),
      () => store.stats(),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    }
    const again = new OpenedStore(browserStorage(name))
    expect(await openInto(again)).toMatchObject({ databaseId, nextSlot: 4 })
    expect([await kept(again), (await again.stats()).opening]).toEqual([listed(model), []])
    const live = (await again.stats()).bytes
    if (place !== 'a journal')
      expect(live).toBe(
        (await again.read([0, 1, 2])).reduce(
          (sum, { row, signatures }) =>
            sum + row.length + Object.values(signatures).reduce((sum, bytes) => sum + bytes!.length, 0),
          0,
        ),
      )
    await again.replace(async (add) => {
      await add([put(5)])
      await add([put(6)])
    })
    expect(await kept(again)).toEqual(listed(modelOf([put(5), put(6)])))
    if (place !== 'a journal') expect((await again.stats()).bytes).toBe(2 * 40 + 4 * 1024 - 1024)
    await again.commit([put(0), put(7)])
    await again.close()
    const last = new OpenedStore(browserStorage(name))
    expect(await openInto(last)).toMatchObject({ nextSlot: 8 })
    expect(await last.slots()).toEqual([0, 5, 6, 7])
    await last.close()
  })

  test('that cannot be read is pointed to salvage, and nothing else is', async () => {
    await made('pointed')
    const bytes = journalBytes('pointed')
    const journal = await bytes.read()
    await deleteIndexedDb('pointed')
    for (const [damaged, code] of [
      [journal.with(20, journal[20] ^ 1), 'AGIDB_CORRUPT'],
      [noise(1, 300), 'AGIDB_FOREIGN_FILE'],
    ] as const) {
      await bytes.write(damaged)
      const refused = await new OpenedStore(browserStorage('pointed'))
        .open(() => undefined)
        .then(
          () => undefined,
          (error: AgidbError) => error,
        )
      expect(refused).toMatchObject({
        code,
        message: expect.stringMatching(/; Agidb.salvage\(\{ name \}\) brings out what can be read$/),
        details: { file: 'journal.agidb' },
      })
    }
    await bytes.write(journal.with(8, 9))
    await expect(new OpenedStore(browserStorage('pointed')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_NEWER_FORMAT',
      message: expect.not.stringContaining('salvage'),
    })
    await bytes.write(journal)
    const failure = new Error('of the visitor')
    await expect(
      new OpenedStore(browserStorage('pointed')).open(() => {
        throw failure
      }),
    ).rejects.toBe(failure)
    const store = new OpenedStore(browserStorage('pointed'))
    expect((await openInto(store)).kept.size).toBe(3)
    await store.close()
  })

  test('says how much room there is where the browser does', async () => {
    const store = new OpenedStore(browserStorage('room'))
    await store.open(() => undefined)
    const room = async (estimate: () => Promise<StorageEstimate>) => {
      model.storage = { ...storage, estimate }
      return (await store.stats()).room
    }
    expect(await room(async () => ({ usage: 1, quota: 5 }))).toEqual({ used: 1, of: 5, persisted: false })
    expect(await room(async () => ({ usage: 1 }))).toBeUndefined()
    expect(await room(async () => ({ quota: 1 }))).toBeUndefined()
    expect(await room(() => Promise.reject(new TypeError('opaque')))).toBeUndefined()
    await store.close()
  })

  test('that is looked at without its second copy has a problem that mends itself', async () => {
    await made('no copy')
    const opening = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('closed', 'UnknownError')
    })
    const store = new OpenedStore(browserStorage('no copy'))
    await store.open(() => undefined)
    const findings = new Findings()
    await store.parts.maintenance!.verify({ findings, digest: () => '', visit: () => {} })
    expect(findings.problems).toMatchObject([{ code: 'mirror-unreadable', harm: 'mendable' }])
    expect((await store.stats()).name).toBe('OPFS journal')
    await store.parts.maintenance!.repair(['mirror-unreadable', 'image-stale'])
    await store.flush()
    await store.parts.maintenance!.compact()
    await store.close()
    opening.mockRestore()
  })

  test('that opens from its checkpoint and has a damaged row is rebuilt from IndexedDB after a repair', async () => {
    const name = 'rot under an image'
    const written = new OpenedStore(browserStorage(name))
    await written.open(() => undefined)
    await written.commit(puts(0, 8))
    await written.flush()
    await written.parts.checkpoint!.write([])
    await written.close()
    const journal = journalBytes(name)
    const bytes = await journal.read()
    await journal.write(bytes.with(900, bytes[900] ^ 1))
    const use = { load: async () => true, reset: () => {}, change: () => {}, has: () => true }
    const store = new OpenedStore(browserStorage(name))
    await store.open(() => undefined, use)
    expect((await store.stats()).opening).toEqual([]) // nothing has read the row
    await expect(store.parts.maintenance!.compact()).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    const findings = new Findings()
    await store.parts.maintenance!.verify({ findings, digest: () => '', visit: () => {} })
    expect(findings.has('journal-damaged')).toBe(true)
    await store.parts.maintenance!.repair(['journal-damaged'])
    await store.parts.checkpoint!.write([]) // as the engine does after a repair
    await store.close()
    const mended = new OpenedStore(browserStorage(name))
    expect(listed((await openInto(mended)).kept)).toEqual(listed(modelOf(puts(0, 8))))
    expect((await mended.stats()).opening).toMatchObject([{ kind: 'journal-rebuilt', details: { reason: 'damaged' } }])
    await mended.close()
  })

  test('whose journal is closed before it was opened, or twice, has nothing to let go of', async () => {
    const store = new OpenedStore(
      opfsStorage('never opened', (await opfsFolder('never opened'))!, async () => mirroring),
    )
    await store.close()
    await store.open(() => undefined)
    await store.close()
    await store.close()
    await expect(store.stats()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('in IndexedDB alone is verified: a damaged chunk is a loss, and a failing read is an error', async () => {
    const tables = new Tables('agidb:alone-damaged')
    const store = new OpenedStore(indexedDbStorage('alone-damaged', tables, 'a reason'))
    await store.open(() => undefined)
    await store.commit(puts(0, 3))
    const found = async (): Promise<unknown[]> => {
      const findings = new Findings()
      const visited: number[] = []
      await store.parts.maintenance!.verify({ findings, digest: () => '', visit: ({ slot }) => visited.push(slot) })
      expect(findings.checked.rows).toBe(visited.length)
      return [visited, findings.problems.map(({ code, harm }) => [code, harm])]
    }
    expect(await found()).toEqual([[0, 1, 2], []])
    const db = await openDB('agidb:alone-damaged', 3)
    const chunk = (await db.get('chunks', 0)) as { entries: Uint8Array }
    await db.put('chunks', { ...chunk, entries: chunk.entries.with(30, chunk.entries[30] ^ 1) })
    db.close()
    expect(await found()).toEqual([[], [['row-unreadable', 'loss']]])
    vi.spyOn(tables, 'episodes').mockRejectedValue(new AgidbError('AGIDB_STORAGE', 'gone'))
    await expect(found()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await store.close()
  })

  test('in IndexedDB alone is not changed behind its own back', async () => {
    const tables = new Tables('agidb:alone-changed')
    const store = new OpenedStore(indexedDbStorage('alone-changed', tables, 'a reason'))
    await store.open(() => undefined)
    await store.commit([put(0)])
    await store.commit([])
    const state = (await tables.state())!
    expect(state).toMatchObject({ role: 'only', nextSlot: 1, appliedLsn: 1 })
    for (const other of [
      { ...state, appliedLsn: 2 },
      { ...state, databaseId: 'ff'.repeat(16) },
    ]) {
      await tables.setState(other)
      await expect(store.commit([put(1)])).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
      await expect(store.replace(async (add) => add([put(1)]))).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    }
    await tables.setState(state)
    const bytes = (await store.stats()).bytes
    await store.commit([put(1)])
    expect((await store.stats()).bytes).toBeGreaterThan(bytes)
    await store.close()
  })

  test('whose journal is gone is opened from IndexedDB where OPFS works, and refused elsewhere', async () => {
    await made('mirrored')
    withoutHandles()
    await expect(new OpenedStore(browserStorage('mirrored')).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('is in OPFS'),
    })
    vi.unstubAllGlobals()
    await deleteOpfs('mirrored')
    const store = new OpenedStore(browserStorage('mirrored'))
    expect((await openInto(store)).kept.size).toBe(3)
    await store.close()
  })
})
