import { expect, test } from 'vitest'
import type { Agidb } from '../../../src/api/agidb.js'
import type { MemoryChange } from '../../../src/api/change.js'
import { begin } from '../../../src/api/live-query.js'
import { AgidbError } from '../../../src/base/errors.js'
import { share } from '../../../src/rpc/tabs/share.js'
import { connect } from '../../../src/rpc/worker/connect.js'
import { Disk } from './tabs/disk.js'
import { Origin } from './tabs/origin.js'
import { openTab } from './tabs/tab.js'
import { thread } from './worker/thread.js'

/** A live query that waits for its second answer, and the changes that a listener is told of. */
async function waiting(
  db: Agidb,
): Promise<{ next: Promise<unknown>; isOver: () => Promise<unknown>; kinds: string[] }> {
  const kinds: string[] = []
  db.subscribe(({ kind }: MemoryChange) => kinds.push(kind))
  const query = begin(
    db,
    () => db.count(),
    {},
    () => {},
  )
  await query.next()
  const next = query.next()
  next.catch(() => {})
  return { next, isOver: async () => (await query.next()).done, kinds }
}

test('listeners are told that the worker died, and live queries reject with it and are over', async () => {
  const { thread: one } = thread()
  const db = await connect(one, {})
  const { next, isOver, kinds } = await waiting(db)
  ;(one as unknown as EventTarget).dispatchEvent(new Event('error'))
  await expect(next).rejects.toMatchObject({ code: 'AGIDB_WORKER' })
  expect(await isOver()).toBe(true)
  expect(kinds).toEqual(['engineEnded'])
})

test('listeners are told that their tab cannot take over, and live queries reject with the reason', async () => {
  const [origin, disk] = [new Origin(), new Disk()]
  const { db: owner } = await openTab(origin, disk)
  const damaged = new AgidbError('AGIDB_CORRUPT', 'it cannot be opened here')
  const open = () => Promise.reject(damaged)
  const options = { name: 'test', place: origin.place(), open, writer: 'agidb', readOnly: false, pingMs: 20 }
  const db = await share(options)
  const { next, isOver, kinds } = await waiting(db)
  await owner.close()
  await expect(next).rejects.toBe(damaged)
  expect(await isOver()).toBe(true)
  expect(kinds).toEqual(['engineEnded'])
  await db.close()
})

test('a memory that is closed tells its listeners nothing', async () => {
  const db = await connect(thread().thread, {})
  const { kinds } = await waiting(db)
  await db.close()
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(kinds).toEqual([])
})
