import { expect, test, vi } from 'vitest'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { AgidbError } from '../../../src/base/errors.js'
import type { Engine } from '../../../src/engine/engine.js'
import { follow, type Followed } from '../../../src/engine/follow.js'
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

test('the pause before a memory is opened again keeps no process alive', async () => {
  let told = (): void => {}
  const storage = {
    onCommit: (tell: () => void) => void (told = tell),
    close: async () => {},
  }
  const engine: Followed = { still: (work) => work(), release: () => {} }
  const timers = vi.spyOn(globalThis, 'setTimeout')
  try {
    await new Promise<void>((resolve) => {
      const renew = async (next: (before: Followed) => Promise<Followed>): Promise<void> => void (await next(engine))
      follow(renew, storage as never, resolve, async () => ({ engine, storage: storage as never }))
      told()
    })
    const paused = timers.mock.results[0].value as NodeJS.Timeout
    expect(paused.hasRef()).toBe(false)
  } finally {
    timers.mockRestore()
  }
})
