import { expect, test } from 'vitest'
import type { RecallOptions } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, openMemory, withFolder } from './open.js'

const DAY = 86_400_000
const at = (day: number) => NOW + day * DAY
const iso = (time: number) => new Date(time).toISOString()

/** The ids of what a recall about the office finds, sorted. */
async function found(db: Engine, options: RecallOptions = {}): Promise<string[]> {
  return (await db.recall('where is the office?', { ...options, k: 10 })).matches.map(({ id }) => id).sort()
}

/** Three offices, each of which took the place of the one before. */
async function moving(db: Engine): Promise<void> {
  await db.observe('The office is in Rome.', { id: 'rome', at: at(-30) })
  await db.observe('The office is in Oslo.', { id: 'oslo', at: at(-20) })
  await db.observe('The office is in Pune.', { id: 'pune', at: at(-10) })
  await db.supersede('rome', 'oslo')
  await db.supersede('oslo', 'pune', at(-5))
}

test('of a chain of supersessions each episode is true from when it began until the next took its place', () =>
  withFolder(async (path) => {
    const open = () => openMemory({ storage: nodeStorage(path) })
    const before = await open()
    await moving(before)
    await before.close()
    const db = await open()
    expect(await found(db)).toEqual(['pune'])
    const then: readonly (readonly [number, readonly string[]])[] = [
      [-31, []],
      [-30, ['rome']],
      [-20, ['oslo']],
      [-10, ['oslo', 'pune']],
      [-5, ['pune']],
      [5, ['pune']],
    ]
    for (const [day, ids] of then) expect([day, await found(db, { validAsOf: at(day) })]).toEqual([day, ids])
    expect(await found(db, { validAsOf: at(-20) - 1 })).toEqual(['rome'])
    expect((await db.getEpisode('rome'))?.superseded).toMatchObject({ by: 'oslo', at: iso(at(-20)) })
    await db.close()
  }))

test('a chain may be made from its end, and a circle of it is refused', async () => {
  const db = await openMemory()
  for (const id of ['a', 'b', 'c']) await db.observe(`The office is in ${id}.`, { id, at: NOW - 10 })
  await db.supersede('b', 'c')
  await db.supersede('a', 'b')
  expect(await found(db)).toEqual(['c'])
  const again = { code: 'AGIDB_INVALID_ARGUMENT' }
  await expect(db.supersede('c', 'a')).rejects.toMatchObject(again)
  await expect(db.supersede('a', 'c')).rejects.toMatchObject({ ...again, details: { id: 'a', by: 'b' } })
  expect(await found(db)).toEqual(['c'])
})

test('a supersession is not known before it was recorded', async () => {
  let now = NOW
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => now, seed: 1 })
  await db.observe('The office is in Rome.', { id: 'rome', at: at(-30) })
  now += DAY
  await db.observe('The office is in Oslo.', { id: 'oslo', at: at(-20) })
  now += DAY
  await db.supersede('rome', 'oslo')
  now += DAY
  expect(await found(db)).toEqual(['oslo'])
  expect(await found(db, { transactionAsOf: NOW })).toEqual(['rome'])
  expect(await found(db, { transactionAsOf: NOW + DAY })).toEqual(['oslo', 'rome'])
  expect(await found(db, { transactionAsOf: NOW + 2 * DAY })).toEqual(['oslo'])
  expect(await found(db, { transactionAsOf: NOW + DAY, validAsOf: at(-25) })).toEqual(['rome'])
})

test('what superseded a removed episode stays; what a removed episode superseded is true again', async () => {
  const db = await openMemory()
  await moving(db)
  await db.remove('oslo')
  expect(await found(db)).toEqual(['pune', 'rome'])
  expect(await db.getEpisode('rome')).not.toHaveProperty('superseded')
})

test('an episode with an end is recalled before it and of times before it, and from then on no more', async () => {
  let now = NOW
  const db = await openEngine({ kernel, storage: memoryStorage(), clock: () => now, seed: 1 })
  await db.observe('The office is in Rome.', { id: 'rome', at: at(-30), validTo: at(1) })
  expect(await found(db)).toEqual(['rome'])
  expect(await found(db, { validAsOf: at(1) - 1 })).toEqual(['rome'])
  expect(await found(db, { validAsOf: at(1) })).toEqual([])
  now = at(1) - 1
  expect(await found(db)).toEqual(['rome'])
  now = at(1)
  expect(await found(db)).toEqual([])
  expect(await found(db, { validAsOf: at(0) })).toEqual(['rome'])
  expect((await db.getEpisode('rome'))?.validTo).toBe(iso(at(1)))
})

test('of an end and a supersession the earlier one counts', async () => {
  const db = await openMemory()
  await db.observe('The office is in Rome.', { id: 'rome', at: at(-30), validTo: at(-10) })
  await db.observe('The office is in Oslo.', { id: 'oslo', at: at(-30), validTo: at(-20) })
  await db.observe('The office is in Pune.', { id: 'pune', at: at(-15) })
  await db.supersede('rome', 'pune')
  await db.supersede('oslo', 'pune')
  expect(await found(db, { validAsOf: at(-21) })).toEqual(['oslo', 'rome'])
  expect(await found(db, { validAsOf: at(-16) })).toEqual(['rome'])
  expect(await found(db, { validAsOf: at(-15) })).toEqual(['pune'])
})

test('an end that an update gives, moves or takes away is that of the episode', async () => {
  const db = await openMemory()
  await db.observe('The office is in Rome.', { id: 'rome', at: at(-30) })
  await db.update('rome', { validTo: at(-1) })
  expect(await found(db)).toEqual([])
  expect(await found(db, { validAsOf: at(-2) })).toEqual(['rome'])
  await db.update('rome', { validTo: at(5) })
  expect(await found(db)).toEqual(['rome'])
  await db.update('rome', { validTo: null })
  expect(await found(db, { validAsOf: at(9) })).toEqual(['rome'])
})

test('an update leaves a supersession as it was recorded', async () => {
  const db = await openMemory()
  await moving(db)
  const { superseded } = (await db.getEpisode('rome'))!
  await db.update('rome', { text: 'The office was in Rome, near the river.' })
  await db.update('oslo', { at: at(-19) })
  expect((await db.getEpisode('rome'))?.superseded).toEqual(superseded)
  expect(await found(db)).toEqual(['pune'])
  expect(await found(db, { validAsOf: at(-25) })).toEqual(['rome'])
  expect((await db.history('oslo')).map(({ episode }) => episode.at)).toEqual([iso(at(-20)), iso(at(-19))])
})
