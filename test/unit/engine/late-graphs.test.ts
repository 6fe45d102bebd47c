import { describe, expect, test } from 'vitest'
import type { StorageAdapter } from '../../../src/api/storage.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/open.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import * as graphs from '../../../src/indexes/graph/part.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, withFolder } from './open.js'

/** Opens a memory whose graphs come from a network, which may be down; says how often they were asked for. */
async function opened(storage: StorageAdapter, options: Partial<EngineOptions> = {}, isDown = false) {
  const network = { isDown, loads: 0 }
  const load = async () => {
    network.loads++
    if (network.isDown) throw new Error('offline')
    return graphs
  }
  const parts = { ...OWN_PARTS, graphs: load }
  const db = await openEngine({ kernel, storage, clock: () => NOW, seed: 1, extract: 'none', parts, ...options })
  return { db, network }
}

const atOnce = (storage: StorageAdapter, options: Partial<EngineOptions> = {}) =>
  opened(storage, { parts: OWN_PARTS, ...options })

const fact = (subject: string, predicate: string, object: string) => [{ subject, predicate, object }]

async function begin(db: Engine): Promise<void> {
  await db.observe('The deploy started.', { id: 'start', session: 'a', tags: ['deploy', 'work'] })
  await db.observe('Tests passed.', { id: 'tests', session: 'a' })
  await db.observe('Ann leads Apollo.', { id: 'lead', session: 'a', triples: fact('Ann', 'leads', 'Apollo') })
  await db.observe('Apollo needs Redis.', { id: 'needs', session: 'b', triples: fact('Apollo', 'depends on', 'Redis') })
}

/** Changes of every kind that graphs follow. */
async function goOn(db: Engine): Promise<void> {
  await db.observe('Redis was down.', { id: 'down', session: 'b', triples: fact('Redis', 'is', 'down') })
  await db.graph.strengthen('start', 'down', 2)
  await db.graph.relate('Ann', 'knows', 'Ben', { evidence: ['lead'] })
  await db.remove('tests')
  await db.observe('Ben leads Apollo.', { id: 'ben', session: 'a', triples: fact('Ben', 'leads', 'Apollo') })
  await db.supersede('lead', 'ben')
  await db.update('needs', { session: 'a' })
}

/** All that the graphs tell. */
async function told(db: Engine) {
  const { bytes: _, ...stats } = await db.graph.stats()
  return {
    export: await new Response(await db.graph.export('json')).text(),
    neighbours: await db.graph.neighbours('start', { depth: 3 }),
    timeline: await db.graph.timeline('ben'),
    entities: await db.graph.entities(),
    association: stats.association,
    chain: stats.chain,
  }
}

describe('the graphs', () => {
  test('are not loaded by what is observed and recalled, and once by whoever asks them', async () => {
    const { db, network } = await opened(memoryStorage())
    await begin(db)
    await db.recall('who leads Apollo?')
    expect(network.loads).toBe(0)
    await Promise.all([db.graph.entities(), db.graph.stats()])
    await db.graph.entities()
    expect(network.loads).toBe(1)
    await db.close()
  })

  test('are loaded by a recall that walks over associations, once something was added to these', async () => {
    const { db, network } = await opened(memoryStorage())
    await begin(db)
    await db.graph.relate('Ann', 'knows', 'Ben')
    await db.recall('who leads Apollo?')
    await db.graph.strengthen('lead', 'start', 2)
    await db.recall('who leads Apollo?', { graph: { association: 0 } })
    await db.recall('who leads Apollo?', { graph: false })
    expect(network.loads).toBe(0)
    const { matches, graphErrors } = await db.recall('who leads Apollo?')
    expect(matches.find(({ id }) => id === 'start')?.signals.graph).toBeGreaterThan(0)
    expect(graphErrors).toBeUndefined()
    expect(network.loads).toBe(1)
    await db.close()
  })

  test('that cannot be loaded leave a recall as it is without associations, and are told', async () => {
    const { db, network } = await opened(memoryStorage())
    await begin(db)
    const { matches } = await db.recall('who leads Apollo?')
    await db.graph.strengthen('lead', 'start', 2)
    network.isDown = true
    const answer = await db.recall('who leads Apollo?')
    expect(answer.matches).toEqual(matches)
    expect(answer.graphErrors).toMatchObject([{ code: 'AGIDB_GRAPH_ASSOCIATION', spe: 'SPE-310-006' }])
    network.isDown = false
    expect((await db.recall('who leads Apollo?')).graphErrors).toBeUndefined()
    await db.close()
  })

  test('that fail are named once each, however often a crowded answer is looked for again', async () => {
    const { db, network } = await opened(memoryStorage())
    await begin(db)
    await db.graph.strengthen('lead', 'start', 2)
    network.isDown = true
    await db.observeMany(Array.from({ length: 400 }, (_, i) => ({ text: 'Apollo is led by Ann.', id: `copy ${i}` })))
    const { graphErrors } = await db.recall('who is Apollo led by?', { k: 20 })
    expect(graphErrors?.map(({ code }) => code)).toEqual(['AGIDB_GRAPH_ASSOCIATION'])
    await db.close()
  })

  test('that come late tell what graphs tell that were there from the beginning', async () => {
    const answers = []
    for (const open of [opened, atOnce]) {
      const { db } = await open(memoryStorage())
      await begin(db)
      await goOn(db)
      const { elapsedMs: _, ...recalled } = await db.recall('who leads Apollo?')
      answers.push({ recalled, ...(await told(db)) })
      await db.close()
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0].entities.map(({ name }) => name)).toContain('Ben')
  })

  test('are loaded when many episodes have come', async () => {
    const { db, network } = await opened(memoryStorage())
    await db.observeMany(
      Array.from({ length: 300 }, (_, i) => ({ text: `harbour number ${i}`, id: `h${i}`, session: 'a' })),
    )
    expect(network.loads).toBe(1)
    network.isDown = true
    expect((await db.graph.neighbours('h7', { depth: 1 })).map(({ id }) => id).sort()).toEqual(['h6', 'h8'])
    await db.close()
  })

  test('that cannot be loaded refuse what is asked of them, change no recall, and answer once they can', async () => {
    const { db, network } = await opened(memoryStorage())
    network.isDown = true
    await begin(db)
    await goOn(db)
    await expect(db.graph.entities()).rejects.toThrow('offline')
    await expect(db.graph.forgetEdge({ a: 'start', b: 'down' })).rejects.toThrow('offline')
    expect((await db.recall('who leads Apollo?')).matches[0].id).toBe('ben')
    network.isDown = false
    const late = await told(db)
    await db.graph.forgetEdge({ a: 'start', b: 'down' })
    expect((await db.graph.neighbours('start', { depth: 1 })).map(({ id }) => id)).not.toContain('down')
    await db.close()

    const { db: whole } = await atOnce(memoryStorage())
    await begin(whole)
    await goOn(whole)
    expect(late).toEqual(await told(whole))
    await whole.close()
  })

  test.each([
    ['that are loaded when it is opened', false],
    ['that cannot be loaded when it is opened, but later', true],
  ])('of a checkpoint, %s, tell what they would have told', (_, isDown) =>
    withFolder(async (path) => {
      const answers = []
      for (const late of [true, false]) {
        const folder = `${path}-${late}`
        const first = await opened(nodeStorage(folder), { keepAfter: 1 })
        await begin(first.db)
        await first.db.graph.strengthen('start', 'needs', 3)
        await first.db.close()
        // The last checkpoint cannot be kept without the graphs.
        expect(first.network.loads).toBe(1)

        const options = { keepAfter: Infinity, seed: 2, ...(!late && { parts: OWN_PARTS }) }
        const { db, network } = await opened(nodeStorage(folder), options, isDown)
        expect(network.loads).toBe(late ? 1 : 0)
        await goOn(db)
        network.isDown = false
        answers.push(await told(db))
        await db.close()
      }
      expect(answers[0]).toEqual(answers[1])
    }))

  test('that cannot be loaded leave a memory without a new checkpoint, and lose nothing', () =>
    withFolder(async (path) => {
      const first = await opened(nodeStorage(path), { keepAfter: 1 })
      first.network.isDown = true
      await begin(first.db)
      await first.db.close()
      const second = await opened(nodeStorage(path), { keepAfter: 1 })
      expect((await second.db.graph.neighbours('start')).map(({ id }) => id)).toContain('tests')
      await second.db.close()
    }))
})
