import { afterEach, expect, test } from 'vitest'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { Progress } from '../../../../src/base/progress.js'
import type { Episode } from '../../../../src/api/episode.js'
import { AgidbError } from '../../../../src/base/errors.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { connected, open, thread } from '../../../unit/rpc/worker/thread.js'

const open_: Agidb[] = []
afterEach(async () => {
  for (const db of open_.splice(0)) await db.close()
})

async function opened(options = {}): Promise<Agidb> {
  const db = await connected(options)
  open_.push(db)
  return db
}

/** The AgidbError with which a call rejects. */
async function failure(call: Promise<unknown>): Promise<AgidbError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AgidbError)
  return error as AgidbError
}

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `id-${i}`,
    text: `observation number ${i}`,
    speaker: i % 2 ? 'Ann' : 'Bob',
  }))

test('gives the same answers as the engine in this thread', async () => {
  const seed = 7
  const [near, far] = [await open({ seed }), await opened({ seed })]
  for (const db of [near, far]) {
    await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah', at: new Date(0) })
    await db.observeMany(many(50))
    await db.supersede('id-3', 'id-4', '2030-01-01T00:00:00Z')
    expect(await db.update('id-5', { text: 'updated' })).toMatchObject({ text: 'updated', version: 2 })
    expect(await db.history('id-5')).toHaveLength(2)
    await db.flush()
  }
  const { elapsedMs: _, ...mine } = await near.recall('which thai place?', { k: 3, traceAttention: true })
  const { elapsedMs, ...theirs } = await far.recall('which thai place?', { k: 3, traceAttention: true })
  expect(theirs).toEqual(mine)
  expect(await far.attentionTrace(theirs.id)).toEqual(mine.attentionTrace)
  expect(await far.attentionTrace('rc_unknown')).toBeUndefined()
  expect(theirs.matches[0].text).toContain('Bawri')
  expect(elapsedMs).toBeGreaterThanOrEqual(0)
  expect(await far.getEpisode('id-3')).toEqual(await near.getEpisode('id-3'))
  expect(await far.getEpisode('nobody')).toBeUndefined()
  expect(await far.stats()).toEqual({
    ...(await near.stats()),
    memory: expect.any(Number),
    memoryParts: expect.any(Object),
  })
  await near.close()
})

test('an error keeps its code, message and details', async () => {
  const [near, far] = [await open({}), await opened()]
  for (const attempt of [
    (db: Agidb) => db.observe('  '),
    (db: Agidb) => db.observe('text', { colour: 'red' } as object),
    (db: Agidb) => db.observe('text', null as unknown as undefined),
    (db: Agidb) => db.observe('text', { at: 'yesterday-ish' }),
    (db: Agidb) =>
      db.observeMany([
        { text: 'a', id: 'same' },
        { text: 'b', id: 'same' },
      ]),
    (db: Agidb) => db.observeMany([{ text: 'a' }], 'fast' as unknown as object),
    (db: Agidb) => db.recall('cue', { k: 0 }),
    (db: Agidb) => db.recall('cue', null as unknown as undefined),
    (db: Agidb) => db.supersede('no', 'body'),
    (db: Agidb) => db.episodes({ limit: -1 })[Symbol.asyncIterator]().next(),
    (db: Agidb) => db.episodes({ after: 'nobody' })[Symbol.asyncIterator]().next(),
  ]) {
    const { code, message, details } = await failure(attempt(near))
    expect(await failure(attempt(far))).toMatchObject({ code, message, details })
  }
  await near.close()
})

test('what cannot be sent is refused with a reason', async () => {
  const db = await opened()
  const error = await failure(db.observe('text', { speaker: (() => 'Ann') as unknown as string }))
  expect(error.code).toBe('AGIDB_INVALID_ARGUMENT')
  expect(error.message).toMatch(/observe cannot be sent/)
  expect((await db.stats()).episodes).toBe(0)
})

test('a clock is refused, and a URL crosses as its text', async () => {
  expect(() => encodeOpenOptions({ clock: () => 0 })).toThrow(
    expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }),
  )
  expect(encodeOpenOptions({ name: 'x', kernel: new URL('https://example.org/kernel.wasm') })).toEqual({
    name: 'x',
    kernel: { url: 'https://example.org/kernel.wasm' },
  })
})

test('progress comes in order, and none after the answer', async () => {
  const db = await opened()
  const seen: Progress[] = []
  const ids = await db.observeMany(many(1_000), { onProgress: (progress) => seen.push(progress) })
  expect(ids).toHaveLength(1_000)
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b))
  expect(seen.at(-1)).toEqual({ done: 1_000, total: 1_000 })
})

test('a progress callback that throws ends the call with what it threw and stops the engine', async () => {
  const db = await opened()
  const thrown = new RangeError('enough')
  const call = db.observeMany(many(1_500), {
    onProgress: () => {
      throw thrown
    },
  })
  await expect(call).rejects.toBe(thrown)
  const kept = (await db.stats()).episodes
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(1_500)
})

test('an aborted observeMany ends after its last batch is durable and reports how many episodes are', async () => {
  const [near, far] = [await open({}), await opened()]
  const reason = new Error('changed my mind')
  for (const db of [near, far]) {
    const controller = new AbortController()
    const call = db.observeMany(many(1_500), { signal: controller.signal, onProgress: () => controller.abort(reason) })
    const error = await failure(call)
    const { episodes } = await db.stats()
    expect(error).toMatchObject({ code: 'AGIDB_ABORTED', details: { observed: episodes }, cause: reason })
    expect(error.message).toContain(`${episodes} of the items before it are durable`)
    expect(episodes).toBeGreaterThan(0)
    expect(episodes).toBeLessThan(1_500)
  }
  await near.close()
})

test('an abort after the last batch comes too late', async () => {
  const db = await opened()
  const controller = new AbortController()
  const call = db.observeMany(many(3), { signal: controller.signal, onProgress: () => controller.abort() })
  expect(await call).toHaveLength(3)
})

test('a recall that is aborted ends at once', async () => {
  const db = await opened()
  await db.observeMany(many(300))
  const controller = new AbortController()
  const reason = new Error('another question')
  const call = failure(db.recall('observation', { signal: controller.signal }))
  controller.abort(reason)
  expect(await call).toMatchObject({ code: 'AGIDB_ABORTED', cause: reason })
})

test('a signal that has fired already sends nothing', async () => {
  const db = await opened()
  const signal = AbortSignal.abort()
  expect((await failure(db.observeMany(many(3), { signal }))).code).toBe('AGIDB_ABORTED')
  expect((await failure(db.recall('x', { signal }))).code).toBe('AGIDB_ABORTED')
  expect((await db.stats()).episodes).toBe(0)
})

test('wrong signals and callbacks are refused', async () => {
  const db = await opened()
  expect((await failure(db.recall('x', { signal: 5 as unknown as AbortSignal }))).code).toBe('AGIDB_INVALID_ARGUMENT')
  expect((await failure(db.observeMany([], { onProgress: 5 as unknown as () => void }))).code).toBe(
    'AGIDB_INVALID_ARGUMENT',
  )
})

test('episodes come in pages, filtered, and the loop may be left early', async () => {
  const db = await opened()
  await db.observeMany(many(25))
  const pages: Episode[][] = []
  for await (const page of db.episodes({ limit: 10 })) pages.push(page)
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
  expect(pages.flat().map(({ id }) => id)).toEqual(many(25).map(({ id }) => id))
  for await (const page of db.episodes({ after: 'id-4', limit: 3, speaker: 'Ann' })) {
    expect(page.map(({ id }) => id)).toEqual(['id-5', 'id-7', 'id-9'])
    break
  }
})

test('an iteration goes on when the last episode of its page is removed, as in this thread', async () => {
  let engine: Engine | undefined
  const far = await connect(thread(async (options) => (engine = await open(options))).thread, {})
  open_.push(far)
  await far.observeMany(many(25))
  const seen: string[] = []
  for await (const page of far.episodes({ limit: 10 })) {
    const ids = page.map(({ id }) => id)
    seen.push(...ids)
    if (ids.includes('id-9')) await engine!.remove('id-9')
  }
  expect(seen).toEqual(many(25).map(({ id }) => id))
})

test('iterations go on side by side; of those that nobody ends, the ones left alone longest are ended', async () => {
  const db = await opened()
  await db.observeMany(many(3))
  const begun = Array.from({ length: 130 }, () => db.episodes({ limit: 1 })[Symbol.asyncIterator]())
  const nextId = async (pages: AsyncIterator<Episode[]>) => (await pages.next()).value?.[0].id
  for (const pages of begun) expect(await nextId(pages)).toBe('id-0')
  expect(await nextId(begun[129])).toBe('id-1')
  expect(await nextId(begun[129])).toBe('id-2')
  expect((await begun[129].next()).done).toBe(true)
  const error = await failure(begun[0].next())
  expect(error.code).toBe('AGIDB_NOT_FOUND')
  expect(error.message).toMatch(/begin it again/)
})

test('an iteration that is left early is let go of', async () => {
  const db = await opened()
  await db.observeMany(many(3))
  const kept = db.episodes({ limit: 1 })[Symbol.asyncIterator]()
  await kept.next()
  for (let i = 0; i < 200; i++) {
    for await (const page of db.episodes({ limit: 1 })) {
      expect(page).toHaveLength(1)
      break
    }
  }
  expect((await kept.next()).value?.[0].id).toBe('id-1')
})

test('close answers what was asked before, refuses what comes after, and ends the thread', async () => {
  const { thread: one, terminated } = thread()
  const db = await connect(one, {})
  const before = db.observeMany(many(10))
  const closed = db.close()
  expect((await failure(db.stats())).code).toBe('AGIDB_CLOSED')
  expect(await before).toHaveLength(10)
  await closed
  await db.close()
  expect(terminated()).toBe(true)
  expect((await failure(db.observe('late'))).code).toBe('AGIDB_CLOSED')
  expect((await failure(db.episodes()[Symbol.asyncIterator]().next())).code).toBe('AGIDB_CLOSED')
})

test('an opening that fails ends the thread and says why', async () => {
  const { thread: one, terminated } = thread()
  const error = await failure(connect(one, { limits: { textBytes: -1 } }))
  expect(error.code).toBe('AGIDB_INVALID_ARGUMENT')
  expect(terminated()).toBe(true)
})

test('a thread that fails rejects the calls that wait and those that come later', async () => {
  const { thread: one, terminated } = thread()
  const db = await connect(one, {})
  const waiting = Promise.all([failure(db.observeMany(many(2_000))), failure(db.recall('x'))])
  ;(one as unknown as EventTarget).dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }))
  for (const error of await waiting) {
    expect(error.code).toBe('AGIDB_WORKER')
    expect(error.message).toContain('out of memory')
  }
  expect((await failure(db.stats())).code).toBe('AGIDB_WORKER')
  expect(terminated()).toBe(true)
  await db.close()
})

test('many observations that cross in parts are checked together: one that is wrong leaves none behind', async () => {
  const db = await opened()
  const items = [...many(700), { text: '' }]
  const error = await failure(db.observeMany(items))
  expect(error.code).toBe('AGIDB_INVALID_TEXT')
  expect(error.message).toContain('items[700]')
  expect((await db.stats()).episodes).toBe(0)
  const uncloneable = await failure(
    db.observeMany([...many(700), { text: 'a', speaker: (() => {}) as unknown as string }]),
  )
  expect(uncloneable.code).toBe('AGIDB_INVALID_ARGUMENT')
  expect((await db.stats()).episodes).toBe(0)
  expect(await db.observeMany(many(700))).toHaveLength(700)
})

/** A database whose engine takes a moment for observations and keeps none, and the most of them that it had at once. */
async function busy(): Promise<{ db: Agidb; most: () => number }> {
  let [underway, most] = [0, 0]
  const { thread: one } = thread(async (options) => {
    const engine = await open(options)
    engine.observeMany = async (items) => {
      most = Math.max(most, (underway += items.length))
      await new Promise((resolve) => setTimeout(resolve, 20))
      underway -= items.length
      return items.map(({ id }) => id!)
    }
    return engine
  })
  const db = await connect(one, {})
  open_.push(db)
  return { db, most: () => most }
}

test('however many calls are under way, few of their items are with the engine before they are durable', async () => {
  const { db, most } = await busy()
  const call = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${name}-${i}`, text: `note ${i}` }))
  const calls = Array.from({ length: 8 }, (_, i) => db.observeMany(call(`c${i}`, 3_000)))
  const answers = await Promise.all(calls)
  expect(answers.map((ids) => ids[2_999])).toEqual(Array.from({ length: 8 }, (_, i) => `c${i}-2999`))
  expect(most()).toBeGreaterThan(3_000) // two at a time: one is encoded while the other is written
  expect(most()).toBeLessThanOrEqual(8_192)
  expect(await db.observeMany(call('large', 10_000))).toHaveLength(10_000) // more than that goes alone
})

test('a call that waits for room is aborted at once, and leaves the room to others', async () => {
  const { db } = await busy()
  let isFirstOver = false
  const first = db.observeMany(many(8_000)).then(() => (isFirstOver = true))
  const controller = new AbortController()
  const waiting = failure(db.observeMany(many(1_000), { signal: controller.signal }))
  const after = db.observeMany([...many(400), { id: 'after', text: 'after' }])
  controller.abort()
  expect((await waiting).code).toBe('AGIDB_ABORTED')
  expect(isFirstOver).toBe(false)
  await first
  expect((await after).at(-1)).toBe('after')
})
