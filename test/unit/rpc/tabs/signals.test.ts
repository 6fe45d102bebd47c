import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

test('a signal that outlives calls to another tab is left by them, and its abort is told nobody', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const owner = await openTab(origin, disk)
  const client = await openTab(origin, disk)
  const told: unknown[] = []
  client.place.posts = (message) => told.push((message as { readonly kind: string }).kind)
  const controller = new AbortController()
  const { signal } = controller
  for (let i = 0; i < 3; i++) await client.db.consolidate({ signal })
  expect(told).toContain('call')
  expect(getEventListeners(signal, 'abort')).toEqual([])
  controller.abort()
  expect(told).not.toContain('abort')
  await client.db.close()
  await owner.db.close()
})
