import { expect, test } from 'vitest'
import type { MemoryChange } from '../../../../src/api/change.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

test.each([
  'before',
  'after',
] as const)('when the owner dies %s it writes an update, the next owner has done it once', async (when) => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  await owner.db.observe('The office is in Rome.', { id: 'a' })
  await client.db.update('a', { text: 'The office is in Oslo.' })
  disk.dieIn(1, when)
  const updated = await client.db.update('a', { text: 'The office is in Pune.', speaker: 'Ann' })
  expect(owner.place.isDead).toBe(true)
  expect(updated).toMatchObject({ text: 'The office is in Pune.', speaker: 'Ann', version: 3 })
  const history = await client.db.history('a')
  expect(history.map(({ version, episode: { text } }) => [version, text])).toEqual([
    [1, 'The office is in Rome.'],
    [2, 'The office is in Oslo.'],
    [3, 'The office is in Pune.'],
  ])
  expect(disk.count(6)).toBe(2)
  expect((await client.db.recall('office')).matches.map(({ text }) => text)).toEqual(['The office is in Pune.'])
  await client.db.close()
})

test('every tab is told of an update, and errors of one cross', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const tabs = [await openTab(origin, disk, { writer: 'one' }), await openTab(origin, disk, { writer: 'two' })]
  const told: MemoryChange[][] = [[], []]
  tabs.forEach(({ db }, i) => db.subscribe((change) => told[i].push(change)))
  await tabs[0].db.observe('The office is in Rome.', { id: 'a' })
  await tabs[1].db.update('a', { text: 'The office is in Oslo.' }, { keep: false })
  await expect.poll(() => told.map((changes) => changes.length)).toEqual([2, 2])
  for (const changes of told) expect(changes[1]).toMatchObject({ kind: 'episodeUpdated', ids: ['a'], writer: 'two' })
  expect(told.map(([, { own }]) => own)).toEqual([false, true])
  for (const { db } of tabs) {
    await expect(db.update('b', { text: 'x' })).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND', details: { id: 'b' } })
    await expect(db.update('a', { text: ' ' })).rejects.toMatchObject({ code: 'AGIDB_INVALID_TEXT' })
  }
  for (const { db } of tabs.reverse()) await db.close()
})
