import { expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { type Arena, type Kernel, SIGNATURE_BYTES } from '../../../src/kernel/port.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { kernel } from '../encoding/kernel.js'
import { listed, NOW, openMemory } from './open.js'

/** The real kernel, with arenas that refuse a signature once they hold so many as `most` says. */
function bounded(most: () => number): Kernel {
  const arena = (): Arena => {
    const held = kernel.arena()
    const set = held.set.bind(held)
    held.set = (slot, signature) => {
      if (held.size >= most()) throw new AgidbError('AGIDB_KERNEL', 'the memory of the kernel is full')
      set(slot, signature)
    }
    held.setMany = (slots, signatures) =>
      slots.forEach((slot, i) => held.set(slot, signatures.subarray(i * SIGNATURE_BYTES, (i + 1) * SIGNATURE_BYTES)))
    return held
  }
  return new Proxy(kernel, {
    get: (target, key) => {
      if (key === 'arena') return arena
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('what the kernel has no room for is not kept, and what was there goes on', async () => {
  const storage = memoryStorage()
  const db = await openMemory({ kernel: bounded(() => 3), storage })
  await db.observeMany([
    { id: 'a', text: 'apples are red' },
    { id: 'b', text: 'bananas are yellow' },
  ])
  const batch = [
    { id: 'c', text: 'cherries are dark' },
    { id: 'd', text: 'dates are brown' },
    { id: 'e', text: 'elderberries are black' },
  ]
  await expect(db.observeMany(batch)).rejects.toMatchObject({ code: 'AGIDB_KERNEL' })
  expect((await listed(db)).map(({ id }) => id)).toEqual(['a', 'b'])
  expect((await db.recall('cherries dates')).matches.map(({ id }) => id).sort()).toEqual(['a', 'b'])
  await db.observe('cherries are dark', { id: 'c' })
  expect((await db.recall('cherries')).matches[0].id).toBe('c')
  expect(await db.stats()).toMatchObject({ episodes: 3 })
  await db.close()
})

test('Frames are observed again once the kernel has room for the episode that it had no room for.', async () => {
  const storage = memoryStorage()
  let now = NOW
  const room = { most: 100 }
  const db = await openMemory({ kernel: bounded(() => room.most), storage, clock: () => now, surpriseThreshold: 0 })
  await db.observeMany(Array.from({ length: 20 }, (_, i) => ({ text: `lantern ${i}` })))
  const observe = (text: string) => db.observeSensory({ modality: 'text', text })
  expect(await observe('apples are red')).toHaveProperty('promotedTo')
  now += 120_000 // longer than frames are kept
  room.most = 21
  await expect(observe('bananas are yellow')).rejects.toMatchObject({ code: 'AGIDB_KERNEL' })
  room.most = 100
  expect(await observe('cherries are dark')).toHaveProperty('promotedTo')
  expect((await db.workingState()).frames.map(({ text }) => text)).toEqual(['cherries are dark'])
  await db.close()
})
