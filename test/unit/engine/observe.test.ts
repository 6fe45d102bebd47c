import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { listed, NOW, openMemory } from './open.js'

let db: Engine
beforeEach(async () => {
  db = await openMemory()
})
afterEach(() => db.close())

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ text: `memory number ${from + i}`, id: `m${from + i}` }))

describe('observe', () => {
  test('keeps all that it is given', async () => {
    const id = await db.observe('Sarah recommended Bawri.', {
      speaker: 'Sarah',
      session: 's1',
      source: 'chat',
      at: '2026-05-01T19:00:00+02:00',
      triples: [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }],
    })
    expect(id).toMatch(/^ep_[0-9A-Z]{26}$/)
    expect(await db.getEpisode(id)).toEqual({
      id,
      text: 'Sarah recommended Bawri.',
      speaker: 'Sarah',
      session: 's1',
      source: 'chat',
      at: '2026-05-01T17:00:00.000Z',
      recordedAt: new Date(NOW).toISOString(),
      triples: [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }],
      provenance: { source: 'chat', session: 's1', writer: 'agidb', episodes: [id] },
    })
  })

  test('Tags, metadata and the time of expiry come back with the episode and with a match.', async () => {
    const metadata = { topic: 'food', price: 12.5, seen: [true, null, { at: ['table', 'é😀'] }], empty: {} }
    const context = { tags: ['thai', 'dinner', 'thai'], metadata, expiresAt: '2030-01-01' }
    const id = await db.observe('Sarah recommended Bawri.', context)
    metadata.topic = 'changed by the caller afterwards'
    const given = {
      tags: ['thai', 'dinner'],
      metadata: { ...metadata, topic: 'food' },
      expiresAt: '2030-01-01T00:00:00.000Z',
    }
    expect(await db.getEpisode(id)).toMatchObject(given)
    expect((await db.recall('Bawri')).matches[0]).toMatchObject(given)
    expect(await db.observeMany([{ text: 'no tags', id: 'none', tags: [] }])).toEqual(['none'])
    expect(await db.getEpisode('none')).not.toHaveProperty('tags')
  })

  test('fills in the time, and nothing else', async () => {
    const id = await db.observe('Just so.')
    expect(await db.getEpisode(id)).toEqual({
      id,
      text: 'Just so.',
      at: new Date(NOW).toISOString(),
      recordedAt: new Date(NOW).toISOString(),
      triples: [],
      provenance: { writer: 'agidb', episodes: [id] },
    })
  })

  test.each([
    ['white space and line breaks', '  two\r\nlines\u0000 and\ttabs '],
    ['every plane of Unicode', 'é 東京 😀 👨‍👩‍👧 \u{10FFFF} \u202e'],
    ['a decomposed spelling', 'cafe\u0301'],
    ['64 KiB', 'x'.repeat(65_536)],
    ['what looks like JSON', '{"__proto__": null}'],
  ])('keeps a text as it is: %s', async (_, text) => {
    expect((await db.getEpisode(await db.observe(text)))?.text).toBe(text)
  })

  test.each([
    'ε日本語🙂',
    '__proto__',
    'a\u0000b',
    ' x ',
    'x'.repeat(256),
  ])('takes an id of the caller: %s', async (id) => {
    expect(await db.observe('Something.', { id })).toBe(id)
    expect((await db.getEpisode(id))?.id).toBe(id)
    expect(await db.getEpisode(`${id}x`)).toBeUndefined()
  })

  test('makes ids that the seed decides, and steps aside for those that are taken', async () => {
    const ids = [await db.observe('one'), await db.observe('two')]
    const twin = await openMemory()
    await twin.observe('in the way', { id: ids[1] })
    expect(await twin.observe('one')).toBe(ids[0])
    expect(await twin.observe('two')).not.toBe(ids[1])
    await twin.close()
  })

  test('keeps whole milliseconds of a finer clock', async () => {
    const fine = await openMemory({ clock: () => NOW + 0.75 })
    const id = await fine.observe('now')
    expect(id).toMatch(/^ep_[0-9A-Z]{26}$/)
    expect((await fine.getEpisode(id))?.at).toBe(new Date(NOW).toISOString())
    await fine.close()
  })

  test('does not hold on to what it was given', async () => {
    const at = new Date(NOW)
    const triples = [{ subject: 'a', predicate: 'b', object: 'c' }]
    const observed = db.observe('text', { id: 'x', at, triples })
    at.setTime(0)
    triples[0].subject = 'changed'
    triples.length = 0
    await observed
    expect(await db.getEpisode('x')).toMatchObject({ at: new Date(NOW).toISOString(), triples: [{ subject: 'a' }] })
  })
})

describe('observeMany', () => {
  test('keeps the order over many commits, and tells how far it is', async () => {
    const progress: unknown[] = []
    const ids = await db.observeMany(items(700), { onProgress: (now) => progress.push(now) })
    expect(ids).toEqual(items(700).map(({ id }) => id))
    expect((await listed(db, { limit: 10_000 })).map(({ id }) => id)).toEqual(ids)
    expect(progress).toEqual([256, 512, 700].map((done) => ({ done, total: 700 })))
  })

  test('of nothing is nothing', async () => {
    expect(await db.observeMany([])).toEqual([])
    expect((await db.stats()).episodes).toBe(0)
  })

  test('leaves nothing behind when the signal fired before', async () => {
    await expect(db.observeMany(items(3), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'AGIDB_ABORTED',
      details: { observed: 0 },
    })
    expect(await listed(db)).toEqual([])
    expect(await db.observeMany(items(3))).toHaveLength(3)
  })

  test('aborted between commits says how many are durable, and the rest can be observed again', async () => {
    const abort = new AbortController()
    const onProgress = () => abort.abort()
    await expect(db.observeMany(items(600), { signal: abort.signal, onProgress })).rejects.toMatchObject({
      code: 'AGIDB_ABORTED',
      details: { observed: 256 },
    })
    expect(await db.observeMany(items(344, 256))).toHaveLength(344)
    expect((await listed(db, { limit: 1000 })).map(({ id }) => id)).toEqual(items(600).map(({ id }) => id))
  })

  test('a progress callback that throws ends the call, and the ids of what was not written stay free', async () => {
    const onProgress = () => {
      throw new Error('from the callback')
    }
    await expect(db.observeMany(items(300), { onProgress })).rejects.toThrow('from the callback')
    expect((await db.stats()).episodes).toBe(256)
    await db.observeMany(items(44, 256))
    expect((await db.stats()).episodes).toBe(300)
  })
})

describe('episodes', () => {
  beforeEach(async () => {
    await db.observeMany(
      items(10).map((item, i) => ({
        ...item,
        session: i % 2 ? 's' : 't',
        speaker: i % 3 ? 'ann' : 'bob',
        source: i < 5 ? 'chat' : 'mail',
      })),
    )
  })
  const ids = async (options = {}) => (await listed(db, options)).map(({ id }) => id)

  test('come in pages', async () => {
    const pages = []
    for await (const page of db.episodes({ limit: 4 })) pages.push(page.length)
    expect(pages).toEqual([4, 4, 2])
  })

  test('start after one, and hold what is asked for', async () => {
    expect(await ids({ after: 'm6' })).toEqual(['m7', 'm8', 'm9'])
    expect(await ids({ after: 'm9' })).toEqual([])
    expect(await ids({ session: 's', limit: 2 })).toEqual(['m1', 'm3', 'm5', 'm7', 'm9'])
    expect(await ids({ speaker: 'bob', after: 'm1', limit: 1 })).toEqual(['m3', 'm6', 'm9'])
    expect(await ids({ source: 'mail', session: 't' })).toEqual(['m6', 'm8'])
    expect(await ids({ session: 'unknown' })).toEqual([])
  })

  test('come newest first where that is asked for', async () => {
    const newest = { order: 'newest' }
    expect(await ids(newest)).toEqual(['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2', 'm1', 'm0'])
    expect(await ids({ ...newest, limit: 3 })).toEqual(await ids(newest))
    expect(await ids({ ...newest, after: 'm3', limit: 2 })).toEqual(['m2', 'm1', 'm0'])
    expect(await ids({ ...newest, after: 'm0' })).toEqual([])
    expect(await ids({ ...newest, speaker: 'bob', limit: 1 })).toEqual(['m9', 'm6', 'm3', 'm0'])
    expect(await ids({ ...newest, filter: { source: 'chat' }, session: 't' })).toEqual(['m4', 'm2', 'm0'])
    await db.remove('m8')
    expect(await ids({ ...newest, limit: 2 })).toEqual(['m9', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2', 'm1', 'm0'])
  })

  test('leave out what is gone, and go on when it goes between pages', async () => {
    await db.remove('m2')
    const seen: string[] = []
    for await (const page of db.episodes({ limit: 2 })) {
      seen.push(...page.map(({ id }) => id))
      if (seen.length === 2) await db.remove('m3')
    }
    expect(seen).toEqual(['m0', 'm1', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'])
  })

  test('include what comes while they are read', async () => {
    const seen: string[] = []
    for await (const page of db.episodes({ limit: 6 })) {
      seen.push(...page.map(({ id }) => id))
      if (seen.length === 6) await db.observe('late', { id: 'late' })
    }
    expect(seen.at(-1)).toBe('late')
  })
})

describe('supersede', () => {
  beforeEach(async () => {
    await db.observe('Ann lives in Rome.', { id: 'rome', at: '2020-01-01' })
    await db.observe('Ann lives in Oslo.', { id: 'oslo', at: '2024-01-01' })
  })

  test('notes by what, from when, and when that was said', async () => {
    await db.supersede('rome', 'oslo')
    const superseded = { by: 'oslo', at: '2024-01-01T00:00:00.000Z', recordedAt: new Date(NOW).toISOString() }
    expect(await db.getEpisode('rome')).toMatchObject({ text: 'Ann lives in Rome.', superseded })
    expect((await db.getEpisode('oslo'))?.superseded).toBeUndefined()
  })

  test('takes a time of its own', async () => {
    await db.supersede('rome', 'oslo', new Date('2023-06-01'))
    expect((await db.getEpisode('rome'))?.superseded?.at).toBe('2023-06-01T00:00:00.000Z')
  })

  test('by something that began earlier ends it where it began', async () => {
    await db.supersede('oslo', 'rome')
    expect((await db.getEpisode('oslo'))?.superseded?.at).toBe('2024-01-01T00:00:00.000Z')
  })

  test.each<[string, () => Promise<void>, string, RegExp]>([
    ['itself', () => db.supersede('rome', 'rome'), 'AGIDB_INVALID_ARGUMENT', /itself/],
    ['an unknown one', () => db.supersede('paris', 'oslo'), 'AGIDB_NOT_FOUND', /"paris"/],
    ['by an unknown one', () => db.supersede('rome', 'paris'), 'AGIDB_NOT_FOUND', /"paris"/],
    [
      'before it began',
      () => db.supersede('rome', 'oslo', '2019-01-01'),
      'AGIDB_INVALID_ARGUMENT',
      /before episode rome began/,
    ],
    ['at no time', () => db.supersede('rome', 'oslo', '2024-02-30'), 'AGIDB_INVALID_TIME', /2024-02-30/],
    ['nothing', () => db.supersede(undefined as never, 'oslo'), 'AGIDB_INVALID_ARGUMENT', /id must be a string/],
    ['by nothing', () => db.supersede('rome', undefined as never), 'AGIDB_INVALID_ARGUMENT', /byId must be a string/],
  ])('%s is refused', async (_, call, code, message) => {
    await expect(call()).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    expect((await db.getEpisode('rome'))?.superseded).toBeUndefined()
  })

  test('twice is refused, and so is a circle', async () => {
    await db.observe('Ann lives in Bern.', { id: 'bern', at: '2025-01-01' })
    await db.supersede('rome', 'oslo')
    await db.supersede('oslo', 'bern')
    await expect(db.supersede('rome', 'bern')).rejects.toThrow(/already superseded by oslo/)
    await expect(db.supersede('bern', 'rome')).rejects.toThrow(/supersedes itself/)
  })

  test('of one at the same time: one wins, the other is told', async () => {
    await db.observe('Ann lives in Bern.', { id: 'bern', at: '2025-01-01' })
    const [first, second] = await Promise.allSettled([db.supersede('rome', 'oslo'), db.supersede('rome', 'bern')])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect((await db.getEpisode('rome'))?.superseded?.by).toBe('oslo')
  })

  test('of one that is just being observed waits for it', async () => {
    const observed = db.observe('Ann lives in Bern.', { id: 'bern', at: '2025-01-01' })
    await db.supersede('oslo', 'bern')
    await observed
    expect((await db.getEpisode('oslo'))?.superseded?.by).toBe('bern')
  })
})

describe('at the same time', () => {
  test('many observes share commits, keep their order and answer recalls meanwhile', async () => {
    const observed = items(600).map(({ text, id }) => db.observe(text, { id }))
    const recalled = Array.from({ length: 20 }, () => db.recall('memory number 17'))
    expect(await Promise.all(observed)).toEqual(items(600).map(({ id }) => id))
    await Promise.all(recalled)
    expect((await listed(db, { limit: 1000 })).map(({ id }) => id)).toEqual(items(600).map(({ id }) => id))
    expect((await db.recall('memory number 17')).matches[0].id).toBe('m17')
  })

  test('close waits for every observe that was asked for before it', async () => {
    const observed = items(1000).map(({ text, id }) => db.observe(text, { id }))
    const closed = db.close()
    expect(await Promise.all(observed)).toHaveLength(1000)
    await closed
  })

  test('removing one twice succeeds once, and its session stays whole', async () => {
    await db.observeMany(items(5).map((item) => ({ ...item, session: 's' })))
    const [first, second] = await Promise.allSettled([db.remove('m2'), db.remove('m2')])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'AGIDB_NOT_FOUND' } })
    await db.observe('memory number 9', { id: 'm9', session: 's' })
    const twin = await openMemory()
    await twin.observeMany(
      [...items(5).filter(({ id }) => id !== 'm2'), ...items(1, 9)].map((item) => ({ ...item, session: 's' })),
    )
    expect((await db.recall('memory number 4')).matches).toEqual((await twin.recall('memory number 4')).matches)
    await twin.close()
  })

  test('an id that was removed can be used again', async () => {
    await db.observe('first', { id: 'x' })
    await db.remove('x')
    await db.observe('second', { id: 'x' })
    expect((await db.getEpisode('x'))?.text).toBe('second')
  })
})

describe('stats', () => {
  test('count what is there', async () => {
    await db.observe('Fuel tanks.', {
      speaker: 'ann',
      session: 's',
      triples: [{ subject: 'Ann', predicate: 'fills', object: 'tank' }],
    })
    await db.observe('Fuel!', {
      speaker: 'bob',
      session: 's',
      triples: [{ subject: 'ANN', predicate: 'likes', object: 'fuel' }],
    })
    expect(await db.stats()).toMatchObject({
      episodes: 2,
      sessions: 1,
      speakers: 2,
      concepts: 3,
      terms: 4,
      durability: 'memory',
      storage: 'memory',
      kernel: 'wasm-simd',
      codebook: 'none',
      opening: [],
    })
    const { bytes, memory, durabilityReason } = await db.stats()
    expect(bytes).toBeGreaterThan(100)
    expect(memory).toBeGreaterThan(2048)
    expect(durabilityReason).not.toBe('')
  })
})
