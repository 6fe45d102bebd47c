import { beforeEach, expect, test, vi } from 'vitest'
import { AgidbObject, type ObjectOptions } from '../../../../src/runtimes/cloudflare/object.js'
import { TestStorage } from './test-storage.js'

vi.mock('cloudflare:workers', () => ({
  DurableObject: class {},
}))

let storage: TestStorage

beforeEach(() => {
  storage = new TestStorage()
})

function objectWith(options: ObjectOptions = {}): AgidbObject {
  class Memory extends AgidbObject {
    override options = { referenceKernel: true, ...options } as ObjectOptions
  }
  return new Memory({ storage }, {})
}

test('an object whose first alarm cannot be set answers the next call', async () => {
  const first = objectWith()
  await first.observe('Ann likes tea')
  await (await first.open()).close()

  const object = objectWith()
  vi.spyOn(storage, 'getAlarm').mockRejectedValueOnce(new Error('the alarm is out of reach'))
  await expect(object.observe('Ann likes cake')).rejects.toThrow('the alarm is out of reach')
  await object.observe('Ann likes cake')
  expect((await object.stats()).episodes).toBe(2)
  await (await object.open()).close()
})

test.each([
  '10m',
  -1,
  NaN,
  Infinity,
  366 * 86_400_000,
])('consolidateAfterMs: %o is refused before anything is stored', async (consolidateAfterMs) => {
  const object = objectWith({ consolidateAfterMs } as ObjectOptions)
  await expect(object.open()).rejects.toMatchObject({
    code: 'AGIDB_INVALID_ARGUMENT',
    details: { what: 'consolidateAfterMs' },
  })
  expect(storage.sql.exec('SELECT name FROM sqlite_master').toArray()).toEqual([])
})
