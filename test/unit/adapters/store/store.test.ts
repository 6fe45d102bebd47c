import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveValue, Snapshot } from '../../../../src/adapters/store/live-value.js'
import { memoryStore } from '../../../../src/adapters/store/store.js'
import type { LiveQuery } from '../../../../src/api/live.js'
import type { Database } from '../../../../src/api/scope.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const opened: Database[] = []

async function open(): Promise<Database> {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  opened.push(db)
  return db
}

afterEach(async () => {
  vi.useRealTimers()
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

test('a listener that throws ends nothing for the others, and its error is an unhandled rejection', async () => {
  const others = process.rawListeners('unhandledRejection') as ((error: unknown) => void)[]
  process.removeAllListeners('unhandledRejection')
  const thrown: unknown[] = []
  process.on('unhandledRejection', (error) => thrown.push(error))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  })
  const db = await open()
  const value = memoryStore(db).memories()
  const bug = new Error('a bug in a listener')
  value.subscribe(({ status }) => {
    if (status !== 'pending') throw bug
  })
  const { told } = heard(value)
  await db.observe('One.')
  await expect.poll(() => told.at(-1)?.value?.length).toBe(1)
  await db.observe('Two.')
  await expect.poll(() => told.at(-1)?.value?.length).toBe(2)
  expect(told.map(({ status }) => status)).not.toContain('failed')
  await expect.poll(() => new Set(thrown)).toEqual(new Set([bug]))
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

/** Longer than a query goes on that nobody listens to. */
const LONG = 10_000

/**
 * A store on a memory whose timers stand still. Each query answers `answer` once, a failure or when it is there, and
 * then waits; `asked` counts them, and `ended` those that were ended.
 */
function storeOf(answer: () => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const counts = { asked: 0, ended: 0 }
  const live = (): LiveQuery<unknown> => {
    counts.asked++
    let isFirst = true
    const query: LiveQuery<unknown> = {
      async next() {
        if (!isFirst) return new Promise(() => {})
        isFirst = false
        return { done: false, value: await answer() }
      },
      async return() {
        counts.ended++
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => query as AsyncIterator<unknown>,
    }
    return query
  }
  return { store: memoryStore({ live } as unknown as Database), counts }
}

test('a question that nobody ever listened to is forgotten', async () => {
  const { store, counts } = storeOf(async () => [])
  const drawn = store.goals()
  expect(store.goals()).toBe(drawn)
  await vi.advanceTimersByTimeAsync(LONG)
  expect(store.goals()).not.toBe(drawn)
  expect(counts.asked).toBe(0)
})

test('a question that is used again is the same object, and its end leaves a newer one alone', async () => {
  const { store } = storeOf(async () => [])
  const first = store.goals()
  await vi.advanceTimersByTimeAsync(LONG)
  const again = heard(first)
  expect(store.goals()).toBe(first)
  again.end()
  await vi.advanceTimersByTimeAsync(LONG)
  const second = store.goals()
  expect(second).not.toBe(first)
  const [old, newer] = [heard(first), heard(second)]
  old.end()
  await vi.advanceTimersByTimeAsync(LONG)
  expect(store.goals()).toBe(second)
  newer.end()
})

test('a question that failed is asked anew when nobody has listened for a while', async () => {
  let isBroken = true
  const { store } = storeOf(async () => {
    if (isBroken) throw new RangeError('broken')
    return []
  })
  // As a component that waits: it asks, and never listens, since it is not shown.
  const failing = store.goals()
  await failing.ready()
  expect(failing.getSnapshot().status).toBe('failed')
  isBroken = false
  expect(store.goals()).toBe(failing)
  await vi.advanceTimersByTimeAsync(LONG)
  const next = store.goals()
  expect(next).not.toBe(failing)
  await next.ready()
  expect(next.getSnapshot()).toEqual({ status: 'ready', value: [] })
})

test('who waits for the first answer gets it although a listener has left long before', async () => {
  let answer!: (value: unknown) => void
  const { store, counts } = storeOf(() => new Promise((resolve) => (answer = resolve)))
  const value = store.goals()
  let isReady = false
  const waiting = value.ready().then(() => (isReady = true))
  heard(value).end()
  await vi.advanceTimersByTimeAsync(LONG)
  expect([isReady, counts.ended]).toEqual([false, 0])
  answer([])
  await waiting
  expect(store.goals()).toBe(value)
  await vi.advanceTimersByTimeAsync(LONG)
  expect(counts).toEqual({ asked: 1, ended: 1 })
  expect(store.goals()).not.toBe(value)
})

test('who waited and then listens goes on to be told when the wait is long over', async () => {
  const { store, counts } = storeOf(async () => [])
  const value = store.goals()
  await value.ready()
  const { told, end } = heard(value)
  await vi.advanceTimersByTimeAsync(LONG)
  expect([told.length, counts.ended]).toEqual([1, 0])
  expect(store.goals()).toBe(value)
  end()
})

test('an answer whose memory is closed before there is one fails, and does not stay pending', async () => {
  const db = await open()
  const value = memoryStore(db).recall('thai place')
  const ready = value.ready()
  await db.close()
  await ready
  expect(value.getSnapshot()).toMatchObject({ status: 'failed', error: { code: 'AGIDB_CLOSED' } })
})
