import { expect, test, vi } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { turn } from '../../../../src/base/event-loop-turn.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import type { Arena, Batch, Kernel } from '../../../../src/kernel/port.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { kernel } from '../../encoding/kernel.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { altered } from '../../storage/altered-adapter.js'
import { filled, found, said, say, threads } from './threads.js'

const MIB = 2 ** 20
const BUDGET = 4096 * MIB

/** The kernel, of whose memory others take so much, and which has none left for signatures once it is full. */
function besieged(): { kernel: Kernel; taken: number; full: boolean } {
  const arena = (...options: Parameters<Kernel['arena']>): Arena => {
    const arena = kernel.arena(...options)
    for (const name of ['set', 'setMany'] as const) {
      const write = arena[name].bind(arena) as (...args: unknown[]) => void
      arena[name] = (...args: unknown[]) => {
        if (state.full) throw new AgidbError('AGIDB_KERNEL', 'the memory of the kernel is full')
        write(...args)
      }
    }
    return arena
  }
  const batch = (): Batch => {
    const batch = kernel.batch()
    const begin = batch.begin.bind(batch)
    batch.begin = (most) => {
      if (state.full) throw new AgidbError('AGIDB_KERNEL', 'the memory of the kernel is full')
      begin(most)
    }
    return batch
  }
  const state = {
    taken: 0,
    full: false,
    kernel: new Proxy(kernel, {
      get: (target, key) => {
        if (key === 'arena') return arena
        if (key === 'batch') return batch
        if (key === 'memoryBytes') return target.memoryBytes + state.taken
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
  }
  return state
}

/** A memory of 60 whose threads are filled, and one without threads that has the same. */
async function withThreads(use: (all: Awaited<ReturnType<typeof opened>>) => Promise<void>): Promise<void> {
  await withFolder(async (path) => {
    const all = await opened(path)
    await use(all)
    await all.db.close()
    await all.alone.close()
  })
}

async function opened(path: string) {
  const memory = besieged()
  const shardThreads = await threads()
  const options: Partial<EngineOptions> = { memoryBudget: BUDGET, seed: 1 }
  const db = await openMemory({ ...options, kernel: memory.kernel, storage: nodeStorage(path), shardThreads })
  const alone = await openMemory({ ...options, storage: nodeStorage(`${path}-alone`) })
  for (const each of [db, alone]) await each.observeMany(said(60))
  await filled(db)
  const { memoryParts } = await db.stats()
  const room = BUDGET - memoryParts.kernel - memoryParts.indexes
  return { db, alone, shardThreads, memory, room, held: memoryParts.shards }
}

const NONE = { shards: { threads: 0, episodes: 0 }, memoryParts: { shards: 0 } }

test('scan threads are ended when memory is short and started again when there is room; answers never change', () =>
  withThreads(async ({ db, alone, shardThreads, memory, room, held }) => {
    memory.taken = room - held - MIB
    expect(await found(db, say(7))).toEqual(await found(alone, say(7)))
    expect(await db.stats()).toMatchObject({ shards: { threads: 2 } })
    expect(shardThreads.ended).toBe(0)
    memory.taken += 2 * MIB
    expect(await found(db, say(7))).toEqual(await found(alone, say(7)))
    expect(shardThreads.ended).toBe(2)
    // A few times they try with less, which takes as much here: there are so few that nearly all of it is the kernel.
    for (let i = 0; i < 60; i++) {
      expect(await found(db, say(i))).toEqual(await found(alone, say(i)))
      await turn()
    }
    expect(await db.stats()).toMatchObject(NONE)
    const tried = shardThreads.asked.length
    expect(tried).toBeLessThanOrEqual(8)
    expect(shardThreads.ended).toBe(tried)
    memory.taken = 0
    await filled(db)
    expect(shardThreads.asked).toHaveLength(tried + 2)
    expect(await found(db, say(7))).toEqual(await found(alone, say(7)))
    expect(Math.min(...shardThreads.asked.slice(-2))).toBeGreaterThan(0)
    await db.recall('harbour')
    expect(await db.stats()).toMatchObject({ shards: { threads: 2, episodes: 40 } }) // all of their share, as before
  }))

test('they are given back as soon as something is stored, without a question', () =>
  withThreads(async ({ db, shardThreads, memory, room, held }) => {
    memory.taken = room - held + MIB
    await db.observe('one more')
    expect(shardThreads.ended).toBe(2)
    expect(await db.stats()).toMatchObject(NONE)
  }))

test('they are given back when the kernel has no memory left, for good', () =>
  withThreads(async ({ db, alone, shardThreads, memory }) => {
    memory.full = true
    await expect(db.observe('one more')).rejects.toMatchObject({ code: 'AGIDB_KERNEL' })
    expect(shardThreads.ended).toBe(2)
    memory.full = false
    for (let i = 0; i < 20; i++) expect(await found(db, say(i))).toEqual(await found(alone, say(i)))
    expect(await db.stats()).toMatchObject(NONE)
    expect(shardThreads.asked).toHaveLength(2)
  }))

test('so they are when it has none for a question', async () => {
  await withFolder(async (path) => {
    const memory = besieged()
    const shardThreads = await threads()
    // So little that signatures are read from the storage; and room for threads all the same.
    memory.taken = -BUDGET
    const db = await openMemory({
      kernel: memory.kernel,
      memoryBudget: 100_000,
      storage: nodeStorage(path),
      shardThreads,
    })
    await db.observeMany(said(60))
    await filled(db)
    memory.full = true
    await expect(db.recall(say(7))).rejects.toMatchObject({ code: 'AGIDB_KERNEL' })
    expect(shardThreads.ended).toBe(2)
    memory.full = false
    expect((await found(db, say(7)))[0].id).toBe('e7')
    expect(await db.stats()).toMatchObject(NONE)
    await db.close()
  })
})

test('threads that were ended while signatures for one were read are started and filled again', () =>
  withFolder(async (path) => {
    let reads = 0
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const storage = altered(nodeStorage(path), ({ signatures }) => ({
      signatures: {
        ...signatures!,
        async visitPacked(...args) {
          if (++reads === 2) await waiting // the first thread is filled then, and takes memory
          await signatures!.visitPacked(...args)
        },
      },
    }))
    const memory = besieged()
    const shardThreads = await threads()
    const db = await openMemory({ kernel: memory.kernel, memoryBudget: BUDGET, storage, shardThreads })
    await db.observeMany(said(60))
    await vi.waitFor(async () => {
      await db.recall('harbour')
      expect(reads).toBe(2)
    })
    memory.taken = BUDGET
    await db.observe('one more')
    expect(shardThreads.ended).toBe(2)
    memory.taken = 0
    goOn()
    await filled(db)
    await db.close()
  }))
