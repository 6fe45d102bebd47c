import { describe, expect, test } from 'vitest'
import { METHODS } from '../../../src/api/registry.js'
import { Agidb as EdgeAgidb } from '../../../src/runtimes/edge/index.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { withFolder } from './open.js'

const MEMBERS = Object.keys(METHODS).map((name) => name.split('.')[0])
const PUBLIC = [...new Set(MEMBERS), 'listen', 'live', 'scope'].sort()

describe('the object that open gives', () => {
  test.each([
    ['Node', Agidb],
    ['the edge', EdgeAgidb],
  ])('has only the public methods, in %s', async (_, { open }) => {
    const db = await open({ storage: 'memory', codebook: 'none' })
    expect(Object.getOwnPropertyNames(db).sort()).toEqual(PUBLIC)
    for (const internal of ['forget', 'serve', 'receipts', 'release', 'received', 'callers', 'consider']) {
      expect((db as unknown as Record<string, unknown>)[internal], internal).toBeUndefined()
    }
    await db.close()
  })

  test('is closed by its asynchronous disposal, as by `await using`', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path, codebook: 'none' })
      await db.observe('It rains.', { id: 'rain' })
      await db[Symbol.asyncDispose]()
      await expect(db.observe('It still rains.')).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
      const again = await Agidb.open({ extract: 'none', path, codebook: 'none' })
      expect((await again.getEpisode('rain'))?.text).toBe('It rains.')
      await again[Symbol.asyncDispose]()
    })
  })
})

test('salvage says what to use instead where there is no browser', async () => {
  const message = expect.stringContaining('agidb verify --repair')
  await expect(Agidb.salvage()).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED', message })
  await expect(EdgeAgidb.salvage()).rejects.toMatchObject({ code: 'AGIDB_UNSUPPORTED' })
})

describe('a time given as a number', () => {
  const seconds = 1_777_662_000
  const early = [
    [seconds, '2026-05-01'],
    [seconds + 0.5, '2026-05-01'],
    [315_532_799_999, ''],
    [-1, ''],
  ] as const
  test.each(early)('is refused before 1980: %d', async (at, meant) => {
    const db = await Agidb.open({ extract: 'none', storage: 'memory', codebook: 'none' })
    const message = expect.stringMatching(new RegExp(`^at is the number .*${meant}.* Date or an ISO 8601 string$`))
    const observed = db.observe('The deploy failed.', { at })
    await expect(observed).rejects.toMatchObject({ code: 'AGIDB_INVALID_TIME', message })
    expect((await db.stats()).episodes).toBe(0)
    await db.close()
  })

  test('is taken from 1980 on, and so is any Date or string', async () => {
    const db = await Agidb.open({ extract: 'none', storage: 'memory', codebook: 'none' })
    for (const at of [0, 315_532_800_000, new Date(-1), '1969-07-20T20:17:40Z']) {
      const id = await db.observe('Something happened.', { at })
      expect((await db.getEpisode(id))?.at).toBe(new Date(at).toISOString())
    }
    await db.close()
  })
})
