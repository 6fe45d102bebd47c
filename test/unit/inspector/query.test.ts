import { describe, expect, test } from 'vitest'
import { density } from '../../../src/inspector/memories/density.js'
import { Pages } from '../../../src/inspector/memories/pages.js'
import { filterOf, isOfKind, NOTHING_ASKED, rowOf } from '../../../src/inspector/memories/query.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

describe('what is looked for', () => {
  test('is no filter where nothing is asked, and one of all that is', () => {
    expect(filterOf({ ...NOTHING_ASKED, cue: 'x', kind: 'said' })).toBeUndefined()
    expect(filterOf({ ...NOTHING_ASKED, speaker: 'Ann', from: '2026-05-01', to: '2026-05-01' })).toEqual({
      speaker: 'Ann',
      at: { from: new Date(2026, 4, 1), to: new Date(2026, 4, 2) },
    })
    expect((filterOf({ ...NOTHING_ASKED, from: '0030-01-01' })!.at!.from as Date).getFullYear()).toBe(30)
  })

  test('has kinds, and rows that say what sets a memory apart', async () => {
    const db = await Agidb.open({ storage: 'memory' })
    await db.observe('one', { id: 'one' })
    await db.observe('two', { id: 'two', validTo: '2100-01-01' })
    await db.update('one', { text: 'One.' })
    await db.supersede('one', 'two')
    const [one, two] = [(await db.getEpisode('one'))!, (await db.getEpisode('two'))!]
    const kinds = ['', 'said', 'document', 'perceived', 'edited', 'replaced', 'expiring'] as const
    expect(kinds.filter((kind) => isOfKind(one, kind))).toEqual(['', 'said', 'edited', 'replaced'])
    expect(kinds.filter((kind) => isOfKind(two, kind))).toEqual(['', 'said', 'expiring'])
    expect(rowOf(one).marks).toEqual(['replaced', 'edited'])
    await db.close()
  })
})

describe('pages', () => {
  test('are read as far as they are needed, newest first, and take in what comes', async () => {
    const db = await Agidb.open({ storage: 'memory' })
    await db.observeMany(Array.from({ length: 450 }, (_, i) => ({ id: `m${i}`, text: `Turn ${i}` })))
    const pages = new Pages(db, NOTHING_ASKED)
    await pages.more(10)
    expect([pages.rows.length, pages.total, pages.isDone]).toEqual([100, 450, false])
    await db.observe('Late', { id: 'late' })
    expect(await pages.latest()).toBe(1)
    await pages.more(1_000)
    expect([pages.rows.length, pages.total, pages.isDone]).toEqual([451, 451, true])
    expect(pages.rows.map(({ id }) => id)).toEqual(['late', ...Array.from({ length: 450 }, (_, i) => `m${449 - i}`)])
    await db.remove('m5')
    await db.observe('Later', { id: 'later' })
    expect(await pages.latest()).toBeUndefined() // more changed than what came
    await db.close()
  })

  test('of a kind hold those of it, and know how many only at the end', async () => {
    const db = await Agidb.open({ storage: 'memory' })
    await db.observeMany(Array.from({ length: 300 }, (_, i) => ({ id: `m${i}`, text: `Turn ${i}` })))
    await db.update('m3', { text: 'Changed' })
    const pages = new Pages(db, { ...NOTHING_ASKED, kind: 'edited' })
    await pages.more(1)
    expect(pages.rows.map(({ id }) => id)).toEqual(['m3'])
    await pages.more(2)
    expect([pages.total, pages.isDone]).toEqual([1, true])
    await db.close()
  })
})

test('the density counts every memory once, between the first and the last day', async () => {
  const db = await Agidb.open({ storage: 'memory' })
  expect(await density(db, undefined, 10)).toBeUndefined()
  const days = ['0044-03-15', '1969-07-20', '2026-05-01', '2026-05-01', '2400-01-01']
  await db.observeMany(days.map((at) => ({ text: 'It happened.', at, speaker: at.startsWith('2') ? 'new' : 'old' })))
  const all = (await density(db, undefined, 10))!
  expect([new Date(all.from).toISOString(), new Date(all.to).toISOString()]).toEqual([
    '0044-03-15T00:00:00.000Z',
    '2400-01-02T00:00:00.000Z',
  ])
  expect(all.counts.reduce((a, b) => a + b)).toBe(5)
  const some = (await density(db, { speaker: 'new' }, 4))!
  expect(new Date(some.from).toISOString()).toBe('2026-05-01T00:00:00.000Z')
  expect(some.counts).toEqual([2, 0, 0, 1])
  await db.close()
})
