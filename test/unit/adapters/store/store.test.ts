import { afterEach, expect, test } from 'vitest'
import type { LiveValue, Snapshot } from '../../../../src/adapters/store/live-value.js'
import { memoryStore } from '../../../../src/adapters/store/store.js'
import type { Database } from '../../../../src/api/scope.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const opened: Database[] = []

async function open(): Promise<Database> {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  opened.push(db)
  return db
}

afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
})

/** All that a listener is told. */
function heard<T>(value: LiveValue<T>): { readonly told: readonly Snapshot<T>[]; end(): void } {
  const told: Snapshot<T>[] = []
  return { told, end: value.subscribe((snapshot) => void told.push(snapshot)) }
}

test('a listener is told at once that the answer is pending, then each answer', async () => {
  const opening = open()
  const store = memoryStore(opening)
  const { told } = heard(store.ask('count', (db) => db.count()))
  expect(told).toEqual([{ status: 'pending' }])
  await expect.poll(() => told.at(-1)).toEqual({ status: 'ready', value: 0 })
  await (await opening).observe('Sarah recommended Bawri.')
  await expect.poll(() => told.at(-1)).toEqual({ status: 'ready', value: 1 })
})

test('the same question is the same object while somebody listens, and another one is another', async () => {
  const store = memoryStore(await open())
  expect(store.recall('thai place', { k: 3 })).toBe(store.recall('thai place', { k: 3 }))
  expect(store.recall('thai place')).not.toBe(store.recall('thai place', { k: 3 }))
  expect(store.memories({ session: 'one' })).not.toBe(store.memories({ session: 'two' }))
})

test('a listener that left is told nothing more, others go on', async () => {
  const db = await open()
  const value = memoryStore(db).memories()
  const [gone, staying] = [heard(value), heard(value)]
  await value.ready()
  gone.end()
  const before = gone.told.length
  await db.observe('One.')
  await expect.poll(() => staying.told.at(-1)?.value?.length).toBe(1)
  expect(gone.told).toHaveLength(before)
})

test('an answer that fails says why, and keeps the last one', async () => {
  const db = await open()
  let isBroken = false
  const value = memoryStore(db).ask('count', async () => {
    if (isBroken) throw new RangeError('broken')
    return db.count()
  })
  const { told } = heard(value)
  await value.ready()
  isBroken = true
  await db.observe('One.')
  await expect.poll(() => told.at(-1)).toEqual({ status: 'failed', value: 0, error: new RangeError('broken') })
})

test('a memory that cannot be opened fails every question, and closing ends them quietly', async () => {
  const failing = memoryStore(Promise.reject(new RangeError('no room')))
  const { told } = heard(failing.goals())
  await expect.poll(() => told.at(-1)).toEqual({ status: 'failed', error: new RangeError('no room') })
  const db = await open()
  const value = memoryStore(db).goals()
  await value.ready()
  await db.close()
  expect(value.getSnapshot()).toEqual({ status: 'ready', value: [] })
})
