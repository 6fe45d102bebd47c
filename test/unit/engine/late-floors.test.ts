import { describe, expect, test } from 'vitest'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { openEngine } from '../../../src/engine/open.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

const TEXT = 'Sarah recommended Bawri, a thai place in Bandra.'
const CUE = 'what thai place was mentioned?'

/** Opens a memory, and says how often its floors were loaded. */
async function opened(storage: StorageAdapter, options: Partial<EngineOptions> = {}, floors = OWN_PARTS.floors) {
  let loads = 0
  const parts = {
    ...OWN_PARTS,
    floors: () => {
      loads++
      return floors()
    },
  }
  const db = await openEngine({ kernel, storage, clock: () => NOW, seed: 1, parts, ...options })
  return { db, loads: () => loads }
}

describe('the floors beside the episodes', () => {
  test('are not loaded by what is observed and recalled, nor by opening that again', () =>
    withFolder(async (path) => {
      for (const isNew of [true, false]) {
        const { db, loads } = await opened(nodeStorage(path))
        if (isNew) await db.observe(TEXT)
        expect((await db.recall(CUE)).matches[0].text).toBe(TEXT)
        await db.close()
        expect(loads()).toBe(0)
      }
    }))

  test('are loaded once when they are asked, and when a memory is opened in which they hold something', () =>
    withFolder(async (path) => {
      const first = await opened(nodeStorage(path))
      const [id] = await Promise.all([first.db.setGoal({ description: 'eat thai' }), first.db.activeGoals()])
      expect(first.loads()).toBe(1)
      await first.db.close()
      const second = await opened(nodeStorage(path))
      expect(second.loads()).toBe(1)
      expect((await second.db.getGoal(id))?.description).toBe('eat thai')
      await second.db.close()
    }))

  test('answer a recall as floors that were there from the beginning', async () => {
    const answers = []
    for (const early of [{}, { tombstoneDays: 30 }]) {
      const { db, loads } = await opened(memoryStorage(), early)
      await db.observe(TEXT)
      const { elapsedMs: _, ...answer } = await db.recall(CUE)
      answers.push(answer)
      expect(loads()).toBe('tombstoneDays' in early ? 1 : 0)
      await db.close()
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('that cannot be loaded refuse what is asked of them, and answer once they can', async () => {
    let isOffline = true
    const { db } = await opened(memoryStorage(), {}, () =>
      isOffline ? Promise.reject(new Error('offline')) : OWN_PARTS.floors(),
    )
    const id = await db.observe(TEXT)
    await expect(db.setGoal({ description: 'eat thai' })).rejects.toThrow('offline')
    await expect(db.update(id, { text: 'Sarah left.' })).rejects.toThrow('offline')
    expect((await db.recall(CUE)).matches[0].text).toBe(TEXT)
    expect(await db.stats()).toMatchObject({ episodes: 1, goals: 0 })
    isOffline = false
    expect(await db.setGoal({ description: 'eat thai' })).toMatch(/^go_/)
    expect((await db.update(id, { text: 'Sarah left.' })).text).toBe('Sarah left.')
    await db.close()
  })

  test('are not built for a memory that was closed while they were loaded', async () => {
    let load = (): void => {}
    const loading = new Promise<void>((resolve) => (load = resolve))
    const { db } = await opened(memoryStorage(), {}, () => loading.then(() => OWN_PARTS.floors()))
    const setting = db.setGoal({ description: 'eat thai' })
    await db.close()
    load()
    await expect(setting).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  })

  test('forget what expired before they were loaded', async () => {
    let now = NOW
    const { db, loads } = await opened(memoryStorage(), { clock: () => now })
    await db.observe(TEXT, { expiresAt: new Date(NOW + 60_000).toISOString() })
    now += 120_000
    await db.observe('Tom packed the tent.')
    await expect.poll(() => db.count()).toBe(1)
    expect(loads()).toBe(1)
    await db.close()
  })
})
