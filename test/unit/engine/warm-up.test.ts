import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { openEngine } from '../../../src/engine/open.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { OWN_PARTS } from '../../../src/engine/whole.js'
import { Agidb as Edge } from '../../../src/runtimes/edge/index.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { kernel } from '../encoding/kernel.js'
import { NOW, openMemory, withFolder } from './open.js'

const PLACES = ['harbour', 'garden', 'library', 'market', 'station', 'museum', 'bakery']
const textOf = (i: number) => `Visitor ${i} went to the ${PLACES[i % PLACES.length]} and met keeper ${i % 31}.`
const CUES = ['who went to the museum?', 'keeper 17', 'the bakery', textOf(40)]
/** Long enough for questions that should not be asked. */
const WHILE_MS = 150

afterEach(() => {
  vi.useRealTimers()
})

/** A folder with a closed memory of so many episodes. */
async function withMemory(count: number, use: (path: string) => Promise<void>): Promise<void> {
  await withFolder(async (path) => {
    const db = await openMemory({ storage: nodeStorage(path), keepAfter: 1 })
    await db.observeMany(Array.from({ length: count }, (_, i) => ({ text: textOf(i), id: `m${i}` })))
    await db.close()
    await use(path)
  })
}

/** Opens a memory that warms up soon, and counts how often a question read the clock and how often one named a time. */
async function opened(path: string, options: Partial<EngineOptions> = {}) {
  const counts = { questions: 0, ofTime: 0 }
  const told = { asked: () => {} }
  const db = await openEngine({
    kernel,
    storage: nodeStorage(path),
    seed: 1,
    warmUp: true,
    warmUpAfterMs: 5,
    learnFromRecall: true,
    ...options,
    clock: () => {
      counts.questions++
      told.asked()
      return NOW
    },
    parts: {
      ...OWN_PARTS,
      time: () => {
        counts.ofTime++
        return OWN_PARTS.time()
      },
    },
  })
  counts.questions = 0
  return { db, counts, told }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('A memory that warmed up answers, counts and stores what it does without.', () =>
  withMemory(300, async (path) => {
    const journal = readFileSync(join(path, 'journal.agidb'))
    const answers = []
    for (const warmUp of [true, false]) {
      const { db, counts } = await opened(path, { warmUp })
      const changes: unknown[] = []
      db.subscribe((change) => changes.push(change.kind))
      if (warmUp) await expect.poll(() => counts.ofTime, { timeout: 30_000 }).toBeGreaterThan(0)
      expect(counts.questions > 0).toBe(warmUp)
      const told = []
      for (const cue of CUES) told.push({ ...(await db.recall(cue, { learn: false })), elapsedMs: 0 })
      await db.flush()
      const { memory: _, memoryParts: __, room: ___, ...stats } = await db.stats()
      answers.push({ told, stats, changes })
      await db.close()
      expect(readFileSync(join(path, 'journal.agidb'))).toEqual(journal)
    }
    expect(answers[0]).toEqual(answers[1])
  }))

test('The last of its questions names a time, and there are no more than thirty-three.', () =>
  withMemory(300, async (path) => {
    const { db, counts } = await opened(path)
    await expect.poll(() => counts.ofTime, { timeout: 30_000 }).toBeGreaterThan(0)
    await sleep(WHILE_MS)
    expect(counts.questions).toBeGreaterThan(1)
    expect(counts.questions).toBeLessThanOrEqual(33)
    await db.close()
  }))

test('A call while it asks ends it for good.', () =>
  withMemory(300, async (path) => {
    const { db, counts, told } = await opened(path)
    const called = new Promise<unknown>((resolve) => {
      told.asked = () => {
        told.asked = () => {}
        resolve(db.attentionTrace('rc_x'))
      }
    })
    expect(await called).toBeUndefined()
    await sleep(WHILE_MS)
    expect(counts).toEqual({ questions: 1, ofTime: 0 })
    await db.close()
  }))

test('A call before it asks makes it wait longer.', () =>
  withMemory(300, async (path) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { db, counts } = await opened(path, { warmUpAfterMs: 1_000 })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    await db.attentionTrace('rc_x')
    await vi.advanceTimersByTimeAsync(1_500)
    expect(counts.questions).toBe(0)
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    await expect.poll(() => counts.questions, { timeout: 30_000 }).toBeGreaterThan(0)
    await db.close()
  }))

test.each([
  ['waits', 0],
  ['asks', 1_000],
])('A memory that is closed while it %s leaves no timer.', (_, ms) =>
  withMemory(300, async (path) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { db, counts } = await opened(path, { warmUpAfterMs: 1_000 })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    vi.advanceTimersByTime(ms)
    await db.close()
    expect(vi.getTimerCount()).toBe(0)
    const { questions } = counts
    await vi.advanceTimersByTimeAsync(10_000)
    expect(counts).toEqual({ questions, ofTime: 0 })
  }))

test('A small memory is not warmed up.', () =>
  withMemory(255, async (path) => {
    const { db, counts } = await opened(path)
    await sleep(WHILE_MS)
    expect(counts.questions).toBe(0)
    await db.close()
  }))

test('Damage that it meets is told by the recall that meets it.', () =>
  withMemory(300, async (path) => {
    const file = join(path, 'journal.agidb')
    const bytes = readFileSync(file)
    bytes[bytes.indexOf(textOf(0)) + 'Visitor '.length] ^= 2
    writeFileSync(file, bytes)
    const { db, counts } = await opened(path)
    await sleep(WHILE_MS)
    expect(counts.questions).toBe(0)
    await expect(db.recall(textOf(0))).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    expect((await db.recall('keeper 17')).matches.length).toBeGreaterThan(0)
    await db.close()
  }))

test('In Node a folder is warmed up unless the program says no.', () =>
  withMemory(300, async (path) => {
    let questions = 0
    const options = { path, codebook: 'none', extract: 'none', clock: () => (questions++, NOW) } as const
    const without = await Agidb.open({ ...options, warmUp: false })
    questions = 0
    await sleep(1_500)
    expect(questions).toBe(0)
    await without.close()
    const db = await Agidb.open(options)
    questions = 0
    await expect.poll(() => questions, { timeout: 30_000 }).toBeGreaterThan(0)
    await db.close()
  }))

test('The option warmUp refuses what is not true or false, and the edge does not know it.', async () => {
  await expect(openMemory({ warmUp: 1 as never })).rejects.toThrow('warmUp must be true or false')
  const open = { storage: 'memory', warmUp: true } as never
  await expect(Edge.open(open)).rejects.toMatchObject({ code: 'AGIDB_UNKNOWN_OPTION' })
})

test('Nothing waits to warm up where the runtime does not ask for it, as on the edge.', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const db = await openMemory({ storage: memoryStorage() })
  await db.observeMany(Array.from({ length: 300 }, (_, i) => ({ text: textOf(i) })))
  expect(vi.getTimerCount()).toBe(0)
  await db.close()
})
