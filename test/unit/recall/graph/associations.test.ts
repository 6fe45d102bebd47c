import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { Recall, RecallOptions } from '../../../../src/api/recall.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { openMemory, withFolder } from '../../engine/open.js'

const PLACES = ['harbour', 'market', 'station', 'library', 'garden', 'bakery', 'theatre', 'museum']
const DOINGS = ['walked', 'waited', 'slept', 'painted', 'cooked', 'danced', 'argued', 'laughed', 'fished', 'read']
const CUE = 'What did Marta buy with her savings?'

/** Turns that have little to do with each other, with one that the cue finds and one that no word leads to. */
function turns(count: number): Observation[] {
  const all = Array.from({ length: count }, (_, i) => ({
    id: `t${i}`,
    text: `${DOINGS[i % 10]} number ${i} near the ${PLACES[(i * 7) % 8]} on day ${i % 31}`,
  }))
  all[3] = { id: 'bought', text: 'Marta bought a zeppelin workshop with her savings' }
  all[9] = { id: 'led', text: 'Sourdough needs a night in a cold cellar' }
  return all
}

async function filled(count: number): Promise<Engine> {
  const db = await openMemory({ extract: 'none' })
  await db.observeMany(turns(count))
  return db
}

const asked = async (db: Engine, options: RecallOptions = {}, cue = CUE) => (await db.recall(cue, options)).matches
const ids = (matches: Recall['matches']) => matches.map(({ id }) => id)

describe.each([
  ['a small memory', 30],
  ['a memory of a middle size', 75],
  ['a memory with more episodes than are candidates', 1_000],
])('in %s', (_, count) => {
  test('what is associated with the best match is a match, and says by which path', async () => {
    const db = await filled(count)
    const before = await asked(db, { k: 3 })
    expect(ids(before)).not.toContain('led')
    await db.graph.strengthen('bought', 'led', 1)
    const matches = await asked(db, { k: 3 })
    expect(ids(matches).slice(0, 2)).toEqual(['bought', 'led'])
    expect(matches[1].why).toEqual([
      { from: 'bought', edge: 'association', weight: expect.any(Number) as number, to: 'led' },
    ])
    expect(matches[1].signals.graph).toBeGreaterThan(0)
    const { weight } = matches[1].why![0]
    expect(weight).toBeGreaterThan(0)
    expect(weight).toBeLessThanOrEqual(1)
    expect(await asked(db, { k: 3 })).toEqual(matches)
    await db.close()
  })

  test('an answer without associations is that of a memory that has none', async () => {
    const db = await filled(count)
    const options: RecallOptions[] = [{ graph: false }, { graph: { association: 0 } }, { graph: { pageRank: 0 } }]
    const answers = async () => Promise.all(options.map((one) => asked(db, { k: 50, ...one })))
    const before = await answers()
    await db.graph.strengthen('bought', 'led', 5)
    expect(await answers()).toEqual(before)
    await db.close()
  })
})

test('what observing alone associates is left to the order of the session', async () => {
  const db = await openMemory({ extract: 'none' })
  await db.observeMany(turns(120).map((turn, i) => ({ ...turn, session: `s${Math.floor((i + 2) / 4)}` })))
  const off = await asked(db, { k: 120, graph: { association: 0 } })
  expect(await asked(db, { k: 120 })).toEqual(off)
  // What was added counts by its own weight, not by that of observing on top.
  const graphOf = async (graph = {}) =>
    (await asked(db, { k: 120, graph })).find(({ id }) => id === 't2')!.signals.graph!
  const without = await graphOf({ association: 0 })
  await db.graph.strengthen('bought', 't2', 0.001)
  expect(await graphOf()).not.toBe(without)
  expect(await graphOf()).toBeCloseTo(without, 2)
  await db.graph.strengthen('bought', 't2', 1)
  expect(Math.abs((await graphOf()) - without)).toBeGreaterThan(0.01)
  await db.graph.forgetEdge({ a: 'bought', b: 't2' })
  expect(await asked(db, { k: 120 })).toEqual(off)
  await db.close()
})

test('what the question may not see is not brought', async () => {
  const db = await filled(1_000)
  await db.update('bought', { session: 'mine', speaker: 'Ann', tags: ['own'] })
  await db.observe('A third thing in the cellar', { id: 'third', session: 'mine' })
  for (const other of ['led', 'third']) await db.graph.strengthen('bought', other, 2)
  expect(ids(await asked(db, { k: 3 }))).toEqual(expect.arrayContaining(['led', 'third']))
  expect(ids(await asked(db, { session: 'mine' })).sort()).toEqual(['bought', 'third'])
  expect(ids(await asked(db, { speaker: 'Ann' }))).toEqual(['bought'])
  expect(ids(await asked(db, { filter: { tags: ['own'] } }))).toEqual(['bought'])
  await db.observe('Sourdough needs no night', { id: 'newer' })
  await db.supersede('led', 'newer')
  expect(ids(await asked(db, { k: 3 }))).not.toContain('led')
  await db.close()
})

test('a scope sees nothing of the associations of another', async () => {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', autoConsolidate: false })
  const [ann, bob] = [db.scope({ user: 'ann' }), db.scope({ user: 'bob' })]
  for (const one of [ann, bob]) await one.observeMany(turns(30))
  const before = (await bob.recall(CUE, { k: 5 })).matches
  await ann.graph.strengthen('bought', 'led')
  expect(ids((await ann.recall(CUE, { k: 2 })).matches)).toEqual(['bought', 'led'])
  expect((await bob.recall(CUE, { k: 5 })).matches).toEqual(before)
  await db.close()
})

test('what was recalled together changes no later answer', async () => {
  const db = await openMemory({ extract: 'none', learnFromRecall: true })
  await db.observeMany(turns(30))
  await db.observe('The violin stands in the orchard.', { id: 'orchard' })
  await db.observe('The violin was sold in Oslo.', { id: 'sold' })
  await db.observe('Another night in Oslo.', { id: 'oslo' })
  const cue = 'What was sold?'
  const before = await asked(db, { learn: false }, cue)
  for (let i = 0; i < 10; i++) await asked(db, { k: 2 }, 'the violin')
  await db.flush()
  expect((await db.graph.neighbours('orchard', { kinds: ['association'] })).map(({ id }) => id)).toContain('sold')
  expect(await asked(db, { learn: false }, cue)).toEqual(before)
  await db.close()
})

test('a consolidation lets associations fade, and what is forgotten leaves none', async () => {
  const [db, twin] = [await filled(30), await filled(30)]
  await db.graph.strengthen('bought', 'led', 1)
  const graphOf = async () => (await asked(db, { k: 30 })).find(({ id }) => id === 'led')?.signals.graph
  const whole = await graphOf()
  await db.consolidate()
  const faded = await graphOf()
  expect(faded).toBeGreaterThan(0)
  expect(faded).toBeLessThan(whole!)
  await twin.consolidate()
  for (const one of [db, twin]) await one.remove('led')
  expect(await asked(db, { k: 30 })).toEqual(await asked(twin, { k: 30 }))
  await db.close()
  await twin.close()
})

test('an association is there again with its episode, and after opening again', () =>
  withFolder(async (path) => {
    for (const keepAfter of [1, Number.POSITIVE_INFINITY]) {
      const folder = `${path}-${keepAfter}`
      const open = () => openMemory({ extract: 'none', storage: nodeStorage(folder), keepAfter })
      const db = await open()
      await db.observeMany(turns(1_000))
      await db.graph.strengthen('bought', 'led', 1)
      const matches = await asked(db, { k: 3 })
      expect(ids(matches)[1]).toBe('led')
      const { auditId } = await db.remove('led')
      expect(ids(await asked(db, { k: 3 }))).not.toContain('led')
      await db.restoreWithinWindow(auditId!)
      expect(await asked(db, { k: 3 })).toEqual(matches)
      await db.close()
      const again = await open()
      expect(await asked(again, { k: 3 })).toEqual(matches)
      await again.close()
    }
  }))

test('a question with a pattern, or about nothing but a time, is answered without associations', async () => {
  const db = await filled(1_000)
  const asks: RecallOptions = { k: 50, structured: { subject: 'Marta' } }
  const time = 'what happened today?'
  const { attentionTrace } = await db.recall(time, { traceAttention: true })
  expect(attentionTrace!.time).toMatchObject({ only: true })
  const before = [await asked(db, asks), await asked(db, { k: 50 }, time)]
  await db.graph.strengthen('bought', 'led', 1)
  await db.graph.strengthen(before[1][0].id, 'led', 1)
  expect([await asked(db, asks), await asked(db, { k: 50 }, time)]).toEqual(before)
  await db.close()
})
