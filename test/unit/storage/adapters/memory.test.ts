import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { expect, test } from 'vitest'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { openInto, put, puts } from '../../../../src/storage/contract/episodes.js'

test('a storage in main memory is open once at a time, and forgets when it is closed', async () => {
  const storage = new OpenedStore(memoryStorage())
  await expect(storage.rows([0])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  const first = await openInto(storage)
  await storage.commit([put(0)])
  await expect(storage.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
  expect([await storage.slots(), (await storage.stats()).bytes]).toEqual([[0], 40])
  await storage.close()
  await expect(storage.stats()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  const second = await openInto(storage)
  expect([await storage.slots(), (await storage.stats()).bytes, first.databaseId === second.databaseId]).toEqual([
    [],
    0,
    false,
  ])
  await storage.close()
})

test('it counts all that it keeps: rows, the signatures that only it has, and no more when they are gone', async () => {
  const storage = new OpenedStore(memoryStorage())
  await openInto(storage)
  const memory = async () => (await storage.stats()).memory!
  expect(await memory()).toBe(0)
  await storage.commit(puts(0, 30, 1000))
  const thirty = await memory()
  // Each has a signature, and two of three another.
  expect(thirty).toBeGreaterThan(30 * 1000 + 50 * 1024)
  expect(thirty).toBeLessThan(2 * (30 * 1000 + 50 * 1024))
  const { id, row } = put(0, 5000)
  await storage.commit([{ op: 'update', slot: 0, id, row }])
  expect((await memory()) - thirty).toBe(4000)
  await storage.commit(puts(0, 30).map(({ slot, id }) => ({ op: 'remove', slot, id })))
  expect(await memory()).toBeLessThan(30 * 64)
  await storage.replace((add) =>
    add(puts(0, 30, 1000).map(({ slot, id, row, signatures }) => ({ slot, id, row, signatures }))),
  )
  expect(await memory()).toBe(thirty)
  await storage.close()
})
