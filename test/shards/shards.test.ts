import { MessageChannel } from 'node:worker_threads'
import { expose, type Endpoint } from 'comlink'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import { readCodebook } from '../../src/codebook/built-node.js'
import { loadCodebook } from '../../src/codebook/load.js'
import { readKernel } from '../../src/kernel/built-node.js'
import { shardHost } from '../../src/shards/host.js'
import type { ShardHost, StartShard } from '../../src/shards/port.js'
import type { ShardThreads } from '../../src/shards/shards.js'
import { shardAt } from '../../src/shards/wire.js'
import { nodeStorage } from '../../src/storage/node.js'
import { openMemory, withFolder } from '../engine/open.js'
import { runs } from '../runs.js'

const codebook = (await loadCodebook(await readCodebook()))!

const ports: { close(): void }[] = []
afterEach(() => ports.splice(0).forEach((port) => port.close()))

/** Shards behind real message ports, in this thread. */
async function threads(change: (host: ShardHost, failed: () => void) => ShardHost = (host) => host): Promise<ShardThreads & { readonly asked: number[]; ended: number }> {
  const started: number[] = []
  const start: StartShard = (failed) => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    const which = started.push(0) - 1
    const host = shardHost()
    expose({ ...host, scan: (...args) => (started[which]++, host.scan(...args)) } satisfies ShardHost, port2 as unknown as Endpoint)
    return { host: change(shardAt(port1 as unknown as Endpoint), failed), end: () => (all.ended++, port1.close()) }
  }
  const all = { start, kernel: await readKernel(), cores: 2, from: 20, patience: Infinity, asked: started, ended: 0 }
  return all
}

const WORDS = ['harbour', 'lantern', 'violin', 'orchard', 'granite', 'saddle', 'teapot', 'glacier', 'ribbon', 'compass', 'walnut', 'feather']
const say = (i: number) => `${WORDS[i % 12]} ${WORDS[(i * 5 + 3) % 12]} ${WORDS[Math.floor(i / 12) % 12]} number ${i}`

async function found(db: Engine, cue: string, options = {}) {
  const { matches } = await db.recall(cue, { k: 8, ...options })
  return matches.map(({ id, confidence, signals }) => ({ id, confidence, signals }))
}

/** Waits until the two shards hold about two thirds of the episodes. */
async function filled(db: Engine) {
  await vi.waitFor(async () => {
    await db.recall('harbour')
    const { shards, memoryParts, episodes } = await db.stats()
    expect(shards.threads).toBe(2)
    expect(shards.episodes).toBeGreaterThanOrEqual(0.5 * episodes)
    expect(memoryParts.shards).toBeGreaterThan(0)
  }, 30_000)
}

test('answers are those of one thread, whatever is observed, removed and asked in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.record({ remove: fc.nat(200) }), fc.record({ observe: fc.nat(200) }), fc.record({ ask: fc.nat(200) })), { maxLength: 25 }), (steps) =>
      withFolder(async (path) => {
        const shardThreads = await threads()
        const shared = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
        const alone = await openMemory({ codebook, storage: nodeStorage(`${path}-alone`) })
        const both = [shared, alone]
        for (const db of both) await db.observeMany(Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, text: say(i), session: `s${i % 3}` })))
        await filled(shared)
        let next = 60
        for (const step of steps) {
          if ('observe' in step) {
            for (const db of both) await db.observe(say(step.observe), { id: `e${next}` })
            next++
          } else if ('remove' in step) {
            const id = `e${step.remove % next}`
            if ((await alone.getEpisode(id)) !== undefined) for (const db of both) await db.remove(id)
          } else {
            expect(await found(shared, say(step.ask))).toEqual(await found(alone, say(step.ask)))
            expect(await found(shared, say(step.ask), { session: 's1' })).toEqual(await found(alone, say(step.ask), { session: 's1' }))
          }
        }
        expect(await found(shared, 'granite compass')).toEqual(await found(alone, 'granite compass'))
        expect(Math.min(...shardThreads.asked)).toBeGreaterThan(0)
        for (const db of both) await db.close()
      }),
    ),
    { numRuns: runs(6) },
  )
})

test('what is removed while it is on its way to a shard is not found there', async () => {
  await withFolder(async (path) => {
    const shardThreads = await threads()
    const db = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
    await db.observeMany(Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, text: say(i) })))
    await db.recall('harbour') // starts the shards
    await Promise.all(Array.from({ length: 20 }, (_, i) => db.remove(`e${i}`)))
    await filled(db)
    const ids = (await found(db, say(3), { k: 50 })).map(({ id }) => id)
    expect(ids).toHaveLength(40)
    await db.close()
  })
})

test('a thread that ends, or never answers again, costs time and nothing else', async () => {
  await withFolder(async (path) => {
    let failed = () => {}
    let silent = false
    const shardThreads = await threads((host, onFailure) => {
      failed = onFailure
      return { ...host, scan: (...args) => (silent ? new Promise(() => setTimeout(failed, 20)) : host.scan(...args)) }
    })
    const db = await openMemory({ codebook, storage: nodeStorage(path), shardThreads })
    await db.observeMany(Array.from({ length: 60 }, (_, i) => ({ id: `e${i}`, text: say(i) })))
    await filled(db)
    const before = await found(db, 'granite compass')
    silent = true
    expect(await found(db, 'granite compass')).toEqual(before)
    expect(await found(db, 'granite compass')).toEqual(before)
    expect(await db.stats()).toMatchObject({ shards: { threads: 0 }, memoryParts: { shards: 0 } })
    expect(shardThreads.ended).toBe(2)
    await db.close()
  })
})

test('no thread is started for a small memory, without room for copies, or where none is wanted', async () => {
  const cases = [{ shardThreads: { ...(await threads()), from: 1000 } }, { shardThreads: await threads(), memoryBudget: 1000 }, { shardThreads: await threads(), shards: 0 }]
  for (const options of cases) {
    await withFolder(async (path) => {
      const db = await openMemory({ codebook, storage: nodeStorage(path), ...options })
      await db.observeMany(Array.from({ length: 60 }, (_, i) => ({ text: say(i) })))
      await db.recall('harbour')
      await db.recall('harbour')
      expect(await db.stats()).toMatchObject({ shards: { threads: 0, episodes: 0 } })
      await db.close()
    })
  }
})

test('where no thread can be started, this one answers', async () => {
  await withFolder(async (path) => {
    const start = vi.fn(() => {
      throw new Error('Worker is not defined')
    })
    const db = await openMemory({ codebook, storage: nodeStorage(path), shardThreads: { start, kernel: undefined, cores: 2, from: 20 } })
    await db.observeMany(Array.from({ length: 60 }, (_, i) => ({ text: say(i) })))
    expect(await found(db, 'harbour')).toHaveLength(8)
    expect(await found(db, 'harbour')).toHaveLength(8)
    expect(start).toHaveBeenCalledOnce()
    await db.close()
  })
})

test.each([{ shards: -1 }, { shards: 1.5 }, { memoryBudget: -1 }, { memoryBudget: Number.NaN }])('%j is refused', async (options) => {
  await expect(openMemory(options)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
})
