import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import type { RecallOptions } from '../../../src/api/recall.js'
import type { Engine } from '../../../src/engine/engine.js'
import { connected } from '../rpc/worker/thread.js'
import { listed, NOW, openMemory, withFolder } from '../engine/open.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'

const DAY = 86_400_000
const day = (days: number) => new Date(NOW + days * DAY).toISOString()

/** A parking permit a month, each with its end. */
const PERMITS = [
  { id: 'first', text: 'The parking permit is number 11.', at: day(-90), validTo: day(-60) },
  { id: 'second', text: 'The parking permit is number 22.', at: day(-60), validTo: day(-30) },
  { id: 'third', text: 'The parking permit is number 33.', at: day(-30), validTo: day(30) },
  { id: 'car', text: 'The car is a green Fiat.', at: day(-45) },
]

const found = async (db: Agidb, options: RecallOptions = {}) =>
  (await db.recall('which number has the parking permit?', options)).matches.map(({ id }) => id).sort()

let db: Engine
beforeEach(async () => {
  db = await openMemory()
  await db.observeMany(PERMITS)
})
afterEach(() => db.close())

describe('validTo', () => {
  test('is the time from which on an episode is not recalled any more', async () => {
    expect(await found(db)).toEqual(['car', 'third'])
    expect(await found(db, { validAsOf: day(-31) })).toEqual(['car', 'second'])
    expect(await found(db, { validAsOf: day(-30) })).toEqual(['car', 'third'])
    expect(await found(db, { validAsOf: day(40) })).toEqual(['car'])
    expect(await db.getEpisode('first')).toMatchObject({ at: day(-90), validTo: day(-60) })
    expect(await db.getEpisode('car')).not.toHaveProperty('validTo')
  })

  test('gives way to an earlier end by supersession, from when that is known', async () => {
    let now = NOW
    const later = await openMemory({ clock: () => now })
    await later.observeMany(PERMITS)
    now += DAY
    await later.supersede('third', 'car', day(-10))
    expect(await found(later)).toEqual(['car'])
    expect(await found(later, { validAsOf: day(-20) })).toEqual(['car', 'third'])
    expect(await found(later, { transactionAsOf: NOW, validAsOf: day(20) })).toEqual(['car', 'third'])
    expect(await found(later, { transactionAsOf: NOW, validAsOf: day(31) })).toEqual(['car'])
    await later.close()
  })

  test('is refused where it is not after the start, with both times named', async () => {
    const observe = (at: string | undefined, validTo: unknown) => db.observe('x', { at, validTo: validTo as string })
    await expect(observe(day(0), day(-1))).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: `validTo is ${day(-1)}, which is not after at, ${day(0)}; expected a later time`,
    })
    await expect(observe(undefined, day(0))).rejects.toThrow(
      `validTo is ${day(0)}, which is not after at, which is now by default, ${day(0)}; expected a later time`,
    )
    await expect(observe(undefined, 'soon')).rejects.toMatchObject({ code: 'AGIDB_INVALID_TIME' })
    await expect(db.observeMany([{ text: 'a' }, { text: 'b', at: day(0), validTo: day(0) }])).rejects.toThrow(
      /^items\[1\]\.validTo is /,
    )
    expect((await db.stats()).episodes).toBe(PERMITS.length)
  })

  test('outlives a restart, with an image and without, and an export', async () => {
    await withFolder(async (path) => {
      const open = () => openEngine({ kernel, storage: nodeStorage(path), clock: () => NOW, seed: 1, keepAfter: 1 })
      let kept = await open()
      await kept.observeMany(PERMITS)
      await kept.supersede('third', 'car', day(10))
      for (let round = 0; round < 2; round++) {
        await kept.close()
        kept = await open()
        expect(await found(kept)).toEqual(['car', 'third'])
        expect(await found(kept, { validAsOf: day(15) })).toEqual(['car'])
        expect(await found(kept, { validAsOf: day(-31) })).toEqual(['car', 'second'])
      }
      for (const format of ['agidb', 'jsonl'] as const) {
        const copy = await openMemory()
        await copy.import(await kept.export({ format }))
        expect(await found(copy, { validAsOf: day(-31) })).toEqual(['car', 'second'])
        await copy.close()
      }
      await kept.close()
    })
  })
})

describe('a range of time', () => {
  test('shows recall only what began in it: from its start on, and before its end', async () => {
    const during = (from?: string, to?: string) => found(db, { at: { from, to }, validAsOf: day(-29) })
    expect(await during(day(-60), day(-30))).toEqual(['car'])
    expect(await during(day(-45), undefined)).toEqual(['car', 'third'])
    expect(await during(undefined, day(-45))).toEqual([])
    expect(await during()).toEqual(['car', 'third'])
    expect(await found(db, { at: { from: day(-30), to: day(-29) }, context: 1 })).toEqual(['third'])
  })

  test('and the time that the cue names must both hold', async () => {
    const asked = async (options: RecallOptions) =>
      (await db.recall('what happened yesterday?', options)).matches.map(({ id }) => id)
    await db.observe('We washed it.', { id: 'morning', at: day(-1) })
    expect(await asked({ at: { from: day(-50) } })).toEqual(['morning'])
    expect(await asked({ at: { to: day(-20) } })).not.toContain('morning')
  })

  test('lists only the episodes that began in it, page by page', async () => {
    const ids = async (at: object, limit = 1) => (await listed(db, { at, limit })).map(({ id }) => id)
    expect(await ids({ from: day(-60), to: day(-30) })).toEqual(['second', 'car'])
    expect(await ids({ to: day(-60) })).toEqual(['first'])
    expect(await ids({})).toHaveLength(PERMITS.length)
  })

  test('that ends before it starts is refused, and so is one without a start or an end by these names', async () => {
    const message = `at.to is ${day(-2)}, which is not after at.from, ${day(-1)}; expected a later time`
    await expect(db.recall('x', { at: { from: day(-1), to: day(-2) } })).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message,
    })
    await expect(listed(db, { at: { from: day(-1), to: day(-2) } })).rejects.toMatchObject({ message })
    await expect(db.recall('x', { at: { since: day(-1) } as object })).rejects.toThrow(
      'at has no option "since"; known are from, to',
    )
    await expect(db.recall('x', { at: day(-1) as never })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  })
})

test('an engine in another thread takes an end, a range of time, a least confidence and a pattern alone', async () => {
  const far = await connected()
  await far.observeMany(PERMITS)
  await far.observe('Anna fired Tom.', {
    id: 'fired',
    at: day(-5),
    triples: [{ subject: 'Anna', predicate: 'fired', object: 'Tom' }],
  })
  expect(await found(far, { validAsOf: day(-31) })).toEqual(['car', 'second'])
  expect(await found(far, { at: { from: day(-6), to: day(-4) }, validAsOf: NOW })).toEqual(['fired'])
  expect((await listed(far, { at: { from: day(-6) } })).map(({ id }) => id)).toEqual(['fired'])
  expect(
    (await far.recall(undefined, { structured: { object: 'Tom' }, minConfidence: 0.5 })).matches.map(({ id }) => id),
  ).toEqual(['fired'])
  await far.close()
})
