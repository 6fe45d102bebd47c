import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pace } from '../../../src/base/pace.js'

let now = 0
/** Works for longer than a loop may. */
const work = (): void => void (now += 20)

beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => vi.restoreAllMocks())

test('a loop goes on at once, unless it has worked for long', () => {
  const rest = pace()
  expect(rest()).toBeUndefined()
  work()
  expect(rest()).toBeInstanceOf(Promise)
})

test('a timer that waits gets its turn, and the loop may work for as long again after each', async () => {
  const rest = pace()
  let isServed = false
  setTimeout(() => (isServed = true), 0)
  while (!isServed) {
    work()
    await rest()
    expect(rest()).toBeUndefined()
  }
})

test('calls that share a pace wait for the same turn, and go on in their order', async () => {
  const rest = pace()
  work()
  const happened: number[] = []
  const calls = [1, 2, 3].map(async (call) => {
    await rest()
    happened.push(call)
  })
  expect(rest()).toBe(rest())
  await Promise.all(calls)
  expect(happened).toEqual([1, 2, 3])
})
