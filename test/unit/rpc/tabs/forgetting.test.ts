import { expect, test } from 'vitest'
import type { MemoryChange } from '../../../../src/api/change.js'
import { listed } from '../../engine/open.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

test.each([
  'before',
  'after',
] as const)('when the owner dies %s it writes an unlearning, the next owner has done it once', async (when) => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  await owner.db.observe('The office is in Rome.', { id: 'a', session: 's' })
  await owner.db.observe('The garden is in Oslo.', { id: 'b' })
  disk.dieIn(1, when)
  const report = await client.db.unlearn({ session: 's' }, 'asked for')
  expect(owner.place.isDead).toBe(true)
  expect(report).toMatchObject({ auditId: expect.stringMatching(/^au_/), episodesRemoved: 1 })
  expect(await client.db.unlearnHistory(0)).toMatchObject([{ auditId: report.auditId, state: 'restorable' }])
  expect((await listed(client.db)).map(({ id }) => id)).toEqual(['b'])
  await client.db.close()
})

test.each([
  'before',
  'after',
] as const)('when the owner dies %s it writes a restoration, the next owner has done it once', async (when) => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  await owner.db.observe('The office is in Rome.', { id: 'a', session: 's' })
  const { auditId } = await client.db.unlearn({ session: 's' }, 'asked for')
  disk.dieIn(1, when)
  // Done twice, it would be refused: it is restored already.
  expect(await client.db.restoreWithinWindow(auditId!)).toMatchObject({ auditId, episodesRestored: 1 })
  expect(owner.place.isDead).toBe(true)
  expect((await listed(client.db)).map(({ id }) => id)).toEqual(['a'])
  const restored = await client.db.whatDidILearn(0, { kinds: ['restored'] })
  expect(restored).toHaveLength(1)
  await client.db.close()
})

test('every tab is told of what is forgotten and of what is back, and errors cross', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const tabs = [await openTab(origin, disk, { writer: 'one' }), await openTab(origin, disk, { writer: 'two' })]
  const told: MemoryChange[][] = [[], []]
  tabs.forEach(({ db }, i) => db.subscribe((change) => told[i].push(change)))
  await tabs[0].db.observe('The office is in Rome.', { id: 'a' })
  const { auditId } = await tabs[1].db.unlearn({ episode: 'a' }, 'r')
  await tabs[0].db.restoreWithinWindow(auditId!)
  const kinds = () => told.map((changes) => changes.flatMap(({ kind }) => (kind.startsWith('episode') ? [kind] : [])))
  await expect.poll(kinds).toEqual([
    ['episodeStored', 'episodeRemoved', 'episodeStored'],
    ['episodeStored', 'episodeRemoved', 'episodeStored'],
  ])
  for (const { db } of tabs) {
    await expect(db.unlearn({ episode: 'b' }, 'r')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await expect(db.restoreWithinWindow(auditId!)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
  }
  for (const { db } of tabs.reverse()) await db.close()
})
