import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newHeader } from '../../../../src/storage/journal/frame.js'
import type { Tables, TablesState } from '../../../../src/storage/mirror/indexeddb.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { Mirror } from '../../../../src/storage/mirror/mirror.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { FilePresence } from '../../../../src/storage/block/file-presence.js'
import { MemoryFile } from '../memory-file.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A journal, and a mirror of it in tables that take so long for each batch. */
async function setUp(applyMs: number) {
  const journal = await Journal.begin(new MemoryFile(), newHeader(0))
  const applied: number[] = []
  const calls = { running: 0, busyMs: 0 }
  let state: TablesState | undefined
  const tables = {
    async apply(changes: readonly StorageChange[], _: string, advance: (now: TablesState | undefined) => TablesState) {
      const started = performance.now()
      calls.running++
      state = advance(state)
      await rest(applyMs)
      for (const { slot } of changes) applied.push(slot)
      calls.running--
      calls.busyMs += performance.now() - started
    },
    async close() {},
  } as unknown as Tables
  const presence = new FilePresence({ name: 'memory', journal: () => journal.place, report: () => {}, freshMs: 0 })
  const mirror = new Mirror(tables, journal, new MemoryFile(), () => {}, journal.start, presence)
  let slot = 0
  const commit = async (count: number) => {
    await journal.append(
      Array.from(
        { length: count },
        (): StorageChange => ({ op: 'put', slot, id: `id-${slot++}`, row: new Uint8Array(8), signatures: {} }),
      ),
    )
    mirror.follow(count)
  }
  return { mirror, commit, applied, calls, committed: () => slot }
}

test('a mirror that catches up has everything once, in order', async () => {
  const { mirror, commit, applied, committed } = await setUp(1)
  for (let i = 0; i < 20; i++) await commit(70)
  const caughtUp = mirror.catchUp()
  await vi.advanceTimersByTimeAsync(60_000)
  await caughtUp
  expect(applied).toEqual(Array.from({ length: committed() }, (_, slot) => slot))
})

test('catchUp waits for the commits before it, and not for those that follow', async () => {
  const { mirror, commit, applied } = await setUp(20)
  await commit(700)
  let isCaughtUp = false
  const caughtUp = mirror.catchUp().then(() => (isCaughtUp = true))
  const started = performance.now()
  while (!isCaughtUp && performance.now() - started < 10_000) {
    await commit(200)
    await vi.advanceTimersByTimeAsync(5)
  }
  expect(isCaughtUp).toBe(true)
  await caughtUp
  expect(applied.length).toBeGreaterThanOrEqual(700)
  expect(performance.now() - started).toBeLessThan(1000)
  await vi.advanceTimersByTimeAsync(60_000)
})

test('while commits go on it gives way to them, and catches up by itself afterwards', async () => {
  const { commit, applied, calls, committed } = await setUp(20)
  const started = performance.now()
  while (performance.now() - started < 2000) {
    await commit(200)
    await vi.advanceTimersByTimeAsync(5)
  }
  const share = calls.busyMs / (performance.now() - started)
  expect(applied.length).toBeGreaterThan(0)
  expect(share).toBeLessThan(0.3) // a quarter; without giving way it would be all of it
  expect(applied.length).toBeLessThan(committed() / 2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(applied.length).toBe(committed())
})

test('closing does not wait for a mirror that is far behind, but for what it is doing', async () => {
  const { mirror, commit, applied, calls, committed } = await setUp(300)
  for (let i = 0; i < 40; i++) await commit(200)
  let isClosed = false
  const closed = mirror.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(1500)
  expect(isClosed).toBe(true)
  await closed
  expect(calls.running).toBe(0)
  expect(applied.length).toBeLessThan(committed())
  const left = applied.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(applied.length).toBe(left)
})
