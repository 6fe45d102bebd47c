import { expect, test } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { exported } from '../../../unit/transfer/exported.js'
import { everyFloor } from '../../../unit/transfer/floors.js'
import { listed } from '../../../unit/engine/open.js'
import { connected, open } from '../../../unit/rpc/worker/thread.js'

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `id-${i}`, text: `observation number ${i} ${'word '.repeat(200)}` }))

test('a memory crosses in pieces, out of one worker and into another', async () => {
  const [one, other, near] = [await connected({ seed: 1 }), await connected(), await open({ seed: 1 })]
  for (const db of [one, near]) {
    await everyFloor(db)
    await db.observeMany(many(500))
  }
  const bytes = await exported(one)
  expect(bytes.length).toBe((await exported(near)).length)
  const seen: number[] = []
  const report = await other.import(new Blob([new Uint8Array(bytes)]), { onProgress: ({ done }) => seen.push(done) })
  expect(report).toMatchObject({ format: 'agidb', episodes: 512 })
  expect(seen.length).toBeGreaterThan(1)
  expect(await listed(other)).toEqual(await listed(one))
  expect(bytes.length).toBeGreaterThan(0) // what was sent is still here
  expect(await other.selfVector()).toEqual(await one.selfVector())
  // From one straight into the other.
  await other.import(await one.export({ passphrase: 'secret' }), { passphrase: 'secret', replace: true })
  expect(await listed(other)).toEqual(await listed(one))
  for (const db of [one, other, near]) await db.close()
})

test('an import that fails on either side changes nothing, and the next one works', async () => {
  const [one, other] = [await connected(), await connected()]
  await one.observeMany(many(300))
  const bytes = await exported(one)
  await other.observe('It was here before.')
  const failing = async (source: Parameters<typeof other.import>[0], code: string, options = {}) => {
    const error = await other.import(source, { replace: true, ...options }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(AgidbError)
    expect((error as AgidbError).code).toBe(code)
    expect(await listed(other)).toHaveLength(1)
  }
  await failing(bytes, 'AGIDB_NOT_EMPTY', { replace: false })
  await failing(bytes.subarray(0, 5000), 'AGIDB_CORRUPT')
  await failing(
    (async function* () {
      yield bytes.subarray(0, 100_000)
      throw new Error('offline')
    })(),
    'AGIDB_STORAGE',
  )
  await failing([5 as unknown as Uint8Array], 'AGIDB_INVALID_ARGUMENT')
  await failing(5 as unknown as Uint8Array, 'AGIDB_INVALID_ARGUMENT')
  const stop = new AbortController()
  await failing(
    (async function* () {
      yield bytes.subarray(0, 100_000)
      stop.abort()
      await new Promise(() => {})
    })(),
    'AGIDB_ABORTED',
    { signal: stop.signal },
  )
  expect(await other.import(bytes, { replace: true })).toMatchObject({ episodes: 300 })
  for (const db of [one, other]) await db.close()
})

test('an export that is cancelled, or whose memory is closed, ends', async () => {
  const db = await connected()
  await db.observeMany(many(300))
  for (let i = 0; i < 40; i++) await (await db.export()).cancel() // more than can be under way
  const left = (await db.export()).getReader()
  await left.read()
  await db.close()
  await expect(left.read()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
})
