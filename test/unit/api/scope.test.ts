import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cannotListen } from '../../../src/api/listen.js'
import { type Database, type ScopeNames, withScopes } from '../../../src/api/scope.js'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { AgidbError } from '../../../src/base/errors.js'
import { Agidb as Edge } from '../../../src/runtimes/edge/index.js'
import { Agidb, type MemoryChange } from '../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'

const AT = Date.parse('2026-05-01T12:00:00Z')
const OPTIONS = { codebook: 'none', extract: 'none', clock: () => AT, seed: 1 } as const

const ANN = ['Sarah recommended Bawri, a thai place in Bandra.', 'The dentist moved to Hill Road.', 'I sold the bike.']
const BOB = ['Thai food again, thai food every day.', 'The thai place closed.', 'My dentist likes thai curry.']

async function told(db: Database, texts: readonly string[]): Promise<void> {
  await db.observeMany(texts.map((text, i) => ({ id: `e${i}`, text })))
}

/** What a memory answers, but for the times that it took and the ids of recalls. */
async function answers(db: Database, cues: readonly string[]) {
  const recalls = []
  for (const cue of cues) {
    const {
      elapsedMs: _,
      recallId: __,
      ...recall
    } = (await db.recall(cue, { k: 10 })) as object as Record<string, unknown>
    recalls.push(recall)
  }
  return recalls
}

let folder: string
const opened: Database[] = []

async function open(options: object = { path: join(folder, 'memory') }): Promise<Database> {
  const db = await Agidb.open({ ...OPTIONS, ...options } as Parameters<typeof Agidb.open>[0])
  opened.push(db)
  return db
}

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'agidb-scope-'))))
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['a folder', 'main memory'])('scopes of a memory in %s', (place) => {
  const begin = () => open(place === 'a folder' ? undefined : { storage: 'memory' })

  test('a scope finds what was told to it, and nothing that was told to others', async () => {
    const db = await begin()
    await db.observe('The thai place is mine.', { id: 'own' })
    await told(db.scope({ user: 'ann' }), ANN)
    await told(db.scope({ user: 'bob' }), BOB)
    const texts = async (from: Database) => (await from.recall('thai place', { k: 10 })).matches.map(({ text }) => text)
    expect((await texts(db.scope({ user: 'ann' }))).sort()).toEqual([...ANN].sort())
    expect((await texts(db.scope({ user: 'bob' }))).sort()).toEqual([...BOB].sort())
    expect(await texts(db)).toEqual(['The thai place is mine.'])
    expect((await db.stats()).episodes).toBe(1)
    expect(await db.getEpisode('e0')).toBeUndefined()
  })

  test('a scope answers as a memory of its own would that never met the others, to the last figure', async () => {
    const db = await begin()
    await told(db.scope({ user: 'bob' }), BOB)
    await told(db.scope({ user: 'ann' }), ANN)
    const alone = await open({ storage: 'memory' })
    await told(alone, ANN)
    const cues = ['thai place', 'dentist', 'who sold the bike?', 'curry']
    expect(await answers(db.scope({ user: 'ann' }), cues)).toEqual(await answers(alone, cues))
  })

  test('what is observed in a scope may be for a goal of that scope, and of no other', async () => {
    const db = await begin()
    const [ann, bob] = [db.scope({ user: 'ann' }), db.scope({ user: 'bob' })]
    const goal = await ann.setGoal({ description: 'sell the bike' })
    const id = await ann.observe('The dentist called.', { goal })
    expect(await ann.getEpisode(id)).toMatchObject({ goal })
    for (const other of [bob, db])
      await expect(other.observe('So it is.', { goal })).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    expect(await bob.count()).toBe(0)
  })
})

test('the same names are the same scope in whatever order, and further names make another one', async () => {
  const db = await open()
  const scope = db.scope({ user: 'ann', agent: 'helper' })
  await scope.observe('The key is under the mat.')
  for (const same of [{ agent: 'helper', user: 'ann' }]) expect((await db.scope(same).stats()).episodes).toBe(1)
  expect((await db.scope({ user: 'ann' }).scope({ agent: 'helper' }).stats()).episodes).toBe(1)
  expect((await db.scope({ user: 'ann' }).stats()).episodes).toBe(0)
  expect((await db.scope({ user: 'helper', agent: 'ann' }).stats()).episodes).toBe(0)
})

test('a scope is there again when the memory is opened again', async () => {
  const db = await open()
  await told(db.scope({ user: 'ann' }), ANN)
  await db.close()
  const again = await open()
  expect((await again.scope({ user: 'ann' }).stats()).episodes).toBe(ANN.length)
  expect((await again.verify()).ok).toBe(true)
})

test('closing a scope lets go of it alone, and closing the memory closes its scopes', async () => {
  const db = await open()
  const scope = db.scope({ user: 'ann' })
  await scope.observe('The key is under the mat.')
  await scope.close()
  await expect(scope.stats()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  const again = db.scope({ user: 'ann' })
  expect((await again.stats()).episodes).toBe(1)
  await db.close()
  await expect(again.stats()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  expect(() => db.scope({ user: 'ann' })).toThrow(expect.objectContaining({ code: 'AGIDB_CLOSED' }))
})

test('a scope that is closed refuses subscriptions and live queries as it refuses other calls', async () => {
  const scope = (await open()).scope({ user: 'ann' })
  await scope.observe('The key is under the mat.')
  await scope.close()
  const refused = { code: 'AGIDB_CLOSED' }
  expect(() => scope.subscribe(() => {})).toThrow(expect.objectContaining(refused))
  await expect(scope.live('key').next()).rejects.toMatchObject(refused)
  await expect(scope.episodes()[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused)
})

test('a scope that is asked for while it is being closed is opened again once it is closed', async () => {
  const db = await open()
  const scope = db.scope({ user: 'ann' })
  await scope.observe('The key is under the mat.')
  const closed = scope.close()
  const again = db.scope({ user: 'ann' })
  expect(await again.count()).toBe(1)
  await closed
  expect(db.scope({ user: 'ann' })).toBe(again)
  await again.observe('The key is gone.')
  expect(await db.scope({ user: 'ann' }).count()).toBe(2)
})

test('closing the memory waits for a scope that is being closed and was asked for again', async () => {
  const path = join(folder, 'memory')
  const db = await open({ path })
  const scope = db.scope({ user: 'ann' })
  await scope.observe('The key is under the mat.')
  void scope.close()
  db.scope({ user: 'ann' })
  await db.close()
  expect(await (await open({ path })).scope({ user: 'ann' }).count()).toBe(1)
})

test('a scope whose closing failed is opened again', async () => {
  const root = await open({ storage: 'memory' })
  const close = () => Promise.reject(new AgidbError('AGIDB_STORAGE', 'the disk is gone'))
  const db = withScopes(root, async () => ({ ...root, close }), cannotListen)
  const scope = db.scope({ user: 'ann' })
  await scope.count()
  const closed = scope.close()
  expect(await db.scope({ user: 'ann' }).count()).toBe(0)
  await expect(closed).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
})

test('a memory refuses calls while its scopes are being closed', async () => {
  const db = await open()
  await db.scope({ user: 'ann' }).observe('The key is under the mat.')
  const closed = db.close()
  const refused = { code: 'AGIDB_CLOSED' }
  await expect(db.observe('Too late.')).rejects.toMatchObject(refused)
  await expect(db.graph.neighbours('e0')).rejects.toMatchObject(refused)
  await expect(db.episodes()[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused)
  await expect(db.live('key').next()).rejects.toMatchObject(refused)
  expect(() => db.subscribe(() => {})).toThrow(expect.objectContaining(refused))
  await closed
  expect((await (await open()).stats()).episodes).toBe(0)
})

test('a memory stores what it was told before it was closed', async () => {
  const db = await open()
  await db.scope({ user: 'ann' }).observe('The key is under the mat.')
  const stored = db.observe('In time.')
  await db.close()
  await stored
  expect((await (await open()).stats()).episodes).toBe(1)
})

test('a memory is closed although one of its scopes cannot be closed', async () => {
  const root = await open()
  const failing = { ...root, close: () => Promise.reject(new AgidbError('AGIDB_STORAGE', 'the disk is gone')) }
  const db = withScopes(root, async () => failing, cannotListen)
  await db.scope({ user: 'ann' }).stats()
  await expect(db.close()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  expect((await (await open()).stats()).episodes).toBe(0)
})

test('pages, streams and subscriptions of a scope are its own', async () => {
  const db = await open()
  const scope = db.scope({ user: 'ann' })
  const changes: MemoryChange[] = []
  const end = scope.subscribe((change) => changes.push(change))
  await told(scope, ANN)
  await db.observe('Not for Ann.')
  const pages: number[] = []
  for await (const page of scope.episodes()) pages.push(page.length)
  expect(pages).toEqual([3])
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(changes.flatMap(({ ids }) => ids)).toEqual(['e0', 'e1', 'e2'])
  end()
  const other = db.scope({ user: 'bob' })
  expect(await other.import(await scope.export())).toMatchObject({ episodes: 3 })
})

test('a scope can be subscribed to after an import replaced what it held', async () => {
  const scope = (await open()).scope({ user: 'ann' })
  await told(scope, ANN)
  await scope.import(await new Response(await scope.export()).blob(), { replace: true })
  const changes: MemoryChange[] = []
  scope.subscribe((change) => changes.push(change))
  await scope.observe('The key is under the mat.', { id: 'key' })
  await expect.poll(() => changes).toMatchObject([{ kind: 'episodeStored', ids: ['key'] }])
})

test('subscribing to a scope whose memory ended by itself does not end the program', async () => {
  const root = await open({ storage: 'memory' })
  const ended = {
    subscribe: () => {
      throw new AgidbError('AGIDB_WORKER', 'the worker died')
    },
  }
  const db = withScopes(root, async () => Object.create(root, Object.getOwnPropertyDescriptors(ended)), cannotListen)
  const unsubscribe = db.scope({ user: 'ann' }).subscribe(() => {})
  await new Promise((resolve) => setTimeout(resolve, 50)) // an error that nobody caught would fail the test
  unsubscribe()
})

test('who subscribed to a scope that could not be opened is told of its changes once it can be', async () => {
  const root = await open({ storage: 'memory' })
  let attempts = 0
  const openScope = async () => {
    if (attempts++ === 0) throw new AgidbError('AGIDB_WORKER', 'no worker now')
    return root
  }
  const scope = withScopes(root, openScope, cannotListen).scope({ user: 'ann' })
  const [changes, none]: [MemoryChange[], MemoryChange[]] = [[], []]
  scope.subscribe((change) => changes.push(change))
  const unsubscribe = scope.subscribe((change) => none.push(change))
  await expect(scope.count()).rejects.toMatchObject({ code: 'AGIDB_WORKER' })
  unsubscribe()
  await scope.observe('The key is under the mat.', { id: 'key' })
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(changes).toMatchObject([{ kind: 'episodeStored', ids: ['key'] }])
  expect(none).toEqual([])
})

test('a scope of a memory that is read only is read only, and is not made where it is not there', async () => {
  const db = await open()
  await db.scope({ user: 'ann' }).observe('The key is under the mat.')
  await db.close()
  const reader = await open({ path: join(folder, 'memory'), readOnly: true })
  expect((await reader.scope({ user: 'ann' }).stats()).episodes).toBe(1)
  await expect(reader.scope({ user: 'ann' }).observe('More.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
  await expect(reader.scope({ user: 'bob' }).stats()).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
})

test.each([
  [undefined, 'AGIDB_INVALID_ARGUMENT'],
  ['ann', 'AGIDB_INVALID_ARGUMENT'],
  [{}, 'AGIDB_INVALID_ARGUMENT'],
  [{ user: '' }, 'AGIDB_INVALID_ARGUMENT'],
  [{ user: 7 }, 'AGIDB_INVALID_ARGUMENT'],
  [{ user: undefined }, 'AGIDB_INVALID_ARGUMENT'],
  [{ user: 'a'.repeat(1025) }, 'AGIDB_TOO_LARGE'],
  [Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`n${i}`, 'x'])), 'AGIDB_INVALID_ARGUMENT'],
])('%j are no names of a scope', async (names, code) => {
  const db = await open({ storage: 'memory' })
  expect(() => db.scope(names as ScopeNames)).toThrow(expect.objectContaining({ code }))
})

test('an adapter stores scopes where its method scope says, and without one they are refused', async () => {
  const places = new Map<string, StorageAdapter>()
  const adapter: StorageAdapter = {
    open: (...args) => memoryStorage().open(...args),
    scope: (key) => {
      places.set(key, memoryStorage())
      return places.get(key)!
    },
  }
  const db = await Edge.open({ ...OPTIONS, referenceKernel: true, storage: adapter })
  opened.push(db)
  await db.scope({ user: 'ann' }).observe('The key is under the mat.')
  expect([...places.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
  const { scope: _, ...without } = adapter
  const plain = await Edge.open({ ...OPTIONS, referenceKernel: true, storage: without })
  opened.push(plain)
  await expect(plain.scope({ user: 'ann' }).stats()).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
  expect((await plain.stats()).episodes).toBe(0)
})
