import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import { decodeEpisode } from '../../../src/records/kinds/episode.js'
import { Indexes } from '../../../src/indexes/indexes.js'
import { COMMIT_EPISODES } from '../../../src/write/write-queue.js'
import { Writer } from '../../../src/write/writer.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import type { RowStore } from '../../../src/api/storage.js'
import { kernel } from '../encoding/kernel.js'

const AT = '2027-01-15T08:00:00.000Z'
const episodes = (name: string, count: number): Episode[] =>
  Array.from({ length: count }, (_, i) => {
    const id = `${name}-${i}`
    return {
      id,
      text: `word${i % 7} of ${name}`,
      at: AT,
      recordedAt: AT,
      triples: [],
      provenance: { writer: 'test', episodes: [id] },
    }
  })

/** A storage in memory whose writes take until they are let go of, or fail; and what was encoded and stored so far. */
async function setUp() {
  const { rows: memory } = await memoryStorage().open(() => {})
  const indexes = new Indexes(kernel)
  const counts = { encoded: 0, stored: 0, commits: [] as string[][] }
  let gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined
  const failing = new Set<number>()
  let attempts = 0
  const storage: RowStore = {
    ...memory,
    async commit(changes) {
      const attempt = attempts++
      await gate?.opened
      await new Promise((resolve) => setTimeout(resolve, 0)) // a write is never done at once
      if (failing.has(attempt)) throw new Error(`write ${attempt} failed`)
      await memory.commit(changes)
      counts.commits.push(changes.map(({ id }) => id))
      counts.stored += changes.length
    },
  }
  const encodeMany = indexes.encodeMany.bind(indexes)
  indexes.encodeMany = (...args) => {
    counts.encoded += args[0].length
    return encodeMany(...args)
  }
  const hold = () => {
    let open!: () => void
    gate = { opened: new Promise((resolve) => (open = resolve)), open: () => open() }
    return () => {
      gate = undefined
      open()
    }
  }
  return { writer: new Writer(storage, indexes, 0), storage, indexes, counts, hold, failing }
}

/** Lets everything that can go on go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('calls that wait while the writer ends are refused', async () => {
  const { writer, counts } = await setUp()
  const ending = writer.still(async () => writer.end())
  const added = [writer.add(episodes('one', 2)), writer.add(episodes('two', 2 * COMMIT_EPISODES))]
  await ending
  for (const call of added) await expect(call).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  await expect(writer.add(episodes('three', 1))).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  expect(counts.stored).toBe(0)
})

test('what is left of a long call is refused when the writer ends between its commits', async () => {
  const { writer, counts } = await setUp()
  const added = writer.add(episodes('long', 2 * COMMIT_EPISODES))
  const ending = writer.still(async () => writer.end())
  await expect(added).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  await ending
  expect(counts.stored).toBe(COMMIT_EPISODES)
})

test('A transaction whose episodes cannot be encoded takes back what its draft has changed.', async () => {
  const { writer, indexes } = await setUp()
  indexes.encodeMany = () => {
    throw new Error('cannot be encoded')
  }
  let isUndone = false
  const draft = () => ({
    episodes: episodes('bad', 1),
    records: [],
    receipt: { caller: { writer: 'test', from: 'test' } },
    done: () => {},
    undo: async () => void (isUndone = true),
  })
  await expect(writer.transact(draft)).rejects.toThrow('cannot be encoded')
  expect(isUndone).toBe(true)
})

describe('a pipeline of commits', () => {
  test('encodes the next commit while one is being written, and never more than that', async () => {
    const { writer, counts, hold, indexes } = await setUp()
    const release = hold()
    const calls = Array.from({ length: 12 }, (_, i) => writer.add(episodes(`call${i}`, 600)))
    await expect.poll(() => counts.encoded, { timeout: 30_000 }).toBe(2 * COMMIT_EPISODES)
    await settle()
    expect(counts.encoded).toBe(2 * COMMIT_EPISODES)
    expect(indexes.catalog.size).toBe(0) // nothing is there before it is durable
    release()
    await Promise.all(calls)
    expect(counts).toMatchObject({ encoded: 7200, stored: 7200 })
    expect(indexes.catalog.size).toBe(7200)
  })

  test('keeps the order of a call, in slots and in what it is told', async () => {
    const { writer, indexes } = await setUp()
    const told: number[] = []
    await writer.add(episodes('a', 600), { durable: (done) => told.push(done) })
    expect(told).toEqual([256, 512, 600])
    expect(Array.from(indexes.catalog.slots(), (slot) => indexes.catalog.id(slot))).toEqual(
      episodes('a', 600).map(({ id }) => id),
    )
  })

  test('lets a short call pass before a long one is through', async () => {
    const { writer, counts } = await setUp()
    const long = writer.add(episodes('long', 2000))
    const short = writer.add(episodes('short', 1))
    await short
    expect(counts.stored).toBeLessThan(2000)
    await long
  })

  test('a write that fails ends its call: nothing of it or after it is there, and calls beside it go on', async () => {
    const { writer, indexes, failing, storage } = await setUp()
    failing.add(1)
    const [first, second] = [writer.add(episodes('first', 600)), writer.add(episodes('second', 300))]
    // The commits are 256 of the first, 256 of the second, the rest of both by turns.
    await expect(second).rejects.toThrow('write 1 failed')
    await first
    const ids = Array.from(indexes.catalog.slots(), (slot) => indexes.catalog.id(slot))
    expect(ids).toEqual(episodes('first', 600).map(({ id }) => id))
    const rows = await storage.get([...indexes.catalog.slots()])
    expect(rows.map((row) => decodeEpisode(row!).id)).toEqual(ids)
  })

  test('a call that may not begin its next commit ends there', async () => {
    const { writer, counts } = await setUp()
    let commits = 0
    const begin = () => {
      if (commits++ === 1) throw new Error('enough')
    }
    await expect(writer.add(episodes('a', 600), { begin })).rejects.toThrow('enough')
    await writer.idle()
    expect(counts.stored).toBe(256)
  })

  test('whoever is told and throws ends the call, and what was told is durable', async () => {
    const { writer, counts } = await setUp()
    const durable = () => {
      throw new Error('from the callback')
    }
    await expect(writer.add(episodes('a', 600), { durable })).rejects.toThrow('from the callback')
    await writer.idle()
    expect(counts.stored).toBe(256)
  })

  test('what cannot be encoded fails its own call alone', async () => {
    const { writer, indexes, counts } = await setUp()
    const { encodeMany } = indexes
    indexes.encodeMany = (episodes, ...rest) => {
      if ((episodes as readonly Episode[]).some(({ id }) => id === 'bad-3')) throw new Error('cannot be encoded')
      return encodeMany(episodes, ...rest)
    }
    const [good, bad] = [writer.add(episodes('good', 300)), writer.add(episodes('bad', 300))]
    await expect(bad).rejects.toThrow('cannot be encoded')
    await good
    expect(counts.stored).toBe(300)
  })
})

test('whatever fails, each call stores a prefix of its episodes in storage and indexes alike', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.uniqueArray(fc.nat(8), { maxLength: 3 }), async (sizes, failures) => {
      const { writer, indexes, failing, storage, counts } = await setUp()
      for (const failure of failures) failing.add(failure)
      const calls = sizes.map((size, i) => {
        const call = { name: `c${i}`, size, told: 0, ok: false }
        const durable = (done: number) => (call.told = done)
        return Object.assign(call, {
          over: writer.add(episodes(call.name, size), { durable }).then(
            () => (call.ok = true),
            () => (call.ok = false),
          ),
        })
      })
      await Promise.all(calls.map(({ over }) => over))
      await writer.idle()
      for (const { name, size, told, ok } of calls) {
        expect(ok ? told : told % COMMIT_EPISODES).toBe(ok ? size : 0)
        const slots = episodes(name, size).map(({ id }) => indexes.catalog.slot(id))
        expect(slots.slice(0, told)).toEqual([...slots.slice(0, told)].sort((a, b) => a! - b!))
        expect(slots.slice(told).every((slot) => slot === undefined)).toBe(true)
      }
      const slots = [...indexes.catalog.slots()]
      const rows = await storage.get(slots)
      expect(rows.map((row) => decodeEpisode(row!).id)).toEqual(slots.map((slot) => indexes.catalog.id(slot)))
      expect(counts.stored).toBe(slots.length)
      expect(indexes.postings.documents).toBe(slots.length)
    }),
    { numRuns: 15 },
  )
}, 120_000)
