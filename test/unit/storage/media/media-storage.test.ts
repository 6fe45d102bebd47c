import { AgidbError } from '../../../../src/base/errors.js'
import { describe, expect, test } from 'vitest'
import type { OpenedStorage, StorageAdapter } from '../../../../src/api/storage.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { noise, put } from '../../../../src/storage/contract/episodes.js'
import { storageContract } from '../../../../src/storage/contract/index.js'
import { mediaKind } from '../../../../src/records/kinds/media.js'
import { referenceOf } from '../../../../src/storage/media/media-row.js'
import { MediaStorage } from '../../../../src/storage/media/media-storage.js'
import { altered } from '../altered-adapter.js'
import { looseKeysInMemory, MemoryBucket } from './bucket.js'
import { asPieces, pieceRow, putPiece } from './pieces.js'

const contracted = (adapter: () => StorageAdapter) => storageContract({ durable: false }, () => ({ adapter }))
const whole = () => new MediaStorage(memoryStorage(), new MemoryBucket(), looseKeysInMemory().of)

describe('a storage with a bucket keeps the contract', () => {
  for (const { name, run } of contracted(whole)) test(name, run)
})

describe('a storage with a bucket in which all rows are pieces keeps the contract', () => {
  // A row without bytes is no piece; the bytes of the others are not those of the storage below.
  const isOfBytes = (name: string) => !name.startsWith('stats say')
  for (const { name, run } of contracted(() => asPieces(whole())).filter(({ name }) => isOfBytes(name))) test(name, run)
})

/** A storage over main memory, and what is behind it. */
async function opened(clock?: () => number) {
  const bucket = new MemoryBucket()
  const loose = looseKeysInMemory()
  let below: OpenedStorage | undefined
  let failing: ((changes: unknown) => void) | undefined
  const memory = altered(memoryStorage(), (found) => {
    below = found
    const { rows } = found
    return {
      rows: {
        ...rows,
        async commit(changes) {
          failing?.(changes)
          await rows.commit(changes)
        },
      },
    }
  })
  const storage = new MediaStorage(memory, bucket, loose.of, clock)
  const { rows, ...rest } = await storage.open(() => undefined)
  const failCommits = (fail: typeof failing) => (failing = fail)
  return { storage, bucket, loose, rows, rest, below: below!, failCommits }
}

const soundOf = (row: Uint8Array | undefined) => row && mediaKind.decode(row).bytes

describe('a piece of a picture or sound', () => {
  test('is in the bucket, and its row has the rest and where it is', async () => {
    const { bucket, loose, rows, below } = await opened()
    await rows.commit([put(0), putPiece(1)])
    const [stored] = await below.rows.get([1])
    const { key, about, ...place } = referenceOf(stored!)!
    expect(place).toEqual({ length: 500, checksum: expect.any(Number) })
    expect(about).toEqual(mediaKind.about!(putPiece(1).row))
    expect([...bucket.objects]).toEqual([[key, noise(1, 500)]])
    expect(key).toMatch(new RegExp(`^agidb/media/${below.databaseId}/1-`))
    expect(await rows.get([1, 0, 7])).toEqual([putPiece(1).row, put(0).row, undefined])
    expect(await rows.read([1])).toMatchObject([{ slot: 1, row: putPiece(1).row }])
    expect(loose.all()).toEqual([])
  })

  test('is deleted from the bucket when its row is removed or replaced', async () => {
    const { bucket, rows, loose } = await opened()
    await rows.commit([putPiece(0), putPiece(1), putPiece(2)])
    await rows.commit([
      { op: 'remove', slot: 0, id: 'md_0' },
      { op: 'update', slot: 1, id: 'md_1', row: pieceRow(1, noise(9, 100)) },
    ])
    expect([...bucket.objects.values()].map(({ length }) => length).sort()).toEqual([100, 500])
    expect(soundOf((await rows.get([1]))[0])).toEqual(noise(9, 100))
    expect(loose.all()).toEqual([])
  })

  test('is deleted also where one commit writes and removes it', async () => {
    const { bucket, rows } = await opened()
    await rows.commit([putPiece(0), { op: 'remove', slot: 0, id: 'md_0' }, putPiece(1)])
    expect(bucket.objects.size).toBe(1)
  })

  test('that was stored before the bucket was there is read as it is', async () => {
    const { bucket, rows, below } = await opened()
    await below.rows.commit([putPiece(0)])
    await rows.commit([putPiece(1)])
    expect((await rows.get([0, 1])).map(soundOf)).toEqual([noise(0, 500), noise(1, 500)])
    expect(bucket.objects.size).toBe(1)
    await rows.commit([{ op: 'remove', slot: 0, id: 'md_0' }])
    expect(bucket.objects.size).toBe(1)
  })

  test('that is damaged or gone is refused by name', async () => {
    const { bucket, rows } = await opened()
    await rows.commit([putPiece(0), putPiece(1)])
    const [first, second] = bucket.objects.keys()
    bucket.objects.get(first)![7] ^= 1
    bucket.objects.delete(second)
    await expect(rows.get([0])).rejects.toMatchObject({ code: 'AGIDB_CORRUPT', details: { key: first } })
    await expect(rows.read([1])).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND', details: { key: second } })
    await expect(rows.get([1])).rejects.toThrow(second)
    await rows.commit([0, 1].map((slot) => ({ op: 'remove', slot, id: `md_${slot}` })))
    expect(bucket.objects.size).toBe(0)
  })
})

describe('when something fails', () => {
  test('a bucket that takes no object fails the commit, and nothing stays', async () => {
    const { bucket, rows, loose } = await opened(() => 0)
    const taking = bucket.put.bind(bucket)
    let puts = 0
    bucket.put = async (key, bytes) => (++puts === 3 ? Promise.reject(new Error('no more')) : taking(key, bytes))
    await expect(rows.commit([putPiece(0), putPiece(1), putPiece(2)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    expect(await rows.slots()).toEqual([])
    expect(bucket.objects.size).toBe(0)
    // They stay listed, since the one that failed may still appear.
    expect(loose.all()).toHaveLength(3)
  })

  test('an object that appears late is deleted, too', async () => {
    let now = 1_000_000
    const { bucket, rows, loose, storage } = await opened(() => now)
    let late: [string, Uint8Array] | undefined
    const taking = bucket.put.bind(bucket)
    bucket.put = async (...given) => {
      late = given
      throw new Error('the connection was lost')
    }
    await expect(rows.commit([putPiece(0)])).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    await taking(...late!)
    expect(await storage.sweep()).toBe(false)
    expect(bucket.objects.size).toBe(0)
    now += 60_000
    expect(await storage.sweep()).toBe(true)
    expect(loose.all()).toEqual([])
  })

  test('a commit that fails leaves what was live, and no object of its own', async () => {
    const { bucket, rows, failCommits } = await opened()
    await rows.commit([putPiece(0)])
    failCommits(() => {
      throw new Error('no room')
    })
    const change = { op: 'update', slot: 0, id: 'md_0', row: pieceRow(0, noise(9, 100)) } as const
    await expect(rows.commit([change, putPiece(1)])).rejects.toThrow('no room')
    expect(bucket.objects.size).toBe(1)
    expect((await rows.get([0])).map(soundOf)).toEqual([noise(0, 500)])
  })

  test('what the bucket does not delete is deleted later, and the removal stands', async () => {
    const { bucket, rows, storage } = await opened()
    await rows.commit([putPiece(0)])
    const deleting = bucket.delete.bind(bucket)
    bucket.delete = () => Promise.reject(new Error('not now'))
    await rows.commit([{ op: 'remove', slot: 0, id: 'md_0' }])
    expect(await rows.slots()).toEqual([])
    expect(await storage.sweep()).toBe(false)
    expect(bucket.objects.size).toBe(1)
    bucket.delete = deleting
    expect(await storage.sweep()).toBe(true)
    expect(bucket.objects.size).toBe(0)
  })

  test('a key on the list whose row is live stays, whatever the list says', async () => {
    const { bucket, rows, loose, storage } = await opened()
    await rows.commit([putPiece(0)])
    await loose.of().add([...bucket.objects.keys()].map((key) => ({ key, since: 0 })))
    expect(await storage.sweep()).toBe(true)
    expect(bucket.objects.size).toBe(1)
  })
})

describe('a piece whose row is damaged', () => {
  test('is removed with its object, and until then its object stays', async () => {
    const { bucket, rows, below, storage, loose } = await opened()
    await rows.commit([putPiece(0), putPiece(1)])
    const reading = below.rows.get.bind(below.rows)
    below.rows.get = async (slots) => {
      if (slots.includes(1)) throw new AgidbError('AGIDB_CORRUPT', 'its checksum does not match')
      return reading(slots)
    }
    await loose.of().add([...bucket.objects.keys()].map((key) => ({ key, since: 0 })))
    expect(await storage.sweep()).toBe(true)
    expect(bucket.objects.size).toBe(2)
    await rows.commit([{ op: 'remove', slot: 1, id: 'md_1' }])
    below.rows.get = reading
    expect(await storage.sweep()).toBe(true)
    expect((await rows.get([0])).map(soundOf)).toEqual([noise(0, 500)])
    expect(bucket.objects.size).toBe(1)
  })
})

describe('when the whole content is replaced', () => {
  const stored = (slot: number, seed: number) => {
    const { op: _, ...episode } = putPiece(slot, seed)
    return episode
  }

  test('the objects of before are deleted, and no others', async () => {
    const { bucket, rows, loose } = await opened()
    await bucket.put('agidb/media/another/1-x', noise(1, 10))
    await rows.commit(Array.from({ length: 8 }, (_, slot) => putPiece(slot)))
    await rows.replace(async (add) => {
      await add([stored(0, 50), stored(1, 51)])
      await add([stored(2, 52)])
    })
    expect((await rows.get([0, 1, 2, 3])).map(soundOf)).toEqual(
      [50, 51, 52].map((seed) => noise(seed, 500)).concat(undefined as never),
    )
    expect(bucket.objects.size).toBe(4)
    expect(loose.all()).toEqual([])
  })

  test('and it fails, the objects of before stay, and no others', async () => {
    const { bucket, rows } = await opened()
    await rows.commit([putPiece(0), putPiece(1)])
    const failed = rows.replace(async (add) => {
      await add([stored(0, 50), stored(1, 51), stored(2, 52)])
      throw new RangeError('no more')
    })
    await expect(failed).rejects.toThrow(RangeError)
    expect(bucket.objects.size).toBe(2)
    expect((await rows.get([0, 1])).map(soundOf)).toEqual([noise(0, 500), noise(1, 500)])
  })
})

describe('when the whole content was replaced', () => {
  test('and the list cannot be written any more, it is replaced all the same', async () => {
    const list = looseKeysInMemory().of()
    const add = list.add
    let added = 0
    list.add = (keys) => (++added === 3 ? Promise.reject(new Error('not now')) : add(keys))
    const { rows } = await new MediaStorage(memoryStorage(), new MemoryBucket(), () => list).open(() => {})
    await rows.commit([putPiece(0)])
    const { op: _, ...episode } = putPiece(0, 50)
    await rows.replace((add) => add([episode]))
    expect(added).toBe(3)
    expect((await rows.get([0])).map(soundOf)).toEqual([noise(50, 500)])
  })
})

describe('scopes', () => {
  test('have objects and lists of their own', async () => {
    const bucket = new MemoryBucket()
    const loose = looseKeysInMemory()
    const storage = new MediaStorage(memoryStorage(), bucket, loose.of)
    const [own, scope] = await Promise.all([storage, storage.scope!('a'.repeat(32))].map((one) => one.open(() => {})))
    await own.rows.commit([putPiece(0)])
    await scope.rows.commit([putPiece(0, 5)])
    expect((await scope.rows.get([0])).map(soundOf)).toEqual([noise(5, 500)])
    bucket.delete = () => Promise.reject(new Error('not now'))
    await scope.rows.commit([{ op: 'remove', slot: 0, id: 'md_0' }])
    expect(await storage.sweep('a'.repeat(32))).toBe(false)
    expect(await storage.sweep()).toBe(true)
    expect(await loose.of().all()).toEqual([])
  })
})
