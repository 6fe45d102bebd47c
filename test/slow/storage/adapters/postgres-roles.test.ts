import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { postgresStorage } from '../../../../src/storage/adapters/postgres/postgres.js'
import { openInto, put, puts } from '../../../../src/storage/contract/episodes.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'

const bin = postgresPrograms()
const TABLES = ['agidb_memory', 'agidb_episode', 'agidb_signature', 'agidb_checkpoint']
const part = { name: 'part', array: () => new Uint8Array(100) }

describe.skipIf(bin === undefined)('roles of PostgreSQL that do not own the tables', () => {
  let server: PostgresServer
  let owner: Client
  const storeOf = async (role: string, namespace: string) =>
    new OpenedStore(postgresStorage(await server.connect(role), { namespace }))

  beforeAll(async () => {
    server = new PostgresServer(bin!)
    await server.start()
    const admin = await server.connect()
    await admin.query(`create role keeper login; create role ann login; create role bob login; create role eve login;
      create role reader login; alter role reader set search_path = memories;
      create schema memories authorization keeper; grant usage on schema memories to ann, bob, eve, reader;
      alter role keeper set search_path = memories; alter role ann set search_path = memories;
      alter role bob set search_path = memories; alter role eve set search_path = memories`)
    owner = await server.connect('keeper')
    for (const namespace of ['ann', 'bob']) {
      const store = await storeOf('keeper', namespace)
      await openInto(store)
      await store.commit(puts(0, 5))
      await store.parts.checkpoint!.write([part])
      await store.close()
    }
    // As a careless administrator would.
    await owner.query(`grant select, insert, update, delete on all tables in schema memories to ann, bob, eve;
      insert into agidb_access values ('ann', 'ann'), ('bob', 'bob')`)
  })
  afterAll(() => server.remove())

  test('open, write and read their own memory and its scopes', async () => {
    const open = async () =>
      Agidb.open({ storage: postgresStorage(await server.connect('ann'), { namespace: 'ann' }), codebook: 'none' })
    const store = await storeOf('ann', 'ann')
    expect((await openInto(store)).kept.size).toBe(5)
    await store.replace(async () => undefined)
    await store.parts.checkpoint!.write([part])
    await store.close()
    const db = await open()
    await db.observe('Ann has a boat.')
    await db.scope({ project: 'boat' }).observe('The boat is blue.')
    expect((await db.recall('boat')).matches).toHaveLength(1)
    await db.close()
  })

  test('are refused the memories of others', async () => {
    for (const [role, namespace] of [
      ['ann', 'bob'],
      ['ann', 'anna'],
      ['eve', 'ann'],
    ]) {
      const store = await storeOf(role, namespace)
      await expect(openInto(store)).rejects.toMatchObject({ code: 'AGIDB_STORAGE', details: { sqlstate: '42501' } })
    }
    const bob = await storeOf('bob', 'bob')
    await openInto(bob)
    await bob.commit([put(5)])
    await bob.close()
  })

  test('neither see, count, change nor add rows of others by statements of their own, whatever they set', async () => {
    const before = await contents()
    const ann = await server.connect('ann')
    for (const setting of ['agidb.namespace', 'agidb.role'])
      await ann.query(`select set_config($1, 'bob', false)`, [setting])
    for (const sql of ['set role bob', 'set session authorization bob', 'set row_security = off'])
      await ann.query(sql).catch(() => undefined)
    await ann.query('set row_security = on')
    for (const table of TABLES) {
      expect((await ann.query(`select from ${table} where namespace = 'bob'`)).rowCount, table).toBe(0)
      const all = await ann.query<{ namespace: string }>(`select distinct namespace from ${table}`)
      for (const { namespace } of all.rows)
        expect(namespace === 'ann' || namespace.startsWith('ann/'), table).toBe(true)
      expect((await ann.query(`update ${table} set namespace = 'ann' where namespace = 'bob'`)).rowCount).toBe(0)
      expect((await ann.query(`delete from ${table} where namespace = 'bob'`)).rowCount).toBe(0)
    }
    const denied = { code: '42501' }
    const away = `update agidb_memory set namespace = 'bob2' where namespace = 'ann'`
    await expect(ann.query(away)).rejects.toMatchObject(denied)
    const added = `insert into agidb_episode (namespace, content, slot) values ('bob', 0, 99)`
    await expect(ann.query(added)).rejects.toMatchObject(denied)
    const over = `insert into agidb_episode (namespace, content, slot) values ('bob', 0, 1)
      on conflict (namespace, content, slot) do update set id = null`
    await expect(ann.query(over)).rejects.toMatchObject(denied)
    await expect(ann.query('truncate agidb_episode')).rejects.toMatchObject(denied)
    await expect(ann.query('alter table agidb_episode disable row level security')).rejects.toMatchObject(denied)
    await ann.query('set row_security = off')
    await expect(ann.query('select from agidb_episode')).rejects.toMatchObject(denied)
    expect(await contents()).toEqual(before)
  })

  test('cannot give themselves a namespace, and see which they have alone', async () => {
    const ann = await server.connect('ann')
    expect((await ann.query('select role, namespace from agidb_access')).rows).toEqual([
      { role: 'ann', namespace: 'ann' },
    ])
    await expect(ann.query(`insert into agidb_access values ('ann', 'bob')`)).rejects.toMatchObject({ code: '42501' })
    expect((await ann.query(`update agidb_access set namespace = 'bob'`)).rowCount).toBe(0)
    expect((await ann.query('delete from agidb_access')).rowCount).toBe(0)
    expect((await owner.query(`select from agidb_access where role <> 'reader'`)).rowCount).toBe(2)
  })

  test('with the right to select alone, read a memory with readOnly: true, and change nothing', async () => {
    await owner.query(`insert into agidb_access values ('reader', 'ann')`)
    for (const table of ['agidb_schema', ...TABLES]) await owner.query(`grant select on ${table} to reader`)
    const client = await server.connect('reader')
    const open = (readOnly: boolean) =>
      Agidb.open({ storage: postgresStorage(client, { namespace: 'ann', readOnly }), codebook: 'none', readOnly })
    await expect(open(false)).rejects.toMatchObject({ code: 'AGIDB_STORAGE', details: { sqlstate: '42501' } })
    const db = await open(true)
    expect((await db.recall('boat')).matches).toHaveLength(1)
    await expect(db.observe('The boat is sold.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await db.close()
    expect((await client.query('select from agidb_memory')).rowCount).toBeGreaterThan(0)
  })

  test('the owner is bound as well once the tables are forced', async () => {
    const force = (what: string) =>
      owner.query(TABLES.map((table) => `alter table ${table} ${what} row level security`).join('; '))
    await force('force')
    for (const table of TABLES) expect((await owner.query(`select from ${table}`)).rowCount).toBe(0)
    await force('no force')
    expect((await owner.query('select from agidb_memory')).rowCount).toBeGreaterThan(1)
  })

  /** What bob has, as the owner of the tables sees it. */
  async function contents(): Promise<unknown> {
    const found: unknown[] = []
    for (const table of TABLES)
      found.push((await owner.query(`select * from ${table} where namespace = 'bob' order by ${table}`)).rows)
    return found
  }
})
