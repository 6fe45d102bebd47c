import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresStorage } from '../../../../src/storage/adapters/postgres/postgres.js'
import { listed, modelOf, openInto, put, puts } from '../../../../src/storage/contract/episodes.js'
import { storageContract } from '../../../../src/storage/contract/index.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'

const bin = postgresPrograms()

describe.skipIf(bin === undefined)('a PostgreSQL of this machine, by pg', () => {
  let server: PostgresServer
  let places = 0
  const storeOf = async (namespace: string) => new OpenedStore(postgresStorage(await server.connect(), { namespace }))

  beforeAll(async () => {
    server = new PostgresServer(bin!)
    await server.start()
  })
  afterAll(() => server.remove())

  const tests = storageContract({ durable: true, parts: ['signatures', 'checkpoint', 'maintenance'] }, async () => {
    const clients = [await server.connect(), await server.connect(), await server.connect()]
    const namespace = `place ${places++}`
    let next = 0
    return {
      adapter: () => postgresStorage(clients[next++ % clients.length], { namespace }),
      remove: async () => void (await Promise.all(clients.map((client) => client.end()))),
    }
  })
  for (const { name, run } of tests) test(`keeps the contract: ${name}`, run)

  test('the lock ends with the session that has it', async () => {
    const client = await server.connect()
    const first = new OpenedStore(postgresStorage(client, { namespace: 'session' }))
    await openInto(first)
    await first.commit(puts(0, 2))
    const second = await storeOf('session')
    await expect(second.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await client.end()
    expect((await openInto(second)).kept.size).toBe(2)
    await expect(first.commit([put(2)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await second.close()
  })

  test('several that are opened at once make the tables once', async () => {
    const admin = await server.connect()
    await admin.query('create schema fresh')
    const stores = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const client = await server.connect()
        await client.query('set search_path = fresh')
        return new OpenedStore(postgresStorage(client, { namespace: `at once ${index}` }))
      }),
    )
    await Promise.all(stores.map((store) => openInto(store)))
    await Promise.all(stores.map((store) => store.commit(puts(0, 3))))
    expect(await Promise.all(stores.map((store) => store.slots()))).toEqual(stores.map(() => [0, 1, 2]))
    expect((await admin.query('select version from fresh.agidb_schema')).rows).toHaveLength(1)
    for (const store of stores) await store.close()
  })

  test('killed among commits and checkpoints, it has each commit that was acknowledged', async () => {
    const commits: ReturnType<typeof puts>[] = []
    let [checkpoints, sure] = [0, 0]
    for (let round = 0; round < 4; round++) {
      const store = await storeOf('killed with checkpoints')
      // What is in the checkpoint: the commits before it are its content, as the engine's indexes are.
      const [kept, changed]: [Set<number>, Set<number>] = [new Set(), new Set()]
      await store.open(({ slot }) => kept.add(slot), {
        load: async (checkpoint) => {
          const slots = (await checkpoint.parts('slots')).get('slots')!
          for (const slot of slots) kept.add(slot)
          checkpoints++
          return true
        },
        reset: (error) => expect.unreachable(String(error)),
        change: ({ slot }) => {
          expect(kept.has(slot)).toBe(false)
          changed.add(slot)
        },
        has: (slot) => kept.has(slot) || changed.has(slot),
      })
      const stored = new Set([...kept, ...changed])
      expect([...stored].sort((a, b) => a - b)).toEqual(await store.slots())
      // The commit that was under way when it was killed may be there: its answer did not come.
      commits.splice(commits.findLastIndex((commit) => commit.every(({ slot }) => stored.has(slot))) + 1)
      expect(commits.length).toBeGreaterThanOrEqual(sure)
      expect(stored.size).toBe(commits.length * 20)
      const before = commits.length
      let acknowledged = 0
      const writing = (async () => {
        for (;;) {
          commits.push(puts(commits.length * 20, 20, 300))
          await store.commit(commits[commits.length - 1])
          acknowledged++
          if (acknowledged % 3 === 0) {
            const slots = Uint32Array.from(await store.slots())
            const filler = new Uint8Array(200_000)
            await store.parts.checkpoint!.write([
              { name: 'slots', array: () => slots },
              { name: 'filler', array: () => filler },
            ])
          }
        }
      })()
      const refused = expect(writing).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
      while (acknowledged < 7 + round) await new Promise((resolve) => setTimeout(resolve, 5))
      await server.stop('SIGQUIT')
      await refused
      sure = before + acknowledged
      await store.close().catch(() => undefined)
      await server.start()
    }
    expect(checkpoints).toBe(3)
  })

  test('killed among commits, it has each that was acknowledged, and none in part', async () => {
    let commits: ReturnType<typeof puts>[] = []
    for (let round = 0; round < 3; round++) {
      const store = await storeOf('killed')
      const { kept } = await openInto(store)
      // The commit that was under way when it was killed may be there: its answer did not come.
      const stored = commits.findLastIndex((commit) => commit.every(({ slot }) => kept.has(slot)))
      expect(stored).toBeGreaterThanOrEqual(commits.length - 2)
      commits = commits.slice(0, stored + 1)
      expect(listed(kept)).toEqual(listed(modelOf(...commits)))
      let acknowledged = 0
      const writing = (async () => {
        for (;;) {
          commits.push(puts(commits.length * 20, 20, 300))
          await store.commit(commits[commits.length - 1])
          acknowledged++
        }
      })()
      const refused = expect(writing).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
      while (acknowledged < 10 + round) await new Promise((resolve) => setTimeout(resolve, 5))
      await server.stop('SIGQUIT')
      await refused
      await expect(store.commit([put(9999)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
      await store.close().catch(() => undefined) // There is nobody to release the lock at.
      await server.start()
    }
  })

  test('readers beside two writers take no lock, and see what was committed before they opened', async () => {
    const admin = await server.connect()
    const namespaces = ['first of two', 'second of two']
    const reader = async (namespace: string) => {
      const store = new OpenedStore(postgresStorage(await server.connect(), { namespace, readOnly: true }))
      return { store, kept: (await openInto(store)).kept }
    }
    await expect(reader('nobody')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    const writers = await Promise.all(namespaces.map((namespace) => storeOf(namespace)))
    await Promise.all(writers.map((writer) => openInto(writer)))
    const committed = [0, 0]
    let isDone = false
    const writing = writers.map(async (writer, i) => {
      for (; !isDone; committed[i]++) {
        await writer.commit(puts(committed[i] * 5, 5, 100))
        if (committed[i] % 8 === 7)
          await writer.parts.checkpoint!.write([{ name: 'part', array: () => new Uint8Array(9) }])
      }
    })
    for (let round = 0; round < 12; round++) {
      const i = round % 2
      const before = committed[i]
      const { store, kept } = await reader(namespaces[i])
      const after = committed[i]
      expect(kept.size % 5).toBe(0)
      expect(kept.size).toBeGreaterThanOrEqual(before * 5)
      // One more may have been stored, and its answer be on its way.
      expect(kept.size).toBeLessThanOrEqual((after + 1) * 5)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(await store.slots()).toEqual([...kept.keys()])
      expect((await store.rows([...kept.keys()])).every((row) => row !== undefined)).toBe(true)
      const locks = `select count(*)::int as n from pg_locks where locktype = 'advisory'`
      expect((await admin.query(locks)).rows).toEqual([{ n: 2 }])
      await expect(store.commit([put(9e6)])).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      await expect(store.replace(async () => undefined)).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      const checkpoint = store.parts.checkpoint!.write([{ name: 'part', array: () => new Uint8Array(9) }])
      await expect(checkpoint).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      await store.close()
    }
    isDone = true
    await Promise.all(writing)
    for (const [i, writer] of writers.entries()) {
      await writer.close()
      const { store, kept } = await reader(namespaces[i])
      expect(kept.size).toBe(committed[i] * 5)
      await store.close()
    }
  })

  test('a server killed under a reader and a writer is told by code; both go on after reopening', async () => {
    const writer = await storeOf('killed under two')
    await openInto(writer)
    await writer.commit(puts(0, 20))
    const open = async () => {
      const storage = postgresStorage(await server.connect(), { namespace: 'killed under two', readOnly: true })
      const store = new OpenedStore(storage)
      return { store, kept: (await openInto(store)).kept }
    }
    const { store } = await open()
    await server.stop('SIGQUIT')
    await expect(store.rows([1])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await expect(writer.commit([put(20)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await Promise.allSettled([store.close(), writer.close()])
    await server.start()
    const again = await storeOf('killed under two')
    expect((await openInto(again)).kept.size).toBe(20)
    await again.commit([put(20)])
    expect((await open()).kept.size).toBe(21)
    await again.close()
  })
})
