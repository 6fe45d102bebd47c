import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { leaveRoom } from '../browser/browser-model.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { journalBytes } from '../../../../../e2e/pages/storage-places.js'
import type { AgidbError } from '../../../../../src/base/errors.js'
import { browserStorage } from '../../whole-browser-storage.js'
import type { StorageChange, CheckpointPart } from '../../../../../src/api/storage.js'
import { noise, openInto, put, puts } from '../../../../../src/storage/contract/episodes.js'

/**
 * A disk that is full while the image of the indexes, which can be made again, takes a part of it. All files share its
 * room.
 */

let count = 0
let name: string
let store: OpenedStore
beforeEach(async () => {
  name = `full ${count++}`
  store = new OpenedStore(browserStorage(name))
  await openInto(store)
  await store.commit(puts(0, 20, 1000))
  await store.flush()
})
afterEach(async () => {
  leaveRoom(Infinity)
  await store.close()
})

const image = (bytes: number): CheckpointPart[] => [{ name: 'a', array: () => noise(1, bytes) }]
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code }: AgidbError) => code,
  )
const bytes = async () => (await store.stats()).bytes

test('a commit on a full disk frees the checkpoint, and none is written until the next open', async () => {
  await store.parts.checkpoint!.write(image(100_000))
  leaveRoom(0)
  await store.commit([remove(0)])
  await store.commit([put(20, 50_000)])
  expect(await outcome(store.commit([put(21, 100_000)]))).toBe('AGIDB_QUOTA')
  await store.commit([put(21, 10)])
  expect(await outcome(store.parts.checkpoint!.write(image(10)))).toBe('AGIDB_QUOTA')
  await store.close()
  leaveRoom(Infinity)
  expect([...(await openInto(store)).kept.keys()]).toEqual([...Array.from({ length: 21 }, (_, i) => i + 1)])
  await store.parts.checkpoint!.write(image(10))
})

test('a compaction for which there is no room takes that of the image', async () => {
  await store.parts.checkpoint!.write(image(100_000))
  await store.commit([remove(0)])
  leaveRoom(0)
  await store.parts.maintenance!.compact()
  expect(await bytes()).toBeLessThan(70_000)
  await store.commit([put(20, 10)])
})

test('an image for which there is no room leaves no more behind than what was there before', async () => {
  leaveRoom(50_000)
  const before = await bytes()
  expect(await outcome(store.parts.checkpoint!.write(image(100_000)))).toBe('AGIDB_QUOTA')
  expect(await bytes()).toBe(before)
  await store.parts.checkpoint!.write(image(20_000))
  const kept = await bytes()
  expect(await outcome(store.parts.checkpoint!.write(image(100_000)))).toBe('AGIDB_QUOTA')
  expect(await bytes()).toBe(kept)
})

test('open on a full disk frees the checkpoint to keep the torn tail of the journal', async () => {
  await store.parts.checkpoint!.write(image(100_000))
  await store.close()
  const { read, write } = journalBytes(name)
  const whole = await read()
  await write(whole.subarray(0, whole.length - 7))
  leaveRoom(0)
  await openInto(store)
  expect((await store.stats()).opening.map(({ kind }) => kind)).toContain('torn-tail')
})
