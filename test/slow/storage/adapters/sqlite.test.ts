import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import type { StorageChange } from '../../../../src/api/storage.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { sqliteStorage, type SqliteDriver } from '../../../../src/storage/adapters/sqlite/index.js'
import { listed, modelOf, openInto, put, puts } from '../../../../src/storage/contract/episodes.js'
import { storageContract, type PartName } from '../../../../src/storage/contract/index.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { holds } from '../../../bytes/forms.js'
import { linesUntilKilled } from '../../../crash/lines.js'
import { COMMIT, commitOf } from '../../../crash/commits.js'

const WRITER = fileURLToPath(new URL('../../../crash/sqlite-writer.ts', import.meta.url))
const bytes = (text: string) => new TextEncoder().encode(text)

const PARTS: readonly PartName[] = ['signatures', 'checkpoint', 'maintenance']

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-sqlite-'))
  const opened: Database.Database[] = []
  return {
    path: join(folder, 'memory.db'),
    connect(options?: Database.Options) {
      const driver = new Database(join(folder, 'memory.db'), options)
      opened.push(driver)
      return driver
    },
    remove() {
      for (const driver of opened) driver.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('a memory in SQLite keeps the contract', () => {
  const tests = storageContract({ durable: true, parts: PARTS }, () => {
    const { connect, remove } = place()
    return { adapter: () => sqliteStorage(connect()), remove }
  })
  for (const { name, run } of tests) test(name, run)
})

describe('one program at a time', () => {
  test('a second connection is refused while the first has it open, and not after', async () => {
    const { connect, remove } = place()
    const [first, second] = [new OpenedStore(sqliteStorage(connect())), new OpenedStore(sqliteStorage(connect()))]
    await openInto(first)
    await expect(second.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await first.commit(puts(0, 2))
    await first.close()
    expect((await openInto(second)).kept.size).toBe(2)
    await second.close()
    remove()
  })

  test('of several that open it at once, one has it at most', async () => {
    const { connect, remove } = place()
    for (let round = 0; round < 5; round++) {
      const stores = Array.from({ length: 4 }, () => new OpenedStore(sqliteStorage(connect())))
      const opened = await Promise.allSettled(stores.map((store) => store.open(() => undefined)))
      expect(opened.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
      for (const one of opened)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'AGIDB_IN_USE' })
      for (const store of stores) await store.close()
    }
    remove()
  })

  test('other connections read and write tables of their own meanwhile, and so does this one', async () => {
    const { connect, remove } = place()
    const [own, other] = [connect(), connect()]
    own.exec('CREATE TABLE note (text TEXT)')
    const store = new OpenedStore(sqliteStorage(own))
    await openInto(store)
    other.exec("INSERT INTO note VALUES ('from another connection')")
    own.exec("INSERT INTO note VALUES ('from the same')")
    await store.commit(puts(0, 2))
    await store.parts.maintenance!.compact()
    expect(other.prepare('SELECT count(*) AS notes FROM note').all()).toEqual([{ notes: 2 }])
    await store.close()
    remove()
  })

  test('memories of other prefixes are open beside it in the same connection, and scopes', async () => {
    const { connect, remove } = place()
    const driver = connect()
    const adapters = [
      sqliteStorage(driver),
      sqliteStorage(driver, { prefix: 'ann' }),
      sqliteStorage(driver).scope!('ab'),
    ]
    const stores = adapters.map((adapter) => new OpenedStore(adapter))
    await Promise.all(stores.map((store) => openInto(store)))
    for (const [index, store] of stores.entries()) await store.commit(puts(0, index + 1))
    await expect(sqliteStorage(driver).open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await stores[0].close()
    const elsewhere = new OpenedStore(sqliteStorage(connect()))
    await expect(elsewhere.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    expect(await Promise.all(stores.slice(1).map((store) => store.slots()))).toEqual([
      [0, 1],
      [0, 1, 2],
    ])
    for (const store of stores) await store.close()
    expect((await openInto(elsewhere)).kept.size).toBe(1)
    await elsewhere.close()
    remove()
  })

  test('prefixes that differ only in case are one memory, which is opened once at a time', async () => {
    const { connect, remove } = place()
    const driver = connect()
    const [first, second] = ['Ann', 'ann'].map((prefix) => new OpenedStore(sqliteStorage(driver, { prefix })))
    await openInto(first)
    await first.commit(puts(0, 2))
    await expect(second.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await first.close()
    expect((await openInto(second)).kept.size).toBe(2)
    await second.close()
    remove()
  })

  test('where the file of the lock was deleted, the first to write is the one that goes on', async () => {
    const { connect, path, remove } = place()
    const [first, second] = [new OpenedStore(sqliteStorage(connect())), new OpenedStore(sqliteStorage(connect()))]
    await openInto(first)
    await first.commit(puts(0, 2))
    rmSync(`${path}-agidb`)
    await openInto(second)
    await second.commit([put(2)])
    await expect(first.commit([put(3)])).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await second.close()
    await first.close()
    remove()
  })

  test('a driver that attaches no database locks the database itself', async () => {
    const { connect, remove } = place()
    const limited = (driver: SqliteDriver): SqliteDriver => ({
      prepare(statement) {
        if (statement.startsWith('ATTACH')) throw new Error('too many attached databases - max 0')
        return driver.prepare(statement)
      },
    })
    const [first, other] = [new OpenedStore(sqliteStorage(limited(connect()))), connect()]
    await openInto(first)
    await first.commit(puts(0, 2))
    for (const driver of [other, limited(other)])
      await expect(sqliteStorage(driver).open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await first.close()
    const second = new OpenedStore(sqliteStorage(other))
    expect((await openInto(second)).kept.size).toBe(2)
    await second.close()
    remove()
  })
})

describe('a memory that is only read', () => {
  test('is as it was when it was opened, whatever another connection writes, and refuses to be changed', async () => {
    const { connect, remove } = place()
    const writer = new OpenedStore(sqliteStorage(connect()))
    await openInto(writer)
    await writer.commit(puts(0, 3))
    const readers = [1, 2].map(() => new OpenedStore(sqliteStorage(connect(), { readOnly: true })))
    for (const reader of readers) expect((await openInto(reader)).kept.size).toBe(3)
    await writer.commit([put(3), { op: 'remove', slot: 0, id: 'ep_0' }])
    for (const reader of readers) {
      expect(await reader.rows([0, 3])).toEqual([put(0).row, undefined])
      await expect(reader.commit([put(4)])).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      await expect(reader.replace(async () => undefined)).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      await expect(reader.parts.maintenance!.compact()).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    }
    await expect(writer.parts.maintenance!.compact()).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('another connection reads'),
    })
    for (const reader of readers) await reader.close()
    await writer.parts.maintenance!.compact()
    expect([...(await openInto(readers[0])).kept.keys()]).toEqual([1, 2, 3])
    await readers[0].close()
    await writer.close()
    remove()
  })

  test('answers in a memory of Agidb beside the one that writes', async () => {
    const { connect, remove } = place()
    const writer = await Agidb.open({ storage: sqliteStorage(connect()), codebook: 'none' })
    const id = await writer.observe('Sarah recommended Bawri, a thai place in Bandra.')
    const reader = await Agidb.open({
      storage: sqliteStorage(connect(), { readOnly: true }),
      codebook: 'none',
      readOnly: true,
    })
    await writer.unlearn({ episode: id }, 'asked to')
    expect((await reader.recall('thai place')).matches[0].id).toBe(id)
    await expect(reader.observe('The rent is due.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await reader.close()
    await writer.close()
    remove()
  })

  test('is found by its prefix in any case', async () => {
    const { connect, remove } = place()
    const writer = new OpenedStore(sqliteStorage(connect(), { prefix: 'Ann' }))
    await openInto(writer)
    await writer.commit(puts(0, 2))
    await writer.close()
    const reader = new OpenedStore(sqliteStorage(connect(), { prefix: 'ann', readOnly: true }))
    expect((await openInto(reader)).kept.size).toBe(2)
    await reader.close()
    remove()
  })

  test('is not made where it is not there', async () => {
    const { connect, remove } = place()
    const adapter = sqliteStorage(connect(), { readOnly: true })
    await expect(adapter.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    remove()
  })
})

describe('the bytes of what is gone', () => {
  test('are in no file once the storage is compacted, whatever else was written', async () => {
    const { connect, path, remove } = place()
    const store = new OpenedStore(sqliteStorage(connect()))
    await openInto(store)
    const textOf = (slot: number, version: number) => `secret ${slot} of ${version} `.repeat(1 + ((slot * 7) % 90))
    const live = new Map<number, number>()
    const gone: string[] = []
    let next = 0
    for (let commit = 0; commit < 120; commit++) {
      const changes: StorageChange[] = Array.from({ length: 12 }, () => {
        live.set(next, 0)
        return { op: 'put', slot: next, id: `ep_${next}`, row: bytes(textOf(next++, 0)), signatures: {} }
      })
      for (const slot of [...live.keys()].filter((slot) => (slot * 31 + commit) % 41 === 0)) {
        const version = live.get(slot)!
        gone.push(textOf(slot, version))
        if (slot % 2 === 0) {
          changes.push({ op: 'remove', slot, id: `ep_${slot}` })
          live.delete(slot)
        } else {
          changes.push({ op: 'update', slot, id: `ep_${slot}`, row: bytes(textOf(slot, version + 1)) })
          live.set(slot, version + 1)
        }
      }
      await store.commit(changes)
    }
    const found = () => {
      const files = ['', '-wal', '-shm', '-journal', '-agidb'].map((end) => `${path}${end}`).filter(existsSync)
      const whole = Buffer.concat(files.map((file) => readFileSync(file)))
      return {
        gone: gone.filter((text) => whole.includes(text)).length,
        live: [...live].filter(([slot, version]) => whole.includes(textOf(slot, version))).length,
      }
    }
    expect(gone.length).toBeGreaterThan(500)
    expect(found().gone).toBeGreaterThan(100)
    await store.parts.maintenance!.compact()
    expect(found()).toEqual({ gone: 0, live: expect.any(Number) })
    expect(found().live).toBeGreaterThan(live.size / 3) // long rows lie on several pages
    await store.close()
    remove()
  })

  test('of an unlearned text, too: of its row, of the index of its words and of its versions', async () => {
    const { connect, path, remove } = place()
    const open = () =>
      Agidb.open({ storage: sqliteStorage(connect()), codebook: 'none', tombstoneDays: 0, extract: 'none' })
    const db = await open()
    await db.observeMany(Array.from({ length: 80 }, (_, i) => ({ text: `Note ${i}: the garden has ${i} roses.` })))
    const id = await db.observe('The door code is xylograph 471193.', { session: 's1' })
    await db.update(id, { text: 'The door code is quixotism 471193.' })
    const texts = ['xylograph', 'quixotism', '471193']
    const found = () =>
      ['', '-wal'].some((end) => existsSync(path + end) && texts.some((text) => holds(readFileSync(path + end), text)))
    expect(found()).toBe(true)
    await db.unlearn({ episode: id }, 'asked to')
    await db.compact()
    expect(found()).toBe(false)
    await db.close()
    expect(found()).toBe(false)
    remove()
  })
})

describe('a checkpoint', () => {
  test('leaves the history of unlearnings whole: what was forgotten can be restored', async () => {
    const { connect, remove } = place()
    const driver = connect()
    const open = () => Agidb.open({ storage: sqliteStorage(driver), codebook: 'none' })
    let db = await open()
    for (let i = 0; i < 3; i++) await db.observe(`Note ${i}: the garden has ${i} roses.`, { id: `e${i}` })
    const { auditId } = await db.unlearn({ episode: 'e1' }, 'a mistake')
    await db.compact()
    await db.close()
    expect(driver.prepare('SELECT * FROM agidb_checkpoint').all().length).toBeGreaterThan(0)
    db = await open()
    expect((await db.unlearnHistory(0)).map((record) => record.auditId)).toEqual([auditId])
    await db.restoreWithinWindow(auditId!)
    expect(await db.count()).toBe(3)
    await db.close()
    remove()
  })
})

describe('damage', () => {
  test('of a row is told by verify and by whoever reads it; of the checkpoint, it is made again', async () => {
    const { connect, remove } = place()
    const driver = connect()
    // Extraction writes rows in the background, and would replace the damaged one.
    const open = () => Agidb.open({ storage: sqliteStorage(driver), codebook: 'none', extract: 'none' })
    let db = await open()
    await db.observeMany(Array.from({ length: 100 }, (_, i) => ({ text: `Note ${i}: the garden has ${i} roses.` })))
    await db.compact()
    // A first byte that is 0 already becomes 1. The result of || is a text, and libsql ends the process when it is not
    // valid UTF-8.
    const first = "CASE substr(bytes, 1, 1) WHEN x'00' THEN x'01' ELSE x'00' END"
    const damaged = `CAST(${first} || substr(bytes, 2) AS BLOB)`
    driver.exec(`UPDATE agidb_checkpoint SET bytes = ${damaged} WHERE length(bytes) > 100`)
    expect(await db.verify()).toMatchObject({ ok: true, problems: [{ code: 'image-damaged', harm: 'none' }] })
    expect(await db.verify({ repair: true })).toMatchObject({ mended: ['image-damaged'] })
    expect(await db.verify()).toMatchObject({ problems: [] })
    driver.exec(`UPDATE agidb_rows SET bytes = ${damaged} WHERE slot = 7`)
    expect(await db.verify()).toMatchObject({ ok: false, problems: [{ code: 'row-unreadable' }, {}] })
    await db.close()
    driver.exec('DELETE FROM agidb_checkpoint')
    await expect(open()).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    driver.exec('DELETE FROM agidb_rows WHERE slot = 7; UPDATE agidb_state SET format = 9')
    await expect(open()).rejects.toMatchObject({ code: 'AGIDB_NEWER_FORMAT' })
    driver.exec('UPDATE agidb_state SET format = 1')
    db = await open()
    expect(await db.count()).toBe(99)
    await db.close()
    remove()
  })

  test('of the whole file, or another file, is told by its code', async () => {
    const { connect, path, remove } = place()
    writeFileSync(path, 'this is a letter, and no database at all. '.repeat(100))
    const opening = sqliteStorage(connect()).open(() => undefined)
    await expect(opening).rejects.toMatchObject({ code: 'AGIDB_FOREIGN_FILE' })
    remove()
  })
})

describe('what is passed', () => {
  test('is checked', () => {
    const { connect, remove } = place()
    const driver = connect()
    const code = 'AGIDB_INVALID_ARGUMENT'
    expect(() => sqliteStorage('memory.db' as never)).toThrow(expect.objectContaining({ code }))
    for (const prefix of ['', '1a', 'a b', 'a;drop', 'sqlite_a', 'a_new', 'a'.repeat(65)])
      expect(() => sqliteStorage(driver, { prefix }), prefix).toThrow(expect.objectContaining({ code }))
    expect(() => sqliteStorage(driver, { readonly: true } as never)).toThrow(/no option "readonly"/)
    sqliteStorage(driver)
    expect(() => sqliteStorage(driver, { readOnly: true })).toThrow(expect.objectContaining({ code }))
    remove()
  })

  test('may be a database in main memory, which says so', async () => {
    const driver = new Database(':memory:')
    const store = new OpenedStore(sqliteStorage(driver))
    await openInto(store)
    await store.commit(puts(0, 3))
    expect(await store.stats()).toMatchObject({ name: 'SQLite in main memory', durability: 'memory' })
    await store.close()
    expect((await openInto(store)).kept.size).toBe(3)
    await store.close()
    driver.close()
  })
})

describe('killed', () => {
  test('at any moment, it has each commit that was acknowledged, and none in part', async () => {
    const { path, connect, remove } = place()
    let commits: StorageChange[][] = []
    for (let round = 0; round < 3; round++) {
      const writer = spawn(process.execPath, ['--import', 'tsx', WRITER, path, String(commits.length)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let acknowledged = commits.length
      const killed = linesUntilKilled(writer, (line) => {
        acknowledged = Number(line)
        if (acknowledged >= commits.length + 10 + 7 * round) writer.kill('SIGKILL')
      })
      expect(await killed).toBeUndefined()
      const store = new OpenedStore(sqliteStorage(connect()))
      const { kept } = await openInto(store)
      const stored = kept.size / COMMIT
      expect(stored).toBeGreaterThanOrEqual(acknowledged)
      commits = Array.from({ length: stored }, (_, index) => commitOf(index))
      expect(listed(kept)).toEqual(listed(modelOf(...commits)))
      expect(await store.stats()).toMatchObject({ durability: 'strict' })
      await store.close()
    }
    expect(commits.length).toBeGreaterThan(40)
    remove()
  }, 300_000)
})
