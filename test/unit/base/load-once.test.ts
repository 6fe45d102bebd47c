import { expect, test } from 'vitest'
import { loadOnce, ofLoaded } from '../../../src/base/load-once.js'

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

test('a method of what is loaded takes what it was given when it was called', async () => {
  const join = ofLoaded(
    async () => ' and ',
    (between: string, names: string[], { last }: { last: string }) => [...names, last].join(between),
  )
  const names = ['Ann']
  const options = { last: 'Bob' }
  const joined = join(names, options)
  names.push('Carl')
  options.last = 'Dora'
  expect(await joined).toBe('Ann and Bob')
})
