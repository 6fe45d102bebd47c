import { expect, test } from 'vitest'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

test.each([
  'before',
  'after',
] as const)('when the owner dies %s it writes changes of another device, they are applied once', async (when) => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  const device = await openTab(new Origin(), new Disk())
  await owner.db.observe('The office is in Oslo.', { id: 'oslo' })
  await client.db.changes() // it notes what was written before
  await device.db.observe('The dentist moved to Hill Road.', { id: 'dentist' })
  const changes = await device.db.changes(await client.db.versionVector())
  disk.dieIn(1, when)
  const report = await client.db.apply(changes)
  expect(owner.place.isDead).toBe(true)
  // The second owner finds nothing new where the first had written it.
  expect(report).toMatchObject({ added: when === 'before' ? 1 : 0, updated: 0, removed: 0 })
  expect(await client.db.versionVector()).toEqual(report.vector)
  expect((await client.db.recall('dentist')).matches.map(({ id }) => id)).toContain('dentist')
  expect(await client.db.count()).toBe(2)
  await device.db.apply(await client.db.changes(await device.db.versionVector()))
  expect(await device.db.count()).toBe(2)
  for (const { db } of [client, device]) await db.close()
})
