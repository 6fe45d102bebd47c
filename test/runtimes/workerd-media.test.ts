import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callObject, startWorkerd, workerdProcesses } from './workerd.js'

const ENTRY = fileURLToPath(new URL('album.ts', import.meta.url))
const MB = 2 ** 20

let folder: string
let workerd: Miniflare

const start = () => startWorkerd(ENTRY, { ALBUM: 'Album', LATER: 'Later' }, folder, ['MEDIA', 'BACKUPS'])
const call = (user: string, method: string, ...args: unknown[]) => callObject(workerd, user, method, args)

/** What is used of the bucket of miniflare, whose own types are those of a Worker. */
interface TestBucket {
  list(): Promise<{ readonly objects: readonly { readonly key: string; readonly size: number }[] }>
  put(key: string, text: string): Promise<unknown>
  delete(keys: string | string[]): Promise<unknown>
}

const bucketOf = async () => (await workerd.getR2Bucket('MEDIA')) as unknown as TestBucket

/** The keys of what is in the bucket, and how many bytes it is. */
async function inBucket(): Promise<{ readonly keys: string[]; readonly bytes: number }> {
  const { objects } = await (await bucketOf()).list()
  return { keys: objects.map(({ key }) => key), bytes: objects.reduce((sum, { size }) => sum + size, 0) }
}

/** Ends workerd as the platform ends it that loses its machine, and starts another. */
async function killed(): Promise<void> {
  const [{ id }] = await workerdProcesses()
  process.kill(id, 'SIGKILL')
  await workerd.dispose()
  workerd = await start()
}

async function evicted(): Promise<void> {
  await workerd.dispose()
  workerd = await start()
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agidb-album-'))
  workerd = await start()
})
afterAll(async () => {
  await workerd.dispose()
  await rm(folder, { recursive: true, force: true })
})

describe('pictures that are kept in an R2 bucket', () => {
  test('have their bytes there, are read after an eviction, and are not read when the memory is opened', async () => {
    await call('ALBUM ann', 'keep', 'harbour', 3, 2.5 * MB)
    await call('ALBUM ann', 'keep', 'garden', 4, 1_000)
    expect(await inBucket()).toMatchObject({ keys: { length: 4 }, bytes: 2.5 * MB + 1_000 })
    expect(Number(await call('ALBUM ann', 'rowBytes'))).toBeLessThan(20_000)
    await evicted()
    const kept = [{ sense: 'image', bytes: 2.5 * MB }]
    expect(await call('ALBUM ann', 'listMedia', 'harbour')).toMatchObject(kept)
    expect(await call('ALBUM ann', 'gets')).toBe(0)
    expect(await call('ALBUM ann', 'seedOf', 'harbour')).toBe(3)
    expect(await call('ALBUM ann', 'seedOf', 'garden')).toBe(4)
    expect(await call('ALBUM ann', 'stats')).toMatchObject({ storage: expect.stringContaining('media in a bucket') })
  })

  test('are deleted from it when they are forgotten, and no others', async () => {
    await call('ALBUM ann', 'unlearnOne', 'harbour')
    await expect.poll(async () => (await inBucket()).bytes).toBe(1_000)
    expect(await call('ALBUM ann', 'seedOf', 'garden')).toBe(4)
    await call('ALBUM ann', 'unlearnOne', 'garden')
    await expect.poll(async () => (await inBucket()).keys).toEqual([])
    await expect.poll(() => call('ALBUM ann', 'listed')).toBe(0)
  })

  test('are deleted from it by the alarm when they expire', async () => {
    await call('ALBUM bob', 'keep', 'ticket', 5, 1_000, null, { expiresAt: new Date(Date.now() + 2_000) })
    expect((await inBucket()).keys).toHaveLength(1)
    await expect.poll(async () => (await inBucket()).keys).toEqual([])
  })

  test('of a scope are its own, and are deleted when it is asked to forget them', async () => {
    await call('ALBUM cleo', 'keep', 'one', 6, 1_000)
    await call('ALBUM cleo', 'keep', 'one', 7, 1_000, 'ann')
    expect(await call('ALBUM cleo', 'seedOf', 'one', 'ann')).toBe(7)
    await evicted()
    await call('ALBUM cleo', 'unlearnOne', 'one', 'ann')
    await expect.poll(async () => (await inBucket()).keys).toHaveLength(1)
    expect(await call('ALBUM cleo', 'seedOf', 'one')).toBe(6)
    await call('ALBUM cleo', 'unlearnOne', 'one')
  })

  test('come with an export, and take the place of those that were there', async () => {
    await call('ALBUM dora', 'keep', 'one', 8, 1.5 * MB)
    await call('ALBUM emil', 'keep', 'two', 9, 1_000)
    expect(await call('ALBUM dora', 'backUp', 'dora')).toBeGreaterThan(1.5 * MB)
    expect(await call('ALBUM emil', 'comeBack', 'dora')).toBe(1)
    expect(await call('ALBUM emil', 'seedOf', 'one')).toBe(8)
    await expect.poll(async () => (await inBucket()).bytes).toBe(3 * MB)
    await evicted()
    expect(await call('ALBUM emil', 'seedOf', 'one')).toBe(8)
    for (const user of ['ALBUM dora', 'ALBUM emil']) await call(user, 'unlearnOne', 'one')
    await expect.poll(async () => (await inBucket()).keys).toEqual([])
  })

  test('that are damaged or gone are refused by their keys, and can be forgotten', async () => {
    await call('ALBUM gina', 'keep', 'one', 10, 1_000)
    const [key] = (await inBucket()).keys
    const bucket = await bucketOf()
    await bucket.put(key, 'something else')
    const refused = (code: string) => ({ code, message: expect.stringContaining(key) })
    await expect(call('ALBUM gina', 'seedOf', 'one')).rejects.toMatchObject(refused('AGIDB_CORRUPT'))
    await bucket.delete(key)
    await expect(call('ALBUM gina', 'seedOf', 'one')).rejects.toMatchObject(refused('AGIDB_NOT_FOUND'))
    await expect(call('ALBUM gina', 'backUp', 'gina')).rejects.toMatchObject(refused('AGIDB_NOT_FOUND'))
    await call('ALBUM gina', 'unlearnOne', 'one')
    expect(await call('ALBUM gina', 'backUp', 'gina')).toBeGreaterThan(0)
  })
})

describe('a process that ends between an object and its commit', () => {
  test.each([
    ['of the memory', null],
    ['of a scope', 'ann'],
  ])('leaves no object behind: %s', async (_, user) => {
    const name = `ALBUM hugo ${user}`
    await call(name, 'keep', 'kept', 11, 1_000, user)
    await call(name, 'hang')
    const hanging = call(name, 'keep', 'lost', 12, 2.5 * MB, user).catch(() => 'ended')
    await expect.poll(async () => (await inBucket()).keys).toHaveLength(4)
    await killed()
    expect(await hanging).toBe('ended')
    // This opens the memory of the object; that of its scope only the alarm opens.
    await call(name, 'count')
    await expect.poll(async () => (await inBucket()).keys).toHaveLength(1)
    expect(await call(name, 'seedOf', 'kept', user)).toBe(11)
    await expect(call(name, 'seedOf', 'lost', user)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await call(name, 'unlearnOne', 'kept', user)
    await expect.poll(async () => (await inBucket()).keys).toEqual([])
  })
})

describe('a memory that had pictures before a bucket was bound', () => {
  test('goes on reading them, and is not opened without it once it has others in it', async () => {
    await call('LATER ida', 'keep', 'before', 13, 1_000)
    await call('LATER ida', 'bind', true)
    await evicted()
    await call('LATER ida', 'keep', 'after', 14, 1_000)
    expect((await inBucket()).bytes).toBe(1_000)
    expect(await call('LATER ida', 'seedOf', 'before')).toBe(13)
    expect(await call('LATER ida', 'seedOf', 'after')).toBe(14)
    await call('LATER ida', 'bind', false)
    await evicted()
    await expect(call('LATER ida', 'count')).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
      message: expect.stringContaining('mediaBucket'),
    })
    await call('LATER ida', 'bind', true)
    await evicted()
    await call('LATER ida', 'unlearnOne', 'after')
    await call('LATER ida', 'unlearnOne', 'before')
    await expect.poll(async () => (await inBucket()).keys).toEqual([])
    await call('LATER ida', 'bind', false)
    await evicted()
    expect(await call('LATER ida', 'count')).toBe(0)
  })
})
