import { expect, test } from 'vitest'
import { loadOnce } from '../../../src/base/load-once.js'

test('all calls get what was loaded once', async () => {
  let loads = 0
  const load = loadOnce(async () => ({ number: ++loads }))
  const [one, other] = await Promise.all([load(), load()])
  expect(one).toEqual({ number: 1 })
  expect(other).toBe(one)
  expect(await load()).toBe(one)
})

test('what could not be loaded is tried again by the next call', async () => {
  let loads = 0
  const load = loadOnce(async () => {
    if (++loads === 1) throw new Error('no network')
    return loads
  })
  await expect(Promise.all([load(), load()])).rejects.toThrow('no network')
  expect(await load()).toBe(2)
  expect(await load()).toBe(2)
})
