import { expect, test } from 'vitest'
import { AgidbError } from '../../../src/base/errors.js'
import { type Arena, type Kernel, SIGNATURE_BYTES } from '../../../src/kernel/port.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { kernel } from '../encoding/kernel.js'
import { listed, openMemory } from './open.js'

/** The real kernel, with arenas that refuse a signature once they hold so many. */
function bounded(most: number): Kernel {
  const arena = (): Arena => {
    const held = kernel.arena()
    const set = held.set.bind(held)
    held.set = (slot, signature) => {
      if (held.size >= most) throw new AgidbError('AGIDB_KERNEL', 'the memory of the kernel is full')
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
  const db = await openMemory({ kernel: bounded(3), storage })
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
