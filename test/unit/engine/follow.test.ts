import { expect, test } from 'vitest'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { altered } from '../storage/altered-adapter.js'
import { openMemory } from './open.js'

const GONE = new AgidbError('AGIDB_STORAGE', 'the connection is gone')

/** A memory that could not be opened again after a commit of its writer. */
async function unreachable(): Promise<Engine> {
  let told = (): void => {}
  let opened = 0
  const inner = altered(memoryStorage(), () => ({ onCommit: (tell) => void (told = tell) }))
  const storage: StorageAdapter = {
    async open(...args) {
      if (opened++ > 0) throw GONE
      return inner.open(...args)
    },
  }
  const db = await openMemory({ storage })
  let renewed = (): void => {}
  const renewing = new Promise<void>((resolve) => (renewed = resolve))
  db.subscribe(({ kind }) => kind === 'changesApplied' && renewed())
  told()
  await renewing
  return db
}

test('a memory that could not be opened again refuses every call with the reason, and can be let go of', async () => {
  const db = await unreachable()
  await expect(db.stats()).rejects.toBe(GONE)
  await expect(db.graph.neighbours('a')).rejects.toBe(GONE)
  await expect(db.entries.aging.apply()).rejects.toBe(GONE)
  await expect(db.episodes().next()).rejects.toBe(GONE)
  expect(() => db.subscribe(() => {})).toThrow(GONE)
  expect(db.received('somebody', 1)).toBeUndefined()
  await expect(db[Symbol.asyncDispose]()).resolves.toBeUndefined()
  await expect(db.close()).resolves.toBeUndefined()
})
