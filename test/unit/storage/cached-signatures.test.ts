import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { OpenedStorage, PackedSignatures, SignatureStore, StorageAdapter } from '../../../src/api/storage.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { CachedSignatures } from '../../../src/storage/cached-signatures.js'
import { noise, put, puts, sign } from '../../../src/storage/contract/episodes.js'
import { KINDS } from '../../../src/storage/journal/changes.js'
import { PackedView, packSignatures } from '../../../src/storage/packed-signatures.js'

/** About what the signatures of an episode of these tests take. */
const EACH = 1024 + 3 + 200

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** A storage in a folder that tells which slots are read, and can be told to wait before it answers. */
async function opened(most: number) {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-cached-'))
  folders.push(folder)
  const read: number[][] = []
  const state = { wait: async () => {} }
  const adapter: StorageAdapter = {
    async open(...args) {
      const opened = await nodeStorage(join(folder, 'memory')).open(...args)
      const { visitEpisodes, visitPacked } = opened.signatures!
      const signatures: SignatureStore = {
        visitEpisodes: (...asked) => visitEpisodes.apply(opened.signatures, asked),
        async visitPacked(slots, visit) {
          read.push(Array.from(slots))
          const found: [number, PackedSignatures][] = []
          await visitPacked.call(opened.signatures, slots, (slot, packed) => found.push([slot, copied(packed)]))
          await state.wait()
          for (const [slot, packed] of found) visit(slot, packed)
        },
        nearest: async () => [],
      }
      return { ...partsOf(opened), signatures }
    },
  }
  const cached = new CachedSignatures(most)
  const storage = await cached.around(adapter).open(() => undefined)
  return { cached, storage, read, state }
}

/** The same as an object of its own. */
function partsOf(opened: OpenedStorage): OpenedStorage {
  const { databaseId, nextSlot, rows } = opened
  return {
    databaseId,
    nextSlot,
    rows,
    flush: () => opened.flush(),
    stats: () => opened.stats(),
    close: () => opened.close(),
  }
}

/** What is valid only while it is visited. */
function copied(packed: PackedSignatures): PackedSignatures {
  const start = packed.start('sentence')
  const bytes = packed.bytes.slice(start, start + packed.length('sentence'))
  const view = new PackedView(KINDS)
  view.take(
    packSignatures({ sentence: bytes }, (kind) => KINDS.indexOf(kind)),
    packed.encoder,
  )
  return view
}

/** Episodes with one signature each. */
const some = (from: number, count: number) =>
  puts(from, count).map((one) => ({ ...one, signatures: { sentence: noise(one.slot, 1024) } }))

async function visited(storage: OpenedStorage, slots: number[]): Promise<[number, Uint8Array][]> {
  const found: [number, Uint8Array][] = []
  await storage.signatures!.visitPacked(slots, (slot, packed) => {
    const start = packed.start('sentence')
    found.push([slot, packed.bytes.slice(start, start + packed.length('sentence'))])
  })
  return found
}

test('keeps what was stored and read last, and no more than it may', async () => {
  const { cached, storage, read } = await opened(10 * EACH)
  await storage.rows.commit(some(0, 20))
  expect(cached.size).toBe(10)
  expect(cached.bytes).toBeLessThanOrEqual(10 * EACH)
  await cached.bring([19, 18, 10])
  expect(read).toEqual([])
  await cached.bring([3, 19])
  expect(read).toEqual([[3]])
  expect(cached.find(3, 'sentence')).toEqual(noise(3, 1024))
  expect(cached.find(10, 'sentence')).toEqual(noise(10, 1024))
  expect([cached.find(11, 'sentence'), cached.size]).toEqual([undefined, 10])
  expect((await storage.stats()).memory).toBeGreaterThanOrEqual(cached.bytes)
})

test('what is asked for at once stays together, until others are asked for', async () => {
  const { cached, storage } = await opened(5 * EACH)
  await storage.rows.commit(some(0, 20))
  await cached.bring([...Array(20).keys()])
  expect(cached.size).toBe(20)
  await cached.bring([7])
  expect(cached.size).toBe(5)
  expect(cached.find(7, 'sentence')).toEqual(noise(7, 1024))
})

test('what makes room for others while it is asked for is there all the same', async () => {
  const { cached, storage, state } = await opened(5 * EACH)
  await storage.rows.commit(some(0, 20))
  let go = () => {}
  state.wait = () => new Promise((resolve) => (go = resolve))
  const waiting = cached.bring([19, 0])
  await new Promise((resolve) => setTimeout(resolve, 5))
  const first = go
  state.wait = async () => {}
  await cached.bring([5, 6, 7, 8, 9, 10])
  expect(cached.find(19, 'sentence')).toBeUndefined()
  first()
  await waiting
  for (const slot of [19, 0]) expect(cached.find(slot, 'sentence')).toEqual(noise(slot, 1024))
})

test('forgets with each commit what it changes, a replacement all', async () => {
  const { cached, storage } = await opened(100 * EACH)
  await storage.rows.commit(some(0, 6))
  await storage.rows.commit([
    { op: 'remove', slot: 0, id: 'ep_0' },
    sign(1, { sentence: noise(70, 1024) }),
    { op: 'update', slot: 2, id: 'ep_2', row: new Uint8Array(3) },
    ...some(6, 1),
    sign(6, { sentence: noise(71, 1024) }),
  ])
  expect([0, 1, 2, 3, 6].map((slot) => cached.find(slot, 'sentence') !== undefined)).toEqual([
    false,
    false,
    false,
    true,
    false,
  ])
  await cached.bring([0, 1, 2, 6])
  expect(cached.find(0, 'sentence')).toBeUndefined()
  expect(cached.find(1, 'sentence')).toEqual(noise(70, 1024))
  expect(cached.find(6, 'sentence')).toEqual(noise(71, 1024))
  await storage.rows.replace((add) => add(some(0, 2)))
  expect([cached.size, cached.bytes]).toEqual([0, 0])
})

test('does not keep what a commit, a replacement or closing has overtaken', async () => {
  const overtaking: ((storage: OpenedStorage) => Promise<unknown>)[] = [
    (storage) => storage.rows.commit([{ op: 'remove', slot: 1, id: 'ep_1' }]),
    (storage) => storage.rows.commit([sign(1, { sentence: noise(70, 1024) })]),
    (storage) => storage.rows.replace((add) => add(some(0, 1))),
    (storage) => storage.close(),
  ]
  for (const overtake of overtaking) {
    const { cached, storage, state } = await opened(100 * EACH)
    await storage.rows.commit(some(0, 3))
    await storage.rows.commit([sign(1, { sentence: noise(71, 1024) })])
    let go = () => {}
    state.wait = () => new Promise((resolve) => (go = resolve))
    const reading = cached.bring([1])
    await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve))
    await overtake(storage)
    go()
    await reading
    expect(cached.find(1, 'sentence')).toBeUndefined()
  }
})

test('a commit that fails leaves nothing of it', async () => {
  const { cached, storage } = await opened(100 * EACH)
  await storage.rows.commit(some(0, 3))
  await expect(storage.rows.commit([...some(3, 1), put(1)])).rejects.toMatchObject({ code: 'AGIDB_INTERNAL' })
  expect(cached.find(3, 'sentence')).toBeUndefined()
  expect(cached.find(0, 'sentence')).toEqual(noise(0, 1024))
})

test('visits in ascending order, whether it has them or reads them', async () => {
  const { cached, storage, read } = await opened(2 * EACH)
  await storage.rows.commit(some(0, 6))
  const found = await visited(storage, [5, 2, 4, 0, 9])
  expect(found).toEqual([0, 2, 4, 5].map((slot) => [slot, noise(slot, 1024)]))
  expect(read).toEqual([[2, 0, 9]])
  expect(cached.size).toBe(4)
})

test('a storage that says that it searches, and does not, is refused and closed', async () => {
  let isClosed = false
  const adapter: StorageAdapter = {
    async open(...args) {
      const storage = await memoryStorage().open(...args)
      return { ...storage, close: async () => void (isClosed = true) }
    },
  }
  const around = new CachedSignatures(1).around(adapter)
  await expect(around.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  expect(isClosed).toBe(true)
})
