import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Findings } from '../../../../src/api/findings.js'
import type { CheckpointLoader, StoredEpisode } from '../../../../src/api/storage.js'
import { Agidb as EdgeAgidb } from '../../../../src/runtimes/edge/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { postgresStorage, type PostgresDriver } from '../../../../src/storage/adapters/postgres/postgres.js'
import { listed, modelOf, openInto, put, puts, sign } from '../../../../src/storage/contract/episodes.js'
import { storageContract } from '../../../../src/storage/contract/index.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'

let server: PGlite
let places = 0
const place = () => `place ${places++}`
const storeOf = (namespace: string, driver: PostgresDriver = server) =>
  new OpenedStore(postgresStorage(driver, { namespace }))
const count = async (table: string, namespace: string) =>
  (await server.query<{ n: number }>(`select count(*)::int as n from ${table} where namespace = $1`, [namespace]))
    .rows[0].n
/** As if the session had ended: the server releases its locks. */
const endSession = () => server.query('select pg_advisory_unlock_all()')

/** What version 1 of the tables was, with a memory of two episodes and one that was removed. */
const VERSION_1 = `
  create table agidb_schema (version int not null);
  insert into agidb_schema values (1);
  create table agidb_memory (namespace text primary key, database_id text not null, writer text not null,
    revision bigint not null, content bigint not null, next_slot bigint not null, bytes bigint not null);
  create table agidb_episode (namespace text not null, content bigint not null, slot bigint not null, id bytea,
    "row" bytea, encoder smallint, primary key (namespace, content, slot));
  create table agidb_signature (namespace text not null, content bigint not null, slot bigint not null,
    kind text not null, bytes bytea not null, primary key (namespace, content, slot, kind));
  insert into agidb_memory values ('old', repeat('ab', 16), 'w', 2, 0, 3, 12);
  insert into agidb_episode values ('old', 0, 0, 'ep_0', 'x', null), ('old', 0, 1, null, null, null),
    ('old', 0, 2, 'ep_2', 'y', 4);
  insert into agidb_signature values ('old', 0, 2, 'text', '\\x0102')`

/** Takes any checkpoint, as if all slots were in it. */
const FOLLOWED: CheckpointLoader = {
  load: async () => true,
  reset: (error) => expect.unreachable(String(error)),
  change: () => undefined,
  has: () => true,
}

beforeAll(async () => {
  server = await PGlite.create()
})
afterAll(() => server.close())

describe('a memory in PostgreSQL keeps the contract', () => {
  const tests = storageContract({ durable: true, parts: ['signatures', 'checkpoint', 'maintenance'] }, () => {
    const namespace = place()
    return { adapter: () => postgresStorage(server, { namespace }) }
  })
  for (const { name, run } of tests) test(name, run)
})

describe('drivers', () => {
  test('may answer rows alone, and bytes, numbers and truth as text', async () => {
    const namespace = place()
    const text = (value: unknown): unknown => {
      if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
      if (typeof value === 'boolean') return value ? 't' : 'f'
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
    }
    const driver: PostgresDriver = {
      query: async (statement, values) =>
        (await server.query<Record<string, unknown>>(statement, values)).rows.map((row) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)])),
        ),
    }
    const first = storeOf(namespace, driver)
    const commits = [puts(0, 3), [sign(1, { text: new Uint8Array([0, 255]) }, 7), put(5)]]
    await openInto(first)
    for (const commit of commits) await first.commit(commit)
    await first.close()
    const second = storeOf(namespace, driver)
    expect(listed((await openInto(second)).kept)).toEqual(listed(modelOf(...commits)))
    await second.close()
  })

  test('one that is none is refused, and so is a namespace that PostgreSQL cannot store', () => {
    const code = expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(() => postgresStorage({} as PostgresDriver)).toThrow(code)
    for (const namespace of ['', 'a\u0000b', 'x'.repeat(513)])
      expect(() => postgresStorage(server, { namespace })).toThrow(code)
  })

  test('what a query failed with is the cause of a coded error', async () => {
    const cause = Object.assign(new Error('no room'), { code: '53100' })
    const full: PostgresDriver = { query: () => Promise.reject(cause) }
    await expect(storeOf(place(), full).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_QUOTA',
      cause,
      details: { sqlstate: '53100' },
    })
    const odd: PostgresDriver = { query: async () => 'done' }
    await expect(storeOf(place(), odd).open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
  })
})

describe('one writer', () => {
  test('who lost the session is refused once another opened the memory, and cannot spoil it', async () => {
    const namespace = place()
    const first = storeOf(namespace)
    await openInto(first)
    await first.commit(puts(0, 3))
    await endSession()
    await first.commit([put(3)])
    const second = storeOf(namespace)
    expect((await openInto(second)).kept.size).toBe(4)
    await second.replace((add) => add(puts(0, 2)))
    await expect(first.commit([put(4)])).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await expect(first.replace((add) => add(puts(0, 9)))).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await second.close()
    const third = storeOf(namespace)
    expect(listed((await openInto(third)).kept)).toEqual(listed(modelOf(puts(0, 2))))
    await third.close()
    expect(await count('agidb_episode', namespace)).toBe(2)
  })

  test('memories of other namespaces are open beside it, scopes too', async () => {
    const namespace = place()
    const adapter = postgresStorage(server, { namespace })
    const stores = [adapter, adapter.scope!('a'), adapter.scope!('b')].map((one) => new OpenedStore(one))
    for (const [index, store] of stores.entries()) {
      await openInto(store)
      await store.commit(puts(0, index + 1))
    }
    expect(await Promise.all(stores.map((store) => store.slots()))).toEqual([[0], [0, 1], [0, 1, 2]])
    for (const store of stores) await store.close()
  })
})

test('a namespace of as many characters as it may have has scopes', async () => {
  const namespace = 'x'.repeat(512)
  const stores = ['a', 'b'].map((key) => new OpenedStore(postgresStorage(server, { namespace }).scope!(key.repeat(32))))
  for (const [index, store] of stores.entries()) {
    await openInto(store)
    await store.commit(puts(0, index + 1))
  }
  expect(await Promise.all(stores.map((store) => store.slots()))).toEqual([[0], [0, 1]])
  for (const store of stores) await store.close()
})

describe('an answer that does not come', () => {
  /** A driver whose connection breaks at the next write: before the server has it, or after; for good, or once. */
  function breaking(when: 'before' | 'after', forGood: boolean) {
    const state = { breaks: false, isBroken: false }
    const driver: PostgresDriver = {
      async query(statement, values) {
        if (state.isBroken) throw new Error('not connected')
        const isBreaking = state.breaks && statement.startsWith('with input')
        if (isBreaking) [state.breaks, state.isBroken] = [false, forGood]
        if (isBreaking && when === 'before') throw new Error('connection reset')
        const answer = await server.query(statement, values)
        if (isBreaking) throw new Error('connection reset')
        return answer
      },
    }
    return { driver, state }
  }

  test.each(['before', 'after'] as const)('%s the commit: it is found out what was stored', async (when) => {
    const namespace = place()
    const { driver, state } = breaking(when, false)
    const store = storeOf(namespace, driver)
    await openInto(store)
    await store.commit(puts(0, 2))
    state.breaks = true
    const commit = store.commit([put(2)])
    if (when === 'after') await commit
    else await expect(commit).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    const live = when === 'after' ? [0, 1, 2] : [0, 1]
    expect(await store.slots()).toEqual(live)
    await store.commit([put(3)])
    await store.close()
    const again = storeOf(namespace)
    expect([...(await openInto(again)).kept.keys()]).toEqual([...live, 3])
    await again.close()
  })

  test('for good: nothing more is written until it is opened again', async () => {
    const namespace = place()
    const { driver, state } = breaking('after', true)
    const store = storeOf(namespace, driver)
    await openInto(store)
    state.breaks = true
    await expect(store.commit([put(0)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    state.isBroken = false
    await expect(store.commit([put(1)])).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('open again'),
    })
    await store.close()
    const again = storeOf(namespace)
    expect([...(await openInto(again)).kept.keys()]).toEqual([0])
    await again.close()
  })
})

describe('the tables', () => {
  test('of a newer version are refused and left alone', async () => {
    await openInto(storeOf(place()))
    await server.query('update agidb_schema set version = version + 1')
    await expect(storeOf(place()).open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_NEWER_FORMAT' })
    await server.query('update agidb_schema set version = version - 1')
    await endSession()
  })

  test('are counted to the byte, and keep nothing of what was removed or replaced', async () => {
    const namespace = place()
    const store = storeOf(namespace)
    await openInto(store)
    const stored = async () => {
      const { rows } = await server.query<{ n: number }>(
        `select (coalesce((select sum(octet_length(id) + octet_length("row")) from agidb_episode
            where namespace = $1), 0)
          + coalesce((select sum(octet_length(bytes)) from agidb_signature where namespace = $1), 0))::int as n`,
        [namespace],
      )
      return rows[0].n
    }
    const same = async () => expect((await store.stats()).bytes).toBe(await stored())
    await store.commit(puts(0, 20, 500))
    await same()
    await store.commit([sign(1, { latent: new Uint8Array(9) }), sign(2, { text: new Uint8Array(3) }), put(20)])
    await same()
    await store.commit([
      { op: 'update', slot: 3, id: 'ep_3', row: new Uint8Array(1) },
      { op: 'remove', slot: 4, id: 'ep_4' },
      put(21),
      { op: 'remove', slot: 21, id: 'ep_21' },
    ])
    await same()
    await store.replace((add) => add(puts(0, 3)))
    await same()
    expect([await count('agidb_episode', namespace), await store.slots()]).toEqual([3, [0, 1, 2]])
    await store.close()
  })

  test('are read by the index for each slot, however many there are', async () => {
    const other = await PGlite.create()
    const plans: string[] = []
    let isExplaining = false
    const driver: PostgresDriver = {
      async query(statement, values) {
        if (isExplaining) {
          const { rows } = await other.query<Record<string, string>>(`explain ${statement}`, values)
          plans.push(rows.flatMap((row) => Object.values(row)).join('\n'))
        }
        return other.query(statement, values)
      },
    }
    const store = storeOf('large', driver)
    await openInto(store)
    await store.commit(puts(0, 3000))
    isExplaining = true
    await store.rows([1, 2])
    await store.read([1, 2])
    await store.commit([put(3000), { op: 'remove', slot: 5, id: 'ep_5' }, sign(6, { text: new Uint8Array(3) })])
    expect(plans).toHaveLength(4)
    for (const plan of plans) {
      const scans = plan.match(/(Scan|Scan using \w+) on agidb_(episode|signature)\b.*(\n.*){1,3}/g) ?? []
      expect(scans.length, plan).toBeGreaterThan(0)
      for (const scan of scans) expect(scan, plan).toMatch(/Index Cond: .*slot = |TID Cond: /)
    }
    await store.parts.checkpoint!.write([])
    await store.commit([put(3001)])
    await store.close()
    plans.length = 0
    const again = storeOf('large', driver)
    await again.open(() => undefined, FOLLOWED)
    expect(plans.filter((plan) => plan.includes('agidb_changed'))).toHaveLength(1)
    await again.close()
    await other.close()
  })

  test('that are dropped are found to be gone, once', async () => {
    const other = await PGlite.create()
    const told: string[] = []
    const store = storeOf('gone', other)
    await store.open(
      () => undefined,
      undefined,
      ({ code }) => told.push(code),
    )
    await store.commit(puts(0, 2))
    await other.query('delete from agidb_memory')
    for (let round = 0; round < 2; round++)
      await expect(store.commit([put(2)])).rejects.toMatchObject({ code: 'AGIDB_DELETED' })
    await other.exec('drop table agidb_episode, agidb_signature, agidb_memory, agidb_schema')
    await expect(store.rows([0])).rejects.toMatchObject({ code: 'AGIDB_DELETED' })
    expect(told).toEqual(['AGIDB_DELETED'])
    await other.close()
  })
})

describe('verifying', () => {
  const verified = async (store: OpenedStore) => {
    const findings = new Findings()
    const visited: number[] = []
    const visit = ({ slot }: StoredEpisode) => void visited.push(slot)
    await store.parts.maintenance!.verify({ findings, digest: () => '', visit })
    return { findings, visited }
  }

  test('tells of rows that are gone and of ids that are none, and visits all others', async () => {
    const namespace = place()
    const store = storeOf(namespace)
    await openInto(store)
    await store.commit(puts(0, 600))
    await server.query('delete from agidb_episode where namespace = $1 and slot = 7', [namespace])
    await server.query(`update agidb_episode set id = '\\xff' where namespace = $1 and slot = 9`, [namespace])
    const { findings, visited } = await verified(store)
    expect(findings.problems).toMatchObject([{ code: 'row-unreadable', harm: 'loss', count: 2, details: { slot: 7 } }])
    expect(visited).toEqual(Array.from({ length: 600 }, (_, slot) => slot).filter((slot) => slot !== 7 && slot !== 9))
    expect(findings.checked.rows).toBe(598)
    await store.close()
  })

  test('tells of a checkpoint that was changed, which a repair deletes', async () => {
    const namespace = place()
    const store = storeOf(namespace)
    await openInto(store)
    await store.commit(puts(0, 3))
    await store.parts.checkpoint!.write([{ name: 'part', array: () => new Uint8Array(100).fill(7) }])
    expect((await verified(store)).findings).toMatchObject({ problems: [], checked: { parts: 1, rows: 3 } })
    await server.query(`update agidb_checkpoint set bytes = 'x' where namespace = $1`, [namespace])
    expect((await verified(store)).findings.problems).toMatchObject([
      { code: 'image-damaged', harm: 'none', details: { part: 'part' } },
    ])
    await store.parts.maintenance!.repair(['image-damaged'])
    expect((await verified(store)).findings.problems).toEqual([])
    expect(await count('agidb_checkpoint', namespace)).toBe(0)
    await store.close()
    const again = storeOf(namespace)
    expect((await openInto(again)).kept.size).toBe(3)
    expect((await again.stats()).opening).toEqual([])
    await again.close()
  })

  test('of a memory that is read finds the same, and its repair is refused', async () => {
    const namespace = place()
    const db = await Agidb.open({ storage: postgresStorage(server, { namespace }), extract: 'none' })
    await db.observe('Sarah recommended Bawri.')
    await db.compact()
    expect((await db.recall('Bawri')).matches).toHaveLength(1)
    await db.close()
    const reader = await Agidb.open({
      storage: postgresStorage(server, { namespace, readOnly: true }),
      readOnly: true,
      extract: 'none',
    })
    onTestFinished(() => reader.close())
    const rows = await count('agidb_episode', namespace)
    expect(await reader.verify()).toMatchObject({ ok: true, checked: { rows } })
    await expect(reader.verify({ repair: true })).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await expect(reader.compact()).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
  })
})

describe('a checkpoint', () => {
  const pieces = (namespace: string) => count('agidb_checkpoint', namespace)
  const part = (length: number) => ({ name: 'part', array: () => new Uint8Array(length).fill(7) })
  /** What a store that was opened again loads: the commits after the checkpoint, and what was visited. */
  async function opened(store: OpenedStore) {
    const found = { changed: [] as number[], visited: [] as number[], damage: [] as string[], bytes: 0 }
    const loader: CheckpointLoader = {
      load: async (checkpoint) => {
        found.bytes = (await checkpoint.parts('part')).get('part')!.length
        return true
      },
      reset: (error) => found.damage.push((error as { code: string }).code),
      change: ({ slot }) => found.changed.push(slot),
      has: () => true,
    }
    await store.open(({ slot }) => found.visited.push(slot), loader)
    return found
  }

  test('in pieces is read whole, and only the last one is kept', async () => {
    const namespace = place()
    const first = storeOf(namespace)
    await openInto(first)
    await first.commit(puts(0, 3))
    await first.parts.checkpoint!.write([part(3 << 20)])
    await first.parts.checkpoint!.write([part((5 << 20) + 1)])
    expect(await pieces(namespace)).toBe(6)
    expect((await first.stats()).bytes).toBeGreaterThan(5 << 20)
    await first.commit([put(3)])
    await first.close()
    const again = storeOf(namespace)
    expect(await opened(again)).toEqual({ changed: [3], visited: [], damage: [], bytes: (5 << 20) + 1 })
    await again.close()
  })

  test('is dropped with its bytes by a removal and by a replacement, in the same transaction', async () => {
    const namespace = place()
    const store = storeOf(namespace)
    await openInto(store)
    for (const drop of [
      () => store.commit([{ op: 'remove', slot: 1, id: 'ep_1' }]),
      () => store.replace((add) => add(puts(0, 3))),
    ]) {
      if (!(await store.slots()).includes(1)) await store.replace((add) => add(puts(0, 3)))
      await store.parts.checkpoint!.write([part(100)])
      expect(await pieces(namespace)).toBe(1)
      await drop()
      expect(await pieces(namespace)).toBe(0)
    }
    await store.close()
    const again = storeOf(namespace)
    expect(await opened(again)).toMatchObject({ visited: [0, 1, 2], damage: [], bytes: 0 })
    await again.close()
  })

  test.each([
    ['a piece that is changed', `update agidb_checkpoint set bytes = 'x' where namespace = $1`],
    ['a piece that is gone', 'delete from agidb_checkpoint where namespace = $1'],
    ['a directory that is changed', `update agidb_memory set checkpoint = '{"commit":1' where namespace = $1`],
  ])('%s is told, and all is made again from the rows', async (_, damage) => {
    const namespace = place()
    const first = storeOf(namespace)
    await openInto(first)
    await first.commit(puts(0, 3))
    await first.parts.checkpoint!.write([part(100)])
    await first.close()
    await server.query(damage, [namespace])
    const again = storeOf(namespace)
    expect(await opened(again)).toMatchObject({ visited: [0, 1, 2], damage: ['AGIDB_CORRUPT'] })
    await again.parts.checkpoint!.write([part(9)])
    await again.close()
    const third = storeOf(namespace)
    expect(await opened(third)).toMatchObject({ visited: [], damage: [], bytes: 9 })
    await third.close()
  })

  test('of who lost the memory is refused, and leaves nothing behind', async () => {
    const namespace = place()
    const first = storeOf(namespace)
    await openInto(first)
    await first.commit(puts(0, 3))
    await endSession()
    const second = storeOf(namespace)
    await openInto(second)
    await expect(first.parts.checkpoint!.write([part(100)])).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    expect(await pieces(namespace)).toBe(0)
    await second.close()
  })

  test('whose writing fails leaves the one before', async () => {
    const namespace = place()
    let isFull = false
    const driver: PostgresDriver = {
      query: (statement, values) =>
        isFull && statement.includes('set revision = revision + 1, checkpoint')
          ? Promise.reject(Object.assign(new Error('no room'), { code: '53100' }))
          : server.query(statement, values),
    }
    const store = storeOf(namespace, driver)
    await openInto(store)
    await store.commit(puts(0, 3))
    await store.parts.checkpoint!.write([part(100)])
    isFull = true
    await expect(store.parts.checkpoint!.write([part(200)])).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
    isFull = false
    expect(await pieces(namespace)).toBe(1)
    await store.commit([put(3)])
    await store.close()
    const again = storeOf(namespace)
    expect(await opened(again)).toMatchObject({ changed: [3], visited: [], bytes: 100 })
    await again.close()
  })

  test('tables of version 1 become those of today with all that they hold', async () => {
    const old = await PGlite.create()
    await old.exec(VERSION_1)
    const store = storeOf('old', old)
    const { kept } = await openInto(store)
    expect([...kept.keys()]).toEqual([0, 2])
    expect(await store.read([2])).toMatchObject([
      { id: 'ep_2', encoder: 4, signatures: { text: new Uint8Array([1, 2]) } },
    ])
    await store.parts.checkpoint!.write([part(10)])
    await store.commit([sign(0, { latent: new Uint8Array(3) }), put(3)])
    await store.close()
    const again = storeOf('old', old)
    expect(await opened(again)).toMatchObject({ changed: [0, 3], visited: [], bytes: 10 })
    await again.close()
    await old.close()
  })
})

describe('a memory of Agidb', () => {
  test.each([
    ['Node', Agidb],
    ['the edge', EdgeAgidb],
  ] as const)('remembers in PostgreSQL, on %s, and answers as one in main memory does', async (_, place_) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-02T19:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const namespace = place()
    const texts = ['Sarah recommended Bawri, a thai place in Bandra.', 'The rent is due on Monday.', 'Tom likes jazz.']
    const open = (storage = postgresStorage(server, { namespace })) => place_.open({ storage, codebook: 'none' })
    const twin = await open(memoryStorage())
    let db = await open()
    for (const [index, text] of texts.entries()) {
      const episode = { id: `e${index}`, at: '2026-05-01T19:00:00Z' }
      for (const one of [db, twin]) await one.observe(text, episode)
    }
    await expect(open()).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await db.scope({ user: 'ann' }).observe('Ann has a secret.')
    await db.close()
    db = await open()
    const found = await db.recall('which thai place?')
    expect(found.matches[0].id).toBe('e0')
    expect(found.matches).toEqual((await twin.recall('which thai place?')).matches)
    expect((await db.stats()).episodes).toBe(3)
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    expect((await db.scope({ user: 'ann' }).recall('secret')).matches).toHaveLength(1)
    await db.close()
    await twin.close()
  })
})
