// Memories whose signatures PostgreSQL searches, beside the same ones in main memory.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agidb, type NodeOptions } from '../../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { postgresStorage, type PostgresDriver } from '../../../../src/storage/adapters/postgres/postgres.js'
import { openInto, puts, sign } from '../../../../src/storage/contract/episodes.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { PostgresServer, postgresPrograms } from '../../../fixtures/postgres-server.js'
import { pgvector } from './pgvector.js'

const NOW = Date.parse('2026-05-02T19:00:00Z')
const OPTIONS = {
  seed: 1,
  clock: () => NOW,
  extract: 'none',
  autoConsolidate: false,
  learnFromRecall: false,
  shards: 0,
} as const
const NAMES = ['Tom', 'Ann', 'Sarah']
const VERBS = ['delivered', 'lost', 'repaired', 'painted', 'sold', 'forgot', 'measured', 'borrowed']
const NOUNS = ['office', 'depot', 'mill', 'harbour', 'library', 'garage', 'school', 'bakery', 'clinic', 'station']
const PLACES = ['Rome', 'Oslo', 'Bern', 'Lyon', 'Turin', 'Cork', 'Porto', 'Ghent', 'Split', 'Vaasa', 'Graz']

const textOf = (i: number): string =>
  `${NAMES[i % 3]} ${VERBS[(i * 7) % 8]} parcel ${i} at the ${NOUNS[i % 10]} in ${PLACES[(i >> 2) % 11]}.`
const episodes = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `e${from + n}`,
    text: (from + n) % 50 === 49 ? `The ${textOf(from + n - 1)}` : textOf(from + n),
    session: `s${(from + n) >> 4}`,
    speaker: NAMES[(from + n) % 2],
    at: new Date(NOW - 1e8 + (from + n) * 1000).toISOString(),
  }))

/** Questions of many forms: what is asked for, and with which options. */
const QUESTIONS = Array.from({ length: 30 }, (_, q) => {
  const cue = [
    textOf(q * 7),
    `who ${VERBS[q % 8]} something in ${PLACES[q % 11]}?`,
    `money and travel ${q}`,
    `the ${NOUNS[q % 10]} delivery`,
  ][q % 4]
  const options = [
    {},
    { session: `s${q % 9}`, k: 10 },
    { speaker: 'Ann', context: 1 },
    { goals: ['borrow zzyzx parcels'] },
    { k: 60, fold: false },
    { filter: { session: [`s${q}`, `s${q + 1}`] }, k: 20 },
  ][q % 6]
  return { cue, options: { ...options, learn: false } }
})

const open = (storage: NodeOptions['storage'], options: object = {}) =>
  Agidb.open({ storage, ...OPTIONS, ...options } as NodeOptions)

/** Asks both the same; answers how many of the answers are the same to the bit, and how much they share. */
async function compared(one: Agidb, other: Agidb): Promise<{ same: number; shared: number; first: number }> {
  let [same, shared, all, first] = [0, 0, 0, 0]
  for (const { cue, options } of QUESTIONS) {
    const [found, expected] = [await one.recall(cue, options), await other.recall(cue, options)].map(
      ({ matches }) => matches,
    )
    expect(found).toHaveLength(expected.length)
    if (JSON.stringify(found) === JSON.stringify(expected)) same++
    if (found[0]?.id === expected[0]?.id) first++
    const ids = new Set(expected.map(({ id }) => id))
    shared += found.filter(({ id }) => ids.has(id)).length
    all += ids.size
  }
  return { same, shared: shared / all, first }
}

async function rowsOf(driver: PostgresDriver, statement: string, values: string[] = []): Promise<any[]> {
  return ((await driver.query(statement, values)) as { rows: any[] }).rows
}

/** How many signatures of a namespace should have bits, how many have them, and how many of these are others. */
async function bitsOf(driver: PostgresDriver, namespace: string) {
  const [row] = await rowsOf(
    driver,
    `select count(s.bytes)::int as wanted, count(b.bits)::int as there,
      count(*) filter (where b.bits <> ('x' || encode(substr(s.bytes, octet_length(s.bytes) - 1023), 'hex'))::bit(8192)
        or b.mark <> substr(s.bytes, 1, octet_length(s.bytes) - 1024))::int as wrong
    from (select * from agidb_signature where namespace = $1 and octet_length(bytes) in (1024, 1032)) s
      full join (select * from agidb_bits where namespace = $1) b using (namespace, content, slot, kind)`,
    [namespace],
  )
  return row as { wanted: number; there: number; wrong: number }
}

describe('a memory whose signatures PGlite searches', () => {
  let server: PGlite
  beforeAll(async () => void (server = await PGlite.create()))
  afterAll(() => server.close())
  const storage = (namespace: string, readOnly = false) =>
    postgresStorage(server, { namespace, search: 'server', readOnly })

  // 300: all dimensions are asked. 4,500: the heaviest, and signatures are scored at all; more than 4,096.
  test.each([300, 4500])('with %d episodes answers as one in main memory does, to the bit', async (count) => {
    const namespace = `of ${count}`
    const twin = await open(memoryStorage())
    let db = await open(storage(namespace))
    for (const one of [db, twin]) await one.observeMany(episodes(0, count))
    expect(await compared(db, twin)).toEqual({ same: QUESTIONS.length, shared: 1, first: QUESTIONS.length })
    await db.close()
    const [{ checkpoint }] = await rowsOf(server, 'select checkpoint from agidb_memory where namespace = $1', [
      namespace,
    ])
    expect(checkpoint !== null).toBe(count > 1024)
    db = await open(storage(namespace))
    expect((await db.stats()).opening).toEqual([])
    expect(await compared(db, twin)).toMatchObject({ same: QUESTIONS.length })
    await db.close()
    const reader = await open(storage(namespace, true), { readOnly: true })
    expect(await compared(reader, twin)).toMatchObject({ same: QUESTIONS.length })
    expect(await reader.verify()).toMatchObject({ ok: true })
    await reader.close()
    // Little room: what is read for a question is there as long as it is answered. All is read anew, which takes long.
    if (count > 300) return twin.close()
    const tight = await open(storage(namespace), { memoryBudget: 1 })
    expect(await compared(tight, twin)).toMatchObject({ same: QUESTIONS.length })
    await Promise.all([tight.close(), twin.close()])
  })

  test('holds no signature in main memory but what it read, and a checkpoint of a bit for each', async () => {
    const db = await open(storage('of 4500'))
    const before = (await db.stats()).memoryParts.storage
    await db.recall(textOf(5), { learn: false })
    const after = (await db.stats()).memoryParts.storage
    expect(before).toBeLessThan(100_000)
    expect(after - before).toBeGreaterThan(100 * 1024)
    expect(after - before).toBeLessThan(4500 * 2048)
    await db.close()
    const [{ bytes }] = await rowsOf(
      server,
      `select sum(octet_length(bytes))::int as bytes from agidb_checkpoint where namespace = 'of 4500'`,
    )
    expect(bytes).toBeLessThan(4500 * 1024)
  })

  test('forgets: rows, bits and answers are those of a memory that never had it', async () => {
    const namespace = 'forgetting'
    const all = episodes(0, 400)
    const gone = new Set([3, 70, 71, 200, 399].map((i) => `e${i}`))
    const twin = await open(memoryStorage())
    await twin.observeMany(all.filter(({ id }) => !gone.has(id)))
    let db = await open(storage(namespace), { tombstoneDays: 0 })
    await db.observeMany(all)
    for (const { cue } of QUESTIONS) await db.recall(cue, { learn: false })
    await db.remove([...gone])
    const ids = async () =>
      (await Promise.all(QUESTIONS.map(({ cue }) => db.recall(cue, { k: 60, learn: false })))).flatMap(({ matches }) =>
        matches.map(({ id }) => id),
      )
    for (let round = 0; round < 2; round++) {
      expect((await ids()).filter((id) => gone.has(id))).toEqual([])
      for (const id of gone) {
        const { matches } = await db.recall(textOf(Number(id.slice(1))), { k: 1, learn: false })
        expect(matches[0].id).toBe(
          (await twin.recall(textOf(Number(id.slice(1))), { k: 1, learn: false })).matches[0].id,
        )
      }
      const { wanted, there, wrong } = await bitsOf(server, namespace)
      expect([there, wrong]).toEqual([wanted, 0])
      const [{ left }] = await rowsOf(
        server,
        `select count(*)::int as left from agidb_bits b join agidb_episode e using (namespace, content, slot)
        where namespace = $1 and e.id is null`,
        [namespace],
      )
      expect(left).toBe(0)
      if (round === 0) {
        await db.close()
        db = await open(storage(namespace), { tombstoneDays: 0 })
      }
    }
    await Promise.all([db.close(), twin.close()])
  })

  test('what is unlearned and can be restored is found no more, and again once it is restored', async () => {
    const db = await open(storage('restored'))
    await db.observeMany(episodes(0, 60))
    const first = async () => (await db.recall(textOf(7), { learn: false })).matches[0].id
    expect(await first()).toBe('e7')
    const { auditId } = await db.unlearn({ episode: 'e7' }, 'a test')
    expect(await first()).not.toBe('e7')
    await db.restoreWithinWindow(auditId!)
    expect(await first()).toBe('e7')
    await db.close()
  })

  test('what is updated is found by what it says now', async () => {
    const db = await open(storage('updated'))
    await db.observeMany(episodes(0, 60))
    await db.recall(textOf(7), { learn: false })
    await db.update('e7', { text: 'A walrus sang opera in the fjord.' })
    for (let round = 0; round < 2; round++)
      expect((await db.recall('opera of the walrus', { learn: false })).matches[0].id).toBe('e7')
    const { wanted, there, wrong } = await bitsOf(server, 'updated')
    expect([there, wrong]).toEqual([wanted, 0])
    await db.close()
  })

  test('an export that is imported is searched, and what was there before is not', async () => {
    const twin = await open(memoryStorage())
    await twin.observeMany(episodes(0, 300))
    const db = await open(storage('imported'))
    await db.observeMany([{ id: 'old', text: 'An old walrus.' }])
    await db.recall('walrus', { learn: false })
    await db.import(await twin.export(), { replace: true })
    expect(await compared(db, twin)).toMatchObject({ same: QUESTIONS.length })
    expect((await db.recall('walrus', { k: 60, learn: false })).matches.some(({ id }) => id === 'old')).toBe(false)
    await db.close()
    await twin.close()
  })

  test('senses a text that says what it knows as little new, also right after opening', async () => {
    const surprises: number[] = []
    for (const place of [memoryStorage(), storage('sensing')]) {
      const db = await open(place, { codebook: 'none' })
      await db.observeMany(episodes(0, 30))
      surprises.push(await db.surpriseScore({ modality: 'text', text: textOf(8) }))
      await db.close()
    }
    const again = await open(storage('sensing'), { codebook: 'none' })
    surprises.push(await again.surpriseScore({ modality: 'text', text: textOf(8) }))
    await again.close()
    expect(surprises[1]).toBe(surprises[0])
    expect(surprises[2]).toBe(surprises[0])
  })
})

describe('entries of a memory that PostgreSQL searches', () => {
  test('that are alike are found right after opening, and suggestions of perspectives', async () => {
    const server = await PGlite.create()
    const place = () => postgresStorage(server, { search: 'server' })
    const db = await open(place())
    const add = (content: string) => db.entries.add(content, { perspectives: ['decisions'] })
    for (const what of ['cellar', 'attic', 'kitchen'])
      await add(`The pump of the house in Mill Lane was repaired by Tom in the ${what}.`)
    const odd = await db.entries.add('The pump of the house in Mill Lane was repaired by Tom in the hall.')
    const before = [await db.entries.think('discover'), await db.entries.suggestPerspectives(odd.id)]
    expect(before[0]).not.toHaveLength(0)
    await db.close()
    const again = await open(place())
    expect(await again.entries.think('discover')).toEqual(before[0])
    expect(await again.entries.suggestPerspectives(odd.id)).toEqual(before[1])
    await again.close()
    await server.close()
  })
})

describe('bits of a memory', () => {
  let server: PGlite
  beforeAll(async () => void (server = await PGlite.create()))
  afterAll(() => server.close())
  const store = (namespace: string, search?: 'server', driver: PostgresDriver = server) =>
    new OpenedStore(postgresStorage(driver, { namespace, ...(search && { search }) }))
  const expectWhole = async (namespace: string) => {
    const { wanted, there, wrong } = await bitsOf(server, namespace)
    expect(wanted).toBeGreaterThan(0)
    expect([there, wrong]).toEqual([wanted, 0])
  }

  test('are made when the server first searches, go on after a crash, and are kept by whoever writes', async () => {
    const namespace = 'filled'
    const before = store(namespace)
    await openInto(before)
    await before.commit(puts(0, 6000))
    await before.close()
    expect(await bitsOf(server, namespace)).toMatchObject({ there: 0 })
    let fills = 0
    const failing: PostgresDriver = {
      query: (statement, values) =>
        statement.includes('set bits_to') && ++fills === 2
          ? Promise.reject(new Error('the connection was lost'))
          : server.query(statement, values),
    }
    await expect(openInto(store(namespace, 'server', failing))).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    expect((await bitsOf(server, namespace)).there).toBeGreaterThan(4000)
    // Beside it is written without searching.
    const writer = store(namespace)
    await openInto(writer)
    await writer.commit([
      sign(7, { text: new Uint8Array(1024).fill(7) }),
      { op: 'remove', slot: 8, id: 'ep_8' },
      sign(5000, { text: new Uint8Array(1024).fill(9) }),
      ...puts(6000, 5),
    ])
    await writer.close()
    const reader = new OpenedStore(postgresStorage(server, { namespace, search: 'server', readOnly: true }))
    await expect(openInto(reader)).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    const after = store(namespace, 'server')
    await openInto(after)
    await expectWhole(namespace)
    await after.commit(puts(6005, 3))
    await after.close()
    const without = store(namespace)
    await openInto(without)
    await without.commit([...puts(6008, 3), { op: 'remove', slot: 1, id: 'ep_1' }])
    await without.replace((add) => add(puts(0, 9)))
    await without.commit(puts(9, 2))
    await without.close()
    await expectWhole(namespace)
    await openInto(reader)
    expect(await reader.parts.signatures!.nearest!({ kind: 'text', signs: new Uint8Array(1024) }, 99)).toHaveLength(11)
    await reader.close()
  })

  test('are cleared of what was removed by the compaction of any writer', async () => {
    const statements: string[] = []
    const driver: PostgresDriver = {
      query: (statement, values) => {
        statements.push(statement)
        return server.query(statement, values)
      },
    }
    const opened = store('compacted', undefined, driver)
    await openInto(opened)
    await opened.parts.maintenance!.compact()
    expect(statements.find((statement) => statement.startsWith('vacuum'))).toContain('agidb_bits')
    await opened.close()
  })

  test('that are damaged are told by verify, and made again by its repair', async () => {
    const db = await open(postgresStorage(server, { namespace: 'damaged', search: 'server' }))
    await db.observeMany(episodes(0, 60))
    await db.compact()
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    await server.exec(`update agidb_bits set bits = ~bits where namespace = 'damaged' and slot = 5;
      delete from agidb_bits where namespace = 'damaged' and slot = 6 and kind = 'text'`)
    expect((await db.recall(textOf(6), { learn: false })).matches[0].id).toBe('e6') // By its words.
    const report = await db.verify({ repair: true })
    expect(report.problems).toMatchObject([{ code: 'image-damaged', count: 3 }])
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    await db.close()
    await expectWhole('damaged')
  })

  test('are not made where main memory searches', async () => {
    const one = store('without')
    await openInto(one)
    await one.commit(puts(0, 5))
    expect(one.parts.signatures!.nearest).toBeUndefined()
    await one.close()
    expect(await bitsOf(server, 'without')).toMatchObject({ there: 0 })
  })

  test('need a PostgreSQL that can count them, and an option that says so', async () => {
    const old: PostgresDriver = {
      query: (statement, values) =>
        server.query(statement.replace(`current_setting('server_version_num')`, `'130010'`), values),
    }
    await expect(openInto(store('old', 'server', old))).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
    expect(() => postgresStorage(server, { search: 'disk' as 'server' })).toThrow(/"memory", "server"/)
    expect(() => postgresStorage(server, { search: 'server', indexedFrom: 0 })).toThrow(/indexedFrom/)
  })
})

describe('an HNSW index of pgvector', () => {
  let server: PGlite
  beforeAll(async () => {
    server = await pgvector()
    // With so few the planner would rather read all and sort them.
    await server.exec('set enable_sort = off')
  })
  afterAll(() => server.close())
  const storage = (namespace: string, options: object = {}) =>
    postgresStorage(server, { namespace, search: 'server', indexedFrom: 2500, ...options })
  const indexes = async () =>
    rowsOf(
      server,
      `select indexrelname as name, idx_scan::int as scans from pg_stat_user_indexes
      where indexrelname like 'agidb_near%' order by 1`,
    )

  test('is made once by who writes, finds nearly all, and what a filter lets pass', async () => {
    const twin = await open(memoryStorage())
    let db = await open(storage(`it's`))
    for (const one of [db, twin]) await one.observeMany(episodes(0, 3000))
    expect(await indexes()).toEqual([])
    await db.close()
    db = await open(storage(`it's`))
    const made = await indexes()
    expect(made).toHaveLength(2)
    const { shared, first } = await compared(db, twin)
    expect(shared).toBeGreaterThan(0.95)
    expect(first).toBeGreaterThanOrEqual(0.95 * QUESTIONS.length)
    const scans = (await indexes()).map(({ scans }) => scans)
    expect(Math.min(...scans)).toBeGreaterThan(0)
    await db.remove(['e7', 'e8'])
    for (const i of [7, 8]) {
      const { matches } = await db.recall(textOf(i), { k: 60, learn: false })
      expect(matches.some(({ id }) => id === 'e7' || id === 'e8')).toBe(false)
    }
    await db.close()
    const reader = await open(storage(`it's`, { readOnly: true }), { readOnly: true })
    await twin.remove(['e7', 'e8'])
    expect((await compared(reader, twin)).shared).toBeGreaterThan(0.95)
    await reader.close()
    const exact = await open(storage(`it's`, { indexedFrom: Infinity }))
    expect(await compared(exact, twin)).toMatchObject({ same: QUESTIONS.length })
    await exact.close()
    await twin.close()
    expect((await indexes()).map(({ name }) => name)).toEqual(made.map(({ name }) => name))
  })

  test('of a content that was replaced is dropped, those of others stay', async () => {
    const before = (await indexes()).map(({ name }) => name as string)
    const store = new OpenedStore(storage('replaced'))
    await openInto(store)
    await store.commit(puts(0, 2600))
    await store.close()
    await openInto(store)
    const made = (await indexes()).map(({ name }) => name as string)
    expect(made.length).toBeGreaterThan(before.length)
    await store.replace((add) => add(puts(0, 10)))
    const signs = new Uint8Array(1024)
    expect(await store.parts.signatures!.nearest!({ kind: 'text', signs }, 99)).toHaveLength(10)
    await store.close()
    await openInto(store)
    expect((await indexes()).map(({ name }) => name)).toEqual(before)
    await store.close()
  })
})

const bin = postgresPrograms()

describe.skipIf(bin === undefined)('a memory whose signatures a PostgreSQL of this machine searches', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = new PostgresServer(bin!)
    await server.start()
  })
  afterAll(() => server.remove())

  test('is written and read by two programs, and answers as one in main memory does', async () => {
    const storage = async (options: object = {}) =>
      postgresStorage(await server.connect(), { search: 'server', ...options })
    const twin = await open(memoryStorage())
    const db = await open(await storage())
    for (const one of [db, twin]) await one.observeMany(episodes(0, 500))
    const listener = await server.connect()
    const reader = await open(await storage({ readOnly: true, listener }), { readOnly: true })
    expect(await compared(db, twin)).toMatchObject({ same: QUESTIONS.length })
    expect(await compared(reader, twin)).toMatchObject({ same: QUESTIONS.length })
    const heard = new Promise<void>((resolve) => reader.subscribe(({ kind }) => kind === 'changesApplied' && resolve()))
    for (const one of [db, twin]) {
      await one.observeMany(episodes(500, 50))
      await one.remove(['e20', 'e510'])
    }
    await heard
    while ((await reader.stats()).episodes !== 548) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await compared(reader, twin)).toMatchObject({ same: QUESTIONS.length })
    await Promise.all([reader.close(), db.close(), twin.close()])
  })

  test('of a role that does not own the tables is searched within what the role may see', async () => {
    const admin = await server.connect()
    await admin.query(`create role ann login;
      grant select on agidb_schema to ann;
      grant select, insert, update, delete on agidb_memory, agidb_episode, agidb_signature, agidb_checkpoint,
        agidb_bits to ann;
      insert into agidb_access values ('ann', 'ann')`)
    const client = await server.connect('ann')
    const db = await open(postgresStorage(client, { namespace: 'ann', search: 'server' }))
    await db.observeMany(episodes(0, 20))
    expect((await db.recall(textOf(5), { learn: false })).matches[0].id).toBe('e5')
    expect(await rowsOf(client, 'select distinct namespace from agidb_bits')).toEqual([{ namespace: 'ann' }])
    await db.close()
  })
})
