import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MemoryChange } from '../../../../src/api/change.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { Commits } from '../../../../src/storage/adapters/postgres/listening.js'
import { postgresStorage, type PostgresListener } from '../../../../src/storage/adapters/postgres/postgres.js'
import { openInto, puts, put } from '../../../../src/storage/contract/episodes.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'

const bin = postgresPrograms()
const OPTIONS = { codebook: 'none', extract: 'none', autoConsolidate: false } as const

describe.skipIf(bin === undefined)('a reader with a listener, in a PostgreSQL of this machine', () => {
  let server: PostgresServer
  const writerOf = async (namespace: string) =>
    Agidb.open({ storage: postgresStorage(await server.connect(), { namespace }), ...OPTIONS })
  const readerOf = async (namespace: string) => {
    const [client, listener] = [await server.connect(), await server.connect()]
    const storage = postgresStorage(client, { namespace, readOnly: true, listener })
    const reader = await Agidb.open({ storage, readOnly: true, ...OPTIONS })
    const told: MemoryChange[] = []
    reader.subscribe((change) => void told.push(change))
    return { reader, told, client, listener }
  }

  beforeAll(async () => {
    server = new PostgresServer(bin!)
    await server.start()
  })
  afterAll(() => server.remove())

  test('sees commits of the writer, and tells subscribers', async () => {
    const writer = await writerOf('told')
    await writer.observe('Sarah recommended Bawri, a thai place in Bandra.')
    const { reader, told } = await readerOf('told')
    const count = async () => (await reader.stats()).episodes
    expect(await count()).toBe(1)
    const id = await writer.observe('Tom moved to Lisbon.')
    await vi.waitFor(async () => expect(await count()).toBe(2), 10_000)
    expect((await reader.recall('Where did Tom move?')).matches[0].id).toBe(id)
    expect(told).toContainEqual(expect.objectContaining({ kind: 'changesApplied', own: false, ids: [] }))
    await writer.remove(id)
    await vi.waitFor(async () => expect(await count()).toBe(1), 10_000)
    await reader.close()
    await writer.observe('Nobody hears of this.')
    await expect(reader.recall('anything')).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    await writer.close()
  })

  test('a live query answers anew', async () => {
    const writer = await writerOf('live')
    await writer.observe('The first note.', { session: 'notes' })
    const { reader } = await readerOf('live')
    const live = reader.live({ session: 'notes' })
    const texts = async () => (await live.next()).value?.map(({ text }) => text)
    expect(await texts()).toEqual(['The first note.'])
    const next = texts()
    await writer.observe('The second note.', { session: 'notes' })
    expect(await next).toEqual(['The first note.', 'The second note.'])
    await live.return()
    await reader.close()
    await writer.close()
  })

  test('many commits while it reads are seen in the end, and each answer is of one commit', async () => {
    const writer = await writerOf('many')
    await writer.observe('Episode number 0.')
    const { reader, told } = await readerOf('many')
    let last = 1
    for (let i = 1; i <= 40; i++) {
      await writer.observeMany([{ text: `Episode number ${2 * i - 1}.` }, { text: `Episode number ${2 * i}.` }])
      const { episodes } = await reader.stats()
      expect(episodes % 2).toBe(1)
      expect(episodes).toBeGreaterThanOrEqual(last)
      last = episodes
    }
    await vi.waitFor(async () => expect((await reader.stats()).episodes).toBe(81), 10_000)
    expect(told.length).toBeLessThanOrEqual(40)
    await reader.close()
    await writer.close()
  })

  test('where the memory cannot be opened again, every call is refused with the reason', async () => {
    const writer = await writerOf('gone')
    await writer.observe('It is there.')
    const { reader, told, client } = await readerOf('gone')
    const admin = await server.connect()
    const pid = (client as unknown as { readonly processID: number }).processID
    await admin.query('select pg_terminate_backend($1)', [pid])
    await writer.observe('And this, too.')
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000)
    await expect(reader.recall('anything')).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await expect(reader.stats()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await reader.close()
    await writer.close()
  })

  test('its connection is its own', async () => {
    const writer = await writerOf('own')
    await writer.observe('Mine.')
    const { reader, client, listener } = await readerOf('own')
    const other = (options: { listener?: PostgresListener }) =>
      openInto(new OpenedStore(postgresStorage(client, { namespace: 'own', readOnly: true, ...options })))
    await expect(other({})).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
    await expect(other({ listener })).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
    await expect(reader.scope({ user: 'ann' }).stats()).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
    expect((await reader.stats()).episodes).toBe(1)
    await reader.close()
    await expect(other({})).resolves.toBeDefined()
    await writer.close()
  })
})

/** A PGlite as a client of `pg`: it tells of notifications by events, once `listen` was said. */
function emitting(server: PGlite) {
  type Heard = (told: { readonly channel: string }) => void
  const heard = new Set<Heard>()
  const ends = new Map<string, () => Promise<void>>()
  return {
    channels: () => [...ends.keys()],
    on: (_: 'notification', listener: Heard) => heard.add(listener),
    removeListener: (_: 'notification', listener: Heard) => heard.delete(listener),
    async query(text: string, values?: string[]) {
      const [, word, channel] = /^(listen|unlisten) (.*)/.exec(text) ?? []
      if (word === undefined) return server.query(text, values)
      if (word === 'listen' && !ends.has(channel))
        ends.set(channel, await server.listen(channel, () => heard.forEach((listener) => listener({ channel }))))
      if (word === 'unlisten') {
        await ends.get(channel)?.()
        ends.delete(channel)
      }
      return { rows: [] }
    },
  }
}

describe('commits in PGlite', () => {
  let server: PGlite
  beforeAll(async () => {
    server = await PGlite.create()
  })
  afterAll(() => server.close())

  test('notify those who listen, each once it is stored, and one that is refused does not', async () => {
    const heard: string[] = []
    const store = new OpenedStore(postgresStorage(server, { namespace: 'heard' }))
    await openInto(store)
    const { rows } = await server.query<{ channel: string }>(
      `select 'agidb_' || md5(to_regclass('agidb_memory')::oid::text || ':heard') as channel`,
    )
    const end = await server.listen(rows[0].channel, (payload) => void heard.push(payload))
    await store.commit(puts(0, 3))
    await store.commit([put(3)])
    await expect(store.commit([put(3)])).rejects.toMatchObject({ code: 'AGIDB_INTERNAL' })
    await store.replace((add) => add(puts(0, 2)))
    await vi.waitFor(() => expect(heard).toHaveLength(4), 5_000) // Two commits, what replaces, and the switch to it.
    expect(heard.map(Number)).toEqual([...heard.map(Number)].sort((a, b) => a - b))
    await store.close()

    const silent = new OpenedStore(postgresStorage(server, { namespace: 'heard', notify: false }))
    await openInto(silent)
    await silent.commit([put(5)])
    await silent.close()
    expect(heard).toHaveLength(4)
    await end()
  })

  test('are heard by one memory after another that shares its listener was closed', async () => {
    const writer = new OpenedStore(postgresStorage(server, { namespace: 'shared' }))
    await openInto(writer)
    const listener = emitting(server)
    const reading = async () => {
      let told = 0
      const storage = await Commits.of(listener, 'shared')
      storage.tell(() => told++)
      return { end: () => storage.end(), told: () => told }
    }
    const [first, second] = [await reading(), await reading()]
    await first.end()
    await first.end()
    await writer.commit(puts(0, 1))
    await vi.waitFor(() => expect(second.told()).toBe(1), 5_000)
    const third = await reading()
    await second.end()
    await writer.commit([put(1)])
    await vi.waitFor(() => expect(third.told()).toBe(1), 5_000)
    expect([first.told(), second.told()]).toEqual([0, 1])
    await third.end()
    expect(listener.channels()).toEqual([])
    await writer.close()
  })

  test('a PGlite is a listener; what is none is refused, and so is one of a writer', async () => {
    const code = expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' })
    const options = { readOnly: true, listener: server as PostgresListener }
    expect(() => postgresStorage(server, options)).not.toThrow()
    expect(() => postgresStorage(server, { listener: server })).toThrow(code)
    expect(() => postgresStorage(server, { readOnly: true, listener: {} as PostgresListener })).toThrow(code)
    expect(() => postgresStorage(server, { notify: 'yes' as unknown as boolean })).toThrow(code)
    const empty = await PGlite.create()
    const storage = postgresStorage(server, { readOnly: true, listener: empty })
    await expect(openInto(new OpenedStore(storage))).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await empty.close()
  })
})
