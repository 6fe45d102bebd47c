import { expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { StorageAdapter } from '../../../src/api/storage.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { NOW, withFolder } from '../engine/open.js'
import { kernel } from '../encoding/kernel.js'
import { exported } from '../transfer/exported.js'
import { dangling } from './references.js'

const iso = (time: number) => new Date(time).toISOString()

/** A memory whose clock moves on by a second with each call of `tick`. */
async function opened(storage: StorageAdapter = memoryStorage()): Promise<{ db: Engine; tick: () => number }> {
  let now = NOW
  return { db: await openEngine({ kernel, storage, clock: () => now, seed: 1 }), tick: () => (now += 1_000) }
}

/** `old` is replaced by `new` between two goals. */
async function moved(db: Engine, tick: () => number) {
  const old = await db.observe('Sarah lives in Rome.', { id: 'old', at: NOW - 9_000 })
  tick()
  const by = await db.observe('Sarah lives in Oslo.', { id: 'new', at: NOW - 5_000 })
  tick()
  await db.setGoal({ description: 'visit Sarah' })
  const at = tick()
  await db.supersede(old, by)
  tick()
  await db.setGoal({ description: 'learn Norwegian' })
  return { id: 'es_old', kind: 'episodeSuperseded', at: iso(at), episode: old, by, validTo: iso(NOW - 5_000) }
}

test('a supersession is a learning event, in its place among the others', async () => {
  const { db, tick } = await opened()
  const event = await moved(db, tick)
  const all = await db.whatDidILearn(0)
  expect(all.map(({ kind }) => kind)).toEqual([
    'episodeStored',
    'episodeStored',
    'goalSet',
    'episodeSuperseded',
    'goalSet',
  ])
  expect(all[3]).toEqual(event)
  expect(dangling(all)).toEqual([])
  expect(await db.whatDidILearn(0, { kinds: ['episodeSuperseded'] })).toEqual([event])
  expect(await db.whatDidILearn(0, { subject: 'new', limit: 2 })).toMatchObject([{ id: 'ev_new' }, event])
  expect(await db.whatDidILearn(event.at, { until: Date.parse(event.at) + 1 })).toEqual([event])
  expect(await db.whatDidILearn(0, { kinds: ['goalSet'] })).toHaveLength(2)
  const answer = await db.introspect({ question: 'what did I learn' })
  expect(answer).toMatchObject({
    counts: { episodeSuperseded: 1 },
    summary: expect.stringContaining('superseded 1 episode'),
  })
})

test('at one fixed time a supersession comes after both of its episodes', async () => {
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => NOW, seed: 1 })
  for (const id of ['a', 'b', 'c']) await db.observe(`the plan is ${id}`, { id })
  await db.supersede('b', 'c')
  await db.supersede('a', 'b')
  const all = await db.whatDidILearn(0)
  expect(all.map(({ id }) => id)).toEqual(['ev_a', 'ev_b', 'ev_c', 'es_a', 'es_b'])
  expect(dangling(all)).toEqual([])
})

test('a reopened or imported memory has the same supersessions, and none of a removed episode', async () => {
  await withFolder(async (path) => {
    const { db, tick } = await opened(nodeStorage(path))
    await moved(db, tick)
    const before = await db.whatDidILearn(0)
    const bytes = await exported(db)
    await db.close()
    const { db: again } = await opened(nodeStorage(path))
    expect(await again.whatDidILearn(0)).toEqual(before)
    await again.remove('old')
    expect(await again.whatDidILearn(0, { kinds: ['episodeSuperseded'] })).toEqual([])
    await again.close()
    const { db: other } = await opened()
    await other.import(bytes)
    expect(await other.whatDidILearn(0)).toEqual(before)
  })
})

test('what is superseded after it had ended by itself is told with the time that was given', async () => {
  const { db, tick } = await opened()
  await db.observe('The shop is open.', { id: 'old', at: NOW - 9_000, validTo: NOW - 8_000 })
  await db.observe('The shop is closed.', { id: 'new', at: NOW - 5_000 })
  const at = tick()
  await db.supersede('old', 'new')
  expect(await db.whatDidILearn(at)).toEqual([
    { id: 'es_old', kind: 'episodeSuperseded', at: iso(at), episode: 'old', by: 'new', validTo: iso(NOW - 5_000) },
  ])
})
