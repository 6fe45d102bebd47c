import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Alarms } from '../../../../src/runtimes/cloudflare/alarms.js'
import { TestStorage } from './test-storage.js'

const NOW = 1_000_000
const PAUSE = 1_000
const SCOPE = 'a'.repeat(32)
const OTHER = 'b'.repeat(32)

let storage: TestStorage
const alarms = () => new Alarms(storage, () => PAUSE)

/** The alarm comes, and `attend` is what is called for each memory. */
async function ring(of: Alarms, attend: (scope?: string) => Promise<number>): Promise<(string | undefined)[]> {
  vi.setSystemTime(storage.alarm!)
  storage.alarm = null
  const attended: (string | undefined)[] = []
  await of.attend(async (scope) => {
    attended.push(scope)
    return attend(scope)
  })
  return attended
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  storage = new TestStorage()
})
afterEach(() => {
  vi.useRealTimers()
})

test('each memory that was changed is looked at after the pause, and not again', async () => {
  const object = alarms()
  await object.changed()
  vi.setSystemTime(NOW + 10)
  await object.changed(SCOPE)
  await object.changed()
  expect(storage.alarm).toBe(NOW + PAUSE)
  expect(await ring(object, async () => Infinity)).toEqual([undefined])
  expect(storage.alarm).toBe(NOW + 10 + PAUSE)
  expect(await ring(object, async () => Infinity)).toEqual([SCOPE])
  expect(storage.alarm).toBe(null)
})

test('a change that cannot be noted rejects, and throws nothing', async () => {
  storage.sql.exec = () => {
    throw new Error('disk is full')
  }
  await expect(alarms().changed()).rejects.toThrow('disk is full')
})

test('an object that was evicted knows what is due, and when', async () => {
  await alarms().changed(SCOPE)
  expect(await ring(alarms(), async () => 5_000)).toEqual([SCOPE])
  expect(storage.alarm).toBe(NOW + PAUSE + 5_000)
  expect(await ring(alarms(), async () => 5)).toEqual([SCOPE])
  // Not more often than every pause.
  expect(storage.alarm).toBe(NOW + 2 * PAUSE + 5_000)
})

test('what is changed while it is looked at is looked at again', async () => {
  const object = alarms()
  await object.changed(SCOPE)
  await ring(object, async (scope) => {
    await object.changed(scope)
    await object.changed(OTHER)
    return Infinity
  })
  expect(storage.alarm).toBe(NOW + 2 * PAUSE)
  expect((await ring(object, async () => Infinity)).sort()).toEqual([SCOPE, OTHER])
  expect(storage.alarm).toBe(null)
})

test('a memory that fails is tried again after the pause, the others are looked at, and it is told', async () => {
  const object = alarms()
  for (const scope of [SCOPE, OTHER, undefined]) await object.changed(scope)
  const attended: unknown[] = []
  const attend = (isFailing: boolean) => async (scope?: string) => {
    attended.push(scope)
    if (isFailing && scope === SCOPE) throw new Error('damaged')
    return Infinity
  }
  await expect(ring(object, attend(true))).rejects.toThrow('damaged')
  expect(attended).toHaveLength(3)
  expect(storage.alarm).toBe(NOW + 2 * PAUSE)
  expect(await ring(object, attend(false))).toEqual([SCOPE])
})

test('an alarm of the application that comes earlier stays, and ours is set after it', async () => {
  const object = alarms()
  storage.alarm = NOW + 100
  await object.changed()
  expect(storage.alarm).toBe(NOW + 100)
  expect(await ring(object, async () => Infinity)).toEqual([])
  expect(storage.alarm).toBe(NOW + PAUSE)
})

test('memories that are older than the table are due', async () => {
  for (const name of ['agidb_state', `agidb_${SCOPE}_state`, 'agidb_rows', 'agidb_diary_state', 'state'])
    storage.sql.exec(`CREATE TABLE ${name} (row INTEGER)`)
  const object = alarms()
  await object.set(true)
  expect(storage.alarm).toBe(NOW)
  expect((await ring(object, async () => Infinity)).sort()).toEqual([SCOPE, undefined])
  expect(await storage.getAlarm()).toBe(null)
})

test('an alarm that is overdue is set anew when the object is made', async () => {
  await alarms().changed()
  vi.setSystemTime(NOW + 5 * PAUSE)
  await alarms().set(true)
  expect(storage.alarm).toBe(NOW + 5 * PAUSE)
})

test('an object that is opened anew before anything is due writes nothing, and leaves its alarm alone', async () => {
  await alarms().changed()
  vi.setSystemTime(NOW + PAUSE / 2)
  const [run, setAlarm] = [vi.spyOn(storage.sql, 'exec'), vi.spyOn(storage, 'setAlarm')]
  await alarms().set(true)
  expect(run.mock.calls.map(([statement]) => statement)).toEqual([
    expect.stringMatching(/^SELECT name FROM sqlite_master /),
    'SELECT min(at) AS at FROM agidb_due',
  ])
  expect(setAlarm).not.toHaveBeenCalled()
  expect(storage.alarm).toBe(NOW + PAUSE)
})
