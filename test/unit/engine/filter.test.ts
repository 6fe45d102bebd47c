import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import type { Filter } from '../../../src/api/filter.js'
import type { Engine } from '../../../src/engine/engine.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { runs } from '../../runs.js'
import { attributes, filters, passes } from '../indexes/naive-filter.js'
import { listed, openMemory, withFolder } from './open.js'

let db: Engine
beforeEach(async () => {
  db = await openMemory()
})
afterEach(() => db.close())

const WORDS = ['harbour', 'lantern', 'violin', 'orchard', 'granite', 'saddle']
const observations = fc.array(
  fc.tuple(attributes, fc.subarray(WORDS, { minLength: 1, maxLength: 3 })).map(([given, words]) => ({
    ...given,
    text: `the ${words.join(' and the ')}`,
  })),
  { minLength: 1, maxLength: 12 },
)
const changes = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('update' as const), which: fc.nat(11), fields: attributes }),
    fc.record({ op: fc.constant('supersede' as const), which: fc.nat(11), by: fc.nat(11) }),
    fc.record({ op: fc.constant('remove' as const), which: fc.nat(11) }),
  ),
  { maxLength: 6 },
)

test('episodes and count give what passes a filter, whatever was updated, superseded and removed.', async () => {
  await fc.assert(
    fc.asyncProperty(
      observations,
      changes,
      fc.array(filters, { minLength: 1, maxLength: 5 }),
      async (all, steps, asked) => {
        // Nothing has expired yet: what has is erased in the background, between one list and the next.
        const db = await openMemory({ clock: () => Date.UTC(2023, 0, 1) })
        const ids = await db.observeMany(all.map((one, i) => ({ ...one, id: `e${i}` }) as never))
        for (const { op, which, ...step } of steps) {
          const id = ids[which % ids.length]!
          // A step that makes no sense here is refused, and nothing has changed.
          if (op === 'remove') await db.remove(id).catch(() => {})
          else if (op === 'supersede') await db.supersede(id, `e${(step as { by: number }).by}`).catch(() => {})
          else await db.update(id, { ...(step as { fields: object }).fields, tags: null }).catch(() => {})
        }
        const episodes = (await listed(db)) as unknown as Episode[]
        for (const filter of asked) {
          const expected = episodes.filter((episode) => passes(episode, filter))
          expect(await listed(db, { filter, limit: 2 })).toEqual(expected)
          expect(await db.count(filter)).toBe(expected.length)
        }
        expect(await db.count()).toBe(episodes.length)
        await db.close()
      },
    ),
    { numRuns: runs(40) },
  )
})

test('A recall finds all that passes its filter where k covers it, ordered by that alone.', async () => {
  await fc.assert(
    fc.asyncProperty(observations, filters, fc.constantFrom(...WORDS), async (all, filter, word) => {
      // Nothing has expired yet: what has, no recall shows.
      const db = await openMemory({ clock: () => Date.UTC(2023, 0, 1) })
      await db.observeMany(all.map((one, i) => ({ ...one, id: `e${i}` }) as never))
      const passing = (await listed(db, { filter })).map(({ id }) => id)
      const recalled = async (filter: Filter, speaker?: string) => {
        const { matches } = await db.recall(`the ${word} of the saddle`, { k: 100, fold: false, filter, speaker })
        return matches
      }
      const found = await recalled(filter)
      expect(found.map(({ id }) => id).sort()).toEqual([...passing].sort())
      expect(found).toEqual(await recalled({ id: ['nobody', ...passing] }))
      expect(await recalled({ speaker: 'Ann' })).toEqual(await recalled({}, 'Ann'))
      await db.close()
    }),
    { numRuns: runs(60) },
  )
})

test('Where one name stood several may stand, in recall and in episodes.', async () => {
  for (const [i, speaker] of ['Ann', 'Bob', 'Cem', undefined].entries())
    await db.observe(`the harbour at ${i} o'clock`, { id: `e${i}`, speaker, session: `s${i % 2}`, source: 'chat' })
  const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id).sort()
  expect(ids(await listed(db, { speaker: ['Ann', 'Cem'] }))).toEqual(['e0', 'e2'])
  expect(ids(await listed(db, { speaker: ['Ann', 'Bob'], session: ['s1'] }))).toEqual(['e1'])
  expect(ids((await db.recall('harbour', { speaker: ['Bob', 'Cem', 'Dan'] })).matches)).toEqual(['e1', 'e2'])
  expect(ids((await db.recall('harbour', { session: ['s0', 's1'], source: ['mail', 'chat'] })).matches)).toEqual([
    'e0',
    'e1',
    'e2',
    'e3',
  ])
  expect((await db.recall('harbour', { speaker: ['Dan'] })).matches).toEqual([])
})

test('A cue that names a time is answered with what was said then and passes the filter.', async () => {
  await db.observe('We launched the boat.', { id: 'a', at: '2026-05-01', tags: ['boat'] })
  await db.observe('We painted the mast.', { id: 'b', at: '2026-05-03', tags: ['boat'] })
  await db.observe('We bought a kite.', { id: 'c', at: '2026-05-03', tags: ['kite'] })
  const { matches } = await db.recall('what happened in May 2026?', { filter: { tags: 'boat' } })
  expect(matches.map(({ id }) => id).sort()).toEqual(['a', 'b'])
})

test('A filter works the same after the memory was opened again, from a checkpoint and without one.', () =>
  withFolder(async (path) => {
    const filter = { tags: 'red', metadata: { 'order.total': { gte: 10 } } }
    for (const keepAfter of [1, Infinity]) {
      const folder = `${path}-${keepAfter}`
      const first = await openMemory({ storage: nodeStorage(folder), keepAfter })
      await first.observe('the harbour', { id: 'a', tags: ['red'], metadata: { order: { total: 12 } } })
      await first.observe('the lantern', { id: 'b', tags: ['red'], metadata: { order: { total: 9 } } })
      await first.observe('the violin', { id: 'c', tags: ['blue'] })
      await first.close()
      const again = await openMemory({ storage: nodeStorage(folder), keepAfter })
      expect([await again.count(filter), await again.count({ tags: ['red', 'blue'] })]).toEqual([1, 3])
      await again.update('b', { metadata: { order: { total: 10 } } })
      await again.remove('a')
      expect((await listed(again, { filter })).map(({ id }) => id)).toEqual(['b'])
      await again.close()
    }
  }))
