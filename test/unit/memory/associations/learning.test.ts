import { expect, test } from 'vitest'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openMemory, withFolder } from '../../engine/open.js'
import { NOW } from '../../engine/now.js'

/** Episodes that only a recall brings together. */
async function observed(db: Engine): Promise<void> {
  await db.observe('The violin stands in the orchard.', { id: 'violin', tags: ['music'] })
  await db.observe('The violin was sold in Oslo.', { id: 'sold', tags: ['trade'] })
  await db.observe('Lanterns light the harbour.', { id: 'harbour' })
}

/** How many nodes and edges there are. */
async function counts(db: Engine) {
  const { association, chain, entity, coActivation } = await db.graph.stats()
  return [association, chain, entity, coActivation].map(({ bytes: _, ...counted }) => counted)
}

async function learnedOf(db: Engine) {
  return (await db.whatDidILearn(0)).filter(({ kind }) => kind === 'recallsLearned')
}

test('what is recalled together is associated after the recall, in one event for several recalls', async () => {
  const db = await openMemory({ learnFromRecall: true })
  await observed(db)
  const before = await db.recall('violin')
  const again = await db.recall('violin')
  expect(again.matches).toEqual(before.matches)
  expect(await learnedOf(db)).toEqual([])
  await db.flush()
  expect(await learnedOf(db)).toHaveLength(1)
  expect((await db.graph.neighbours('violin', { kinds: ['association'] })).map(({ id }) => id)).toEqual(['sold'])
  const { association, coActivation } = await db.graph.stats()
  expect([association.edges, coActivation.pairs]).toEqual([1, 1])
  await db.close()
})

test('a memory that was opened without it learns nothing from recalls', async () => {
  const db = await openMemory({ learnFromRecall: false, autoConsolidate: true })
  await observed(db)
  await db.recall('violin')
  await db.flush()
  expect(await learnedOf(db)).toEqual([])
  expect((await db.graph.stats()).association.edges).toBe(0)
  await db.close()
})

test('what one recall found before another is linked by how soon the other came', async () => {
  let now = NOW
  const db = await openMemory({ learnFromRecall: true, clock: () => now })
  await observed(db)
  await db.recall('harbour lanterns', { k: 1 })
  now += 30_000
  await db.recall('violin orchard', { k: 1 })
  now += 1_000_000
  await db.recall('sold in Oslo', { k: 1 })
  await db.flush()
  const edges = JSON.parse(await new Response(await db.graph.export('json')).text()).edges as {
    from: string
    to: string
    weight: number
  }[]
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['violin harbour'])
  expect(edges[0].weight).toBeCloseTo(0.1 * Math.exp(-1), 6)
  await db.close()
})

test('what was learned is there when the memory is opened again, by its records and by its checkpoint', async () => {
  for (const keepAfter of [1, Number.POSITIVE_INFINITY])
    await withFolder(async (path) => {
      const open = () => openMemory({ storage: nodeStorage(path), learnFromRecall: true, keepAfter })
      const db = await open()
      await observed(db)
      await db.recall('violin')
      await db.graph.strengthen('sold', 'harbour', 2)
      await db.graph.relate('Ann', 'owns', 'the violin', { evidence: ['violin'] })
      await db.consolidate()
      await db.flush()
      const stated = async (one: Engine) => ({
        exported: await new Response(await one.graph.export('json')).text(),
        relations: await one.graph.relations(),
        counts: await counts(one),
      })
      const was = await stated(db)
      await db.close()
      const again = await open()
      expect(await stated(again)).toEqual(was)
      await again.remove('violin')
      expect(await again.graph.relations()).toEqual([])
      expect((await again.graph.stats()).association.edges).toBe(1)
      await again.close()
    })
})

test('a consolidation that found something leaves nine tenths of what was there, and later things whole', async () => {
  const db = await openMemory()
  for (const id of ['a', 'b', 'c', 'd']) await db.observe(`Thing ${id}.`, { id })
  await db.graph.strengthen('a', 'b', 1)
  await db.consolidate()
  await db.graph.strengthen('c', 'd', 1)
  await db.consolidate()
  const { edges } = JSON.parse(await new Response(await db.graph.export('json')).text()) as {
    edges: { weight: number }[]
  }
  expect(edges.map(({ weight }) => weight)).toEqual([Math.fround(0.9), 1])
  await db.close()
})

test('a forgotten episode is no part of what was recalled, and is again when it is back', async () => {
  const db = await openMemory({ learnFromRecall: true })
  await observed(db)
  await db.recall('violin')
  await db.flush()
  const before = [await learnedOf(db), await db.graph.stats()]
  const { auditId } = await db.remove('sold')
  expect((await db.graph.stats()).association.edges).toBe(0)
  expect(JSON.stringify(await learnedOf(db))).not.toContain('sold')
  await db.restoreWithinWindow(auditId!)
  expect([await learnedOf(db), await db.graph.stats()]).toEqual(before)
  await db.close()
})
