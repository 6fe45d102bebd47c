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

  const tests = storageContract({ durable: true, parts: ['signatures', 'checkpoint'] }, async () => {
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

  test('killed among commits and checkpoints, it has each commit that was acknowledged, with or without a checkpoint', async () => {
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
})
