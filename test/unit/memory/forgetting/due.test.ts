import { expect, test } from 'vitest'
import { openEngine } from '../../../../src/engine/whole.js'
import type { EngineOptionName } from '../../../../src/api/option-table.js'
import type { OpenOptions } from '../../../../src/api/open-options.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { erasureKind } from '../../../../src/records/kinds/erasure.js'
import { kernel } from '../../encoding/kernel.js'
import { altered } from '../../storage/altered-adapter.js'

const DAY = 86_400_000
const START = Date.parse('2026-05-01T12:00:00Z')

/** A memory whose place has alarms, and what it does in one. */
async function open(options: Pick<OpenOptions, EngineOptionName> = {}) {
  const time = { now: START }
  const storage = memoryStorage()
  const clock = () => time.now
  const db = await openEngine({ kernel, storage, seed: 1, extract: 'none', clock, expiresByAlarm: true, ...options })
  const alarm = async () => {
    const { floors, context } = await db.inside()
    return floors.forgetting.forgetDue(context.config.caller)
  }
  return { db, time, alarm }
}

test('an alarm is needed when the first episode expires, then when its window is over, then never', async () => {
  const { db, time, alarm } = await open({ tombstoneDays: 30 })
  expect(await alarm()).toBe(Infinity)
  await db.observe('The garden has roses.', { id: 'roses' })
  await db.observe('The code is 4711.', { id: 'code', expiresAt: new Date(START + 3 * DAY) })
  await db.observe('The code is 1174.', { id: 'other', expiresAt: new Date(START + 2 * DAY) })
  expect(await alarm()).toBe(2 * DAY)
  time.now = START + 2 * DAY
  expect(await alarm()).toBe(DAY)
  expect(await db.unlearnHistory(0)).toMatchObject([{ reason: 'expired', state: 'restorable' }])
  time.now = START + 3 * DAY
  expect(await alarm()).toBe(29 * DAY)
  time.now = START + 33 * DAY
  expect(await alarm()).toBe(Infinity)
  expect((await db.unlearnHistory(0)).map(({ state }) => state)).toEqual(['expired', 'expired'])
  expect(await db.stats()).toMatchObject({ episodes: 1, tombstones: 0 })
  await db.close()
})

test('an alarm is needed when a rule keeps the first episode no longer', async () => {
  const { db, time, alarm } = await open({ retention: [{ filter: { tags: 'draft' }, days: 1.5 }], tombstoneDays: 0 })
  await db.observe('A first draft.', { id: 'first', tags: ['draft'] })
  time.now += DAY
  await db.observe('A second draft.', { id: 'second', tags: ['draft'] })
  await db.observe('The garden has roses.', { id: 'roses' })
  expect(await alarm()).toBe(DAY / 2)
  time.now += DAY / 2
  expect(await alarm()).toBe(DAY)
  expect(await db.count()).toBe(2)
  time.now += DAY
  expect(await alarm()).toBe(Infinity)
  expect((await db.episodes().next()).value).toMatchObject([{ id: 'roses' }])
  await db.close()
})

test('an erasure stays due until the last of those that overlap is over, in case of a crash before it', async () => {
  const compacting: (() => void)[] = []
  const storage = altered(memoryStorage(), () => ({
    maintenance: {
      compact: () => new Promise((resolve) => compacting.push(resolve)),
      garbage: () => undefined,
      verify: async () => {},
      repair: async () => {},
    },
  }))
  const db = await openEngine({ kernel, storage, seed: 1, extract: 'none', tombstoneDays: 0 })
  await db.observe('The code is 4711.', { id: 'code' })
  await db.observe('The code is 1174.', { id: 'other' })
  const isDue = async (): Promise<boolean> => {
    const { context } = await db.inside()
    const { rows } = context.storage
    const stored = await rows.get(await rows.slots())
    return stored.some((row) => context.config.recordKinds.find(row!) === erasureKind)
  }
  const first = db.unlearn({ episode: 'code' }, 'asked')
  await expect.poll(() => compacting.length).toBe(1)
  const second = db.unlearn({ episode: 'other' }, 'asked')
  await expect.poll(() => compacting.length).toBe(2)
  compacting[0]()
  await first
  expect(await isDue()).toBe(true)
  compacting[1]()
  await second
  expect(await isDue()).toBe(false)
  await db.close()
})
