import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenedStorage, StorageAdapter } from '../../../../src/api/storage.js'
import { Agidb as EdgeAgidb } from '../../../../src/runtimes/edge/index.js'
import { Agidb as BrowserAgidb } from '../../../../src/runtimes/browser/index.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { storageContract } from '../../../../src/storage/contract/index.js'
import { jsonFileStorage } from '../../../fixtures/storage-adapter/json-file.js'
import { altered } from '../../../unit/storage/altered-adapter.js'

/** The adapter of docs/storage-adapters.md, in a folder that is there for one test. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-json-'))
  return {
    adapter: () => jsonFileStorage(join(folder, 'memory.json')),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

describe('the adapter of docs/storage-adapters.md keeps the contract', () => {
  for (const { name, run } of storageContract({ durable: true }, place)) test(name, run)
})

describe('a contract that is broken says so', () => {
  const broken = (change: (opened: OpenedStorage) => Partial<OpenedStorage>): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(
      storageContract({ durable: false }, () => ({ adapter: () => altered(memoryStorage(), change) })).map(({ run }) =>
        run(),
      ),
    )

  test('when commits are lost, rows come in another order, or a part is there that was not named', async () => {
    expect((await broken(() => ({}))).filter(({ status }) => status === 'rejected')).toEqual([])
    const breaks: ((opened: OpenedStorage) => Partial<OpenedStorage>)[] = [
      ({ rows }) => ({ rows: { ...rows, commit: async () => {} } }),
      ({ rows }) => ({ rows: { ...rows, get: async (slots) => rows.get([...slots].sort((a, b) => a - b)) } }),
      () => ({ checkpoint: { write: async () => {} } }),
    ]
    for (const change of breaks) expect((await broken(change)).some(({ status }) => status === 'rejected')).toBe(true)
  })
})

describe('a memory in an adapter of the application', () => {
  test('is opened by Agidb.open, remembers after it is opened again, and reports what the adapter says', async () => {
    const { adapter, remove } = place()
    try {
      let db = await Agidb.open({ storage: adapter(), codebook: 'none' })
      const id = await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah' })
      await expect(Agidb.open({ storage: adapter(), codebook: 'none' })).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
      await db.close()
      db = await Agidb.open({ storage: adapter(), codebook: 'none' })
      expect((await db.recall('which thai place?')).matches[0].id).toBe(id)
      expect(await db.stats()).toMatchObject({
        episodes: 1,
        durability: 'strict',
        storage: expect.stringContaining('file '),
      })
      expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
      await db.close()
    } finally {
      remove()
    }
  })

  test('may be read only, in Node', async () => {
    const { adapter, remove } = place()
    try {
      const db = await Agidb.open({ storage: adapter(), codebook: 'none', readOnly: true })
      await expect(db.observe('a text')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
      await db.close()
    } finally {
      remove()
    }
  })

  test('works on the edge', async () => {
    const db = await EdgeAgidb.open({ storage: memoryStorage() })
    await db.observe('a text')
    expect((await db.stats()).episodes).toBe(1)
    await db.close()
  })

  test('is refused in a browser, with the reason', async () => {
    const storage = memoryStorage() as unknown as 'memory'
    await expect(BrowserAgidb.open({ storage })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringContaining('cannot cross to the engine worker'),
    })
  })

  test('is refused when the adapter is none, or opens what lacks a method; what was opened is closed', async () => {
    const invalid = (message: string) => ({ code: 'AGIDB_INVALID_ARGUMENT', message: expect.stringContaining(message) })
    for (const storage of ['disk', 7, {}, { open: true }])
      await expect(Agidb.open({ storage: storage as unknown as StorageAdapter })).rejects.toMatchObject(
        invalid('expected "memory" or a StorageAdapter'),
      )
    let closed = 0
    const open = (change: (opened: OpenedStorage) => object) =>
      Agidb.open({
        codebook: 'none',
        storage: altered(memoryStorage(), (opened) => ({ ...change(opened), close: async () => void closed++ })),
      })
    await expect(open(({ rows }) => ({ rows: { ...rows, replace: undefined } }))).rejects.toMatchObject(
      invalid('rows.replace must be a function'),
    )
    await expect(open(() => ({ signatures: {} }))).rejects.toMatchObject(
      invalid('signatures.visitEpisodes must be a function'),
    )
    await expect(open(() => ({ databaseId: 'mine' }))).rejects.toMatchObject(invalid('32 hexadecimal digits'))
    await expect(open(() => ({ nextSlot: -1 }))).rejects.toMatchObject(invalid('nextSlot'))
    expect(closed).toBe(4)
    await expect(Agidb.open({ storage: memoryStorage(), path: 'here' } as never)).rejects.toMatchObject(
      invalid('a path or storage, not both'),
    )
    await expect(
      Agidb.open({ storage: memoryStorage(), durability: 'relaxed', codebook: 'none' }),
    ).rejects.toMatchObject(invalid('says itself how durable it is'))
  })
})

test('docs/storage-adapters.md shows the adapter that these tests run', () => {
  const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
  const program = read('test/fixtures/storage-adapter/json-file.ts').replace('../../../src/index.js', 'agidb')
  expect(read('docs/storage-adapters.md')).toContain(`\`\`\`ts\n${program}\`\`\`\n`)
})
