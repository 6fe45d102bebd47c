import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { Catalog } from '../../../../src/indexes/catalog.js'
import { ways } from '../../../../src/recall/sequence/follow.js'
import { NOW, openMemory } from '../../engine/open.js'

const line = { step: (slot: number) => (slot < 9 ? slot + 1 : -1), edge: 'forward', weight: 0.8, hops: 3 } as const
const ends = (found: readonly { readonly slots: readonly number[] }[]) => found.map(({ slots }) => slots.at(-1))

describe('ways from an event', () => {
  it('lead to what comes next, the nearest first, step by step', () => {
    const found = ways(2, { ...line, passed: new Set(), beyond: () => -1, isLight: () => false })
    expect(found.map(({ slots }) => slots)).toEqual([
      [2, 3],
      [2, 3, 4],
      [2, 3, 4, 5],
    ])
  })

  it('pass over what tells of the event, too, without a hop', () => {
    expect(ends(ways(2, { ...line, passed: new Set([3, 5]), beyond: () => -1, isLight: () => false }))).toEqual([
      4, 6, 7,
    ])
  })

  it('go on beyond the end of a session, and stop where nothing is left', () => {
    expect(
      ends(ways(8, { ...line, passed: new Set(), beyond: (slot) => (slot === 9 ? 20 : -1), isLight: () => false })),
    ).toEqual([9, 20])
  })

  it('never come back to where they were', () => {
    expect(ends(ways(8, { ...line, passed: new Set(), beyond: () => 8, isLight: () => false }))).toEqual([9])
  })
})

describe('across sessions', () => {
  const HOUR = 3_600_000
  let db: Engine
  beforeEach(async () => {
    db = await openMemory({ extract: 'none' })
    // Recorded in another order than that of their times.
    await db.observeMany([
      { id: 'boat', text: 'They painted the boat green.', session: 'b', at: NOW - 2 * HOUR },
      { id: 'otter', text: 'An otter stole the sandwich.', session: 'a', at: NOW - 5 * HOUR },
      { id: 'letter', text: 'The letter from Lisbon came.', session: 'a', at: NOW - 4 * HOUR },
      { id: 'roof', text: 'Rain came through the roof.', at: NOW - 3 * HOUR },
    ])
  })
  afterEach(() => db.close())

  it('the next in time follows the last of a session', async () => {
    const { matches } = await db.recall('what happened right after the letter from Lisbon?', { k: 1 })
    expect(matches[0]).toMatchObject({ id: 'roof', why: [{ from: 'letter', edge: 'forward', to: 'roof' }] })
  })

  it('what may be seen is found out a few times, however many steps lie between two events', async () => {
    const turns = [...Array(30).keys()].map((i) => ({ id: `t${i}`, text: `Turn ${i}.`, at: NOW - (100 - i) * HOUR }))
    turns[3].text = 'The ferry sank.'
    turns[25].text = 'The lighthouse burned.'
    await db.observeMany(turns)
    const masks = vi.spyOn(Catalog.prototype, 'mask')
    const { matches } = await db.recall('what happened between the ferry sank and the lighthouse burned?', { k: 5 })
    expect(matches.every(({ id }) => Number(id.slice(1)) > 3 && Number(id.slice(1)) < 25)).toBe(true)
    expect(masks.mock.calls.length).toBeLessThan(15)
    masks.mockRestore()
  })

  it('an episode without a session lies between what was before and after it in time', async () => {
    const after = await db.recall('what happened right after rain came through the roof?', { k: 1 })
    const before = await db.recall('what happened just before rain came through the roof?', { k: 1 })
    expect([after.matches[0].id, before.matches[0].id]).toEqual(['boat', 'letter'])
  })
})
