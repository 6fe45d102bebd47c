import { expect, test } from 'vitest'
import { memoryStorage } from '../../src/storage/memory.js'
import { openInto, put } from '../contract/episodes.js'

test('a storage in main memory is open once at a time, and forgets when it is closed', async () => {
  const storage = memoryStorage()
  await expect(storage.rows([0])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  const first = await openInto(storage)
  await storage.commit([put(0)])
  await expect(storage.open(() => undefined)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
  expect([await storage.slots(), (await storage.stats()).bytes]).toEqual([[0], 40])
  await storage.close()
  await expect(storage.stats()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  const second = await openInto(storage)
  expect([await storage.slots(), (await storage.stats()).bytes, first.databaseId === second.databaseId]).toEqual([[], 0, false])
  await storage.close()
})
